#include "app/window/window.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "app/shell/frame.h"
#include "app/window/desktop/surface.h"
#include "app/window/type.h"

namespace warpwalk::window {
namespace {

// Ends GLFW after all windows.
class Glfw {
 public:
  // glfwGetError gives the reasons for failures; an error callback would not get a user pointer.
  Glfw() : usable_(glfwInit() == GLFW_TRUE) {}
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
  ~Glfw() {
    if (usable_) glfwTerminate();
  }
  bool usable() const { return usable_; }

 private:
  bool usable_;
};

// The main window and, while it is open, the lecturer's.
class Windows {
 public:
  Windows(const Options& options, shell::Shell& shell) : options_(options), shell_(shell) {}

  base::Result<void> open() {
    if (!glfw_.usable())
      return base::Error{
          fmt::format("no window: {}; without a display use: warpwalk render FILE -o FOLDER", glfw_reason())};
    Surface::Options main;
    main.title = "warpwalk";
    main.width = options_.width;
    main.height = options_.height;
    return main_.open(main);
  }

  bool closed() const { return main_.closed(); }

  // Waits for an event, for the next frame of a motion, or for the clock's next second.
  void wait() {
    // Seconds between two checks of background work.
    constexpr double progress_interval = 0.05, observing_interval = 0.125;
    double limit = 0;
    if (shell_.moving() || settle_ > 0) {
      glfwPollEvents();
      needed_ = true;
    } else {
      needed_ = shell_.busy() || shell_.observing();
      if (shell_.busy())
        limit = progress_interval;
      else if (shell_.observing())
        limit = observing_interval;
      if (lecturer_) limit = limit > 0 ? std::min(limit, to_next_second()) : to_next_second();
      if (limit > 0)
        glfwWaitEventsTimeout(limit);
      else
        glfwWaitEvents();
    }
    // A frame after a motion, whose end both windows then show.
    settle_ = std::max(shell_.moving() ? 1 : 0, settle_ - 1);
  }

  base::Result<void> frame() {
    follow_screens();
    follow_lecturer();
    main_.fill_screen(shell_.presentation().full_screen());
    shell_.presentation().set_full_screen(main_.fills_screen());  // a display without a monitor cannot be filled
    // Keys of the lecturer's window drive the presentation as well; its pointer does not.
    if (lecturer_) {
      std::vector<draw::KeyPress>& keys = lecturer_->input().keys;
      main_.input().keys.insert(main_.input().keys.end(), keys.begin(), keys.end());
      keys.clear();
    }
    const draw::Input& input = main_.input();
    const bool any = !input.keys.empty() || input.mouse_pressed || input.mouse_released || input.wheel != 0;
    if (!main_.minimised()) {
      const bool tick = lecturer_ && !needed_ && !any && !main_.touched();  // only the clock has changed
      if (!tick)
        if (auto done = main_frame(); !done) return done;
      show_glyphs();
    } else {
      main_.input().keys.clear();
    }
    if (any) settle_ = 2;  // the result of an action shows in the next frame
    if (!lecturer_ || lecturer_->minimised()) return {};
    if (lecturer_->input().mouse_pressed || lecturer_->input().wheel != 0) settle_ = 2;  // it may go to a step
    // A motion on the stage needs all the time there is; this window shows beats as they end.
    constexpr double pause = 0.25;
    const double now = glfwGetTime();
    if (shell_.moving() && !any && !lecturer_->touched() && now - lecturer_drawn_ < pause) return {};
    lecturer_drawn_ = now;
    return lecturer_frame();
  }

 private:
  // What was drawn without its characters is drawn again.
  void show_glyphs() {
    if (main_.wants_glyphs()) settle_ = 2;
    if (main_.lacks_cjk() && !std::exchange(advised_, true)) {
      shell_.report_error(draw::cjk_advice());
      settle_ = 2;
    }
  }

  static double to_next_second() {
    using namespace std::chrono;
    const auto now = system_clock::now();
    return std::max(0.005, duration<double>(ceil<seconds>(now) - now).count());
  }

  // With two screens, the stage of a presentation leaves the primary one, which is the lecturer's; when presenting
  // ends, its window returns to where it was.
  void follow_screens() {
    shell::Presentation& presentation = shell_.presentation();
    const bool presents = presentation.on() && (stage_from_ || presentation.lecturer() || presentation.full_screen());
    const Wish wish = {presents, presentation.swapped(), screen_count()};
    if (wish == wish_) return;
    const bool swaps = wish.swapped != wish_.swapped;
    wish_ = wish;
    const Placement places = placement(all_screens(), main_.place(), wish.swapped);
    lecturer_screen_ = places.lecturer;
    if (swaps && !places.stage) shell_.confirm("one_screen");
    if (!presents && stage_from_) {
      main_.move_to(*std::exchange(stage_from_, {}));
    } else if (presents || swaps) {
      move_stage(places, presents);
    }
    if (lecturer_ && lecturer_screen_) {
      const auto [width, height] = lecturer_->size();
      lecturer_->move_to(middle_of(*lecturer_screen_, width, height));
    }
  }

