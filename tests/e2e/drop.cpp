#include "tests/e2e/drop.h"

#include <chrono>
#include <thread>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

// A drag from a window of its own.
class Drag {
 public:
  Drag(Display* display, Window target) : display_(display), target_(target) {
    source_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(display_, atom("XdndSelection"), source_, CurrentTime);
  }
  ~Drag() { XDestroyWindow(display_, source_); }
  Drag(const Drag&) = delete;
  Drag& operator=(const Drag&) = delete;

  // A message about this drag; the first datum is the source window.
  void report(const char* message, long a, long b, long c, long d) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(message);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(source_);
    event.xclient.data.l[1] = a;
    event.xclient.data.l[2] = b;
    event.xclient.data.l[3] = c;
    event.xclient.data.l[4] = d;
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  // Waits for the target's message, and meanwhile answers requests for the text.
  bool wait_for(const char* message, const std::string& text) {
    const auto give_up = std::chrono::steady_clock::now() + 5s;
    while (std::chrono::steady_clock::now() < give_up) {
      while (XPending(display_) > 0) {
        XEvent event{};
        XNextEvent(display_, &event);
        if (event.type == SelectionRequest) hand_over(event.xselectionrequest, text);
        if (event.type == ClientMessage && event.xclient.message_type == atom(message)) return true;
      }
      std::this_thread::sleep_for(2ms);
    }
    return false;
  }

  long number(const char* name) { return static_cast<long>(atom(name)); }

 private:
  Atom atom(const char* name) { return XInternAtom(display_, name, False); }

  void hand_over(const XSelectionRequestEvent& request, const std::string& text) {
    XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    XEvent answer{};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = request.requestor;
    answer.xselection.selection = request.selection;
    answer.xselection.target = request.target;
    answer.xselection.property = request.property;
    answer.xselection.time = request.time;
    XSendEvent(display_, request.requestor, False, NoEventMask, &answer);
    XFlush(display_);
  }

  Display* display_;
  Window target_;
  Window source_ = 0;
};

}  // namespace

std::string drop_file(const std::string& display_name, unsigned long window, const std::filesystem::path& file) {
  Display* const display = XOpenDisplay(display_name.c_str());
  if (display == nullptr) return "no display " + display_name;
  std::string wrong;
  {
    Drag drag(display, window);
    const std::string list = "file://" + file.string() + "\r\n";
    int x = 0, y = 0;
    Window child = 0;
    XTranslateCoordinates(display, window, DefaultRootWindow(display), 300, 300, &x, &y, &child);
    constexpr long version = 5;
    drag.report("XdndEnter", version << 24, drag.number("text/uri-list"), 0, 0);
    drag.report("XdndPosition", 0, static_cast<long>(x) << 16 | y, CurrentTime, drag.number("XdndActionCopy"));
    if (!drag.wait_for("XdndStatus", list)) wrong = "the window does not answer to a drag";
    if (wrong.empty()) drag.report("XdndDrop", 0, CurrentTime, 0, 0);
    if (wrong.empty() && !drag.wait_for("XdndFinished", list)) wrong = "the window does not take the drop";
  }
  XCloseDisplay(display);
  return wrong;
}

}  // namespace warpwalk::testing