  void move_stage(const Placement& places, bool presents) {
    const Area now = main_.place();
    const std::vector<Area> screens = all_screens();
    // Without a presentation, the key takes the window to the other one of the two screens.
    std::optional<Area> to = places.stage;
    if (!presents && to && screen_of(screens, now) == to) to = places.lecturer;
    if (!to || screen_of(screens, now) == to) return;
    if (presents && !stage_from_) stage_from_ = now;
    main_.move_to(middle_of(*to, now.width, now.height));
    settle_ = 3;
  }

  void follow_lecturer() {
    if (lecturer_ && lecturer_->closed()) shell_.presentation().set_lecturer(false);
    shell_.presentation().set_lecturer_visible(!lecturer_ || !lecturer_->minimised());
    if (!shell_.presentation().lecturer()) {
      lecturer_.reset();
      return;
    }
    if (lecturer_) return;
    auto opened = std::make_unique<Surface>();
    Surface::Options options;
    options.title = shell_.presentation().lecturer_title();
    options.usual_width = 1040;
    options.usual_height = 680;
    options.least_width = 640;
    options.least_height = 480;
    options.wait_for_screen = false;
    // On the only screen it would cover the projected picture, with the answer on it.
    options.screen = lecturer_screen_;
    options.minimised = !options.screen;
    if (const auto done = opened->open(options); !done) {
      shell_.presentation().set_lecturer(false);
      shell_.report_error(done.error());
      return;
    }
    lecturer_ = std::move(opened);
    if (options.minimised) shell_.confirm("lecturer_minimised");
    shell_.presentation().set_lecturer_visible(!options.minimised);
    settle_ = 3;
  }

  base::Result<void> main_frame() {
    const auto [width, height] = main_.size();
    if (!main_.fills_screen() && !stage_from_) {
      shell_.settings().window_width = width;
      shell_.settings().window_height = height;
    }
    const auto type = [&](int wide, int high, float density) {
      if (shell_.presentation().on()) return shell::presenting_type(wide, high, options_.presenting_scale);
      if (shell_.learning() && options_.scale == 0) return shell::learner_type(wide, high);
      return working_type(wide, high, density, options_.scale);
    };
    return main_.frame(type, shell_.theme(), [&](draw::Canvas& canvas, const draw::Input& input) {
      shell_.frame(canvas, input);
      main_.set_title(shell_.title());  // before the frame shows, which may wait for the screen
    });
  }

  base::Result<void> lecturer_frame() {
    lecturer_->set_title(shell_.presentation().lecturer_title());
    const auto type = [&](int wide, int high, float density) {
      draw::FontOptions usual = lecturer_type(wide, high, density);
      usual.scale = std::clamp(usual.scale * shell_.presentation().lecturer_zoom(), 0.5f, 6.0f);
      return usual;
    };
    return lecturer_->frame(type, shell_.theme(), [&](draw::Canvas& canvas, const draw::Input& input) {
      shell_.lecturer_frame(canvas, input);
    });
  }

  const Options& options_;
  shell::Shell& shell_;
  Glfw glfw_;
  Surface main_;
  std::unique_ptr<Surface> lecturer_;
  double lecturer_drawn_ = 0;  // when, as glfwGetTime() counts
  // What the places of the windows depend on.
  struct Wish {
    bool presents = false, swapped = false;
    int screens = 0;
    friend bool operator==(const Wish&, const Wish&) = default;
  } wish_;
  std::optional<Area> stage_from_;  // the place of the main window before it went to the screen of the stage
  std::optional<Area> lecturer_screen_;
  bool advised_ = false;  // that a font is missing
  bool needed_ = true;    // a frame of the main window, whether or not there are events
  int settle_ = 3;
};

}  // namespace

base::Result<void> run(const Options& options, shell::Shell& shell) {
  Windows windows(options, shell);
  if (auto done = windows.open(); !done) return done;
  while (!windows.closed()) {
    windows.wait();
    if (auto done = windows.frame(); !done) return done;
    if (options.after_frame) options.after_frame();
  }
  return {};
}

std::function<std::string()> page_address() { return {}; }

std::function<void()> file_chooser() { return {}; }

run::CudaCompiler page_compiler() { return {}; }

void copy_to_clipboard(const std::string& text) { glfwSetClipboardString(nullptr, text.c_str()); }

}  // namespace warpwalk::window
