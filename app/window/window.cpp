#include "app/window/window.h"

#include <algorithm>
#include <cmath>

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#if __has_include(<backends/imgui_impl_glfw.h>)
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#endif

#include "app/draw/fonts.h"
#include "app/draw/imgui_compat.h"
#include "app/shell/frame.h"

namespace warpwalk::window {
namespace {

using draw::Key;

// The initial window size, in screen coordinates.
constexpr int usual_width = 1600, usual_height = 900;

Key key_of(int key) {
  switch (key) {
    case GLFW_KEY_LEFT: return Key::left;
    case GLFW_KEY_RIGHT: return Key::right;
    case GLFW_KEY_UP: return Key::up;
    case GLFW_KEY_DOWN: return Key::down;
    case GLFW_KEY_HOME: return Key::home;
    case GLFW_KEY_END: return Key::end;
    case GLFW_KEY_PAGE_UP: return Key::page_up;
    case GLFW_KEY_PAGE_DOWN: return Key::page_down;
    case GLFW_KEY_SPACE: return Key::space;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return Key::enter;
    case GLFW_KEY_ESCAPE: return Key::escape;
    case GLFW_KEY_TAB: return Key::tab;
    case GLFW_KEY_BACKSPACE: return Key::backspace;
    case GLFW_KEY_DELETE: return Key::del;
    case GLFW_KEY_F11: return Key::f11;
    default: return Key::none;
  }
}

// A GLFW window with ImGui. Events are queued in `input_` as they arrive, so that none is lost between frames.
class Window {
 public:
  Window() = default;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    if (backends_) {
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplGlfw_Shutdown();
    }
    if (context_ != nullptr) ImGui::DestroyContext(context_);
    if (window_ != nullptr) glfwDestroyWindow(window_);
    if (initialised_) glfwTerminate();
  }

  std::optional<std::string> open(const Options& options) {
    options_ = options;
    // glfwGetError gives the reasons for failures; an error callback would not get a user pointer.
    if (glfwInit() == GLFW_FALSE)
      return fmt::format("no window: {}; without a display use: warpwalk render FILE -o FOLDER", reason());
    initialised_ = true;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    // A kept size is in pixels already; the default size is for a screen of normal density.
    const bool kept = options.width > 0;
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, kept ? GLFW_FALSE : GLFW_TRUE);
    window_ = glfwCreateWindow(kept ? options.width : usual_width, kept ? options.height : usual_height, "warpwalk",
                               nullptr, nullptr);
    if (window_ == nullptr)
      return fmt::format(
          "no window: {}; install an OpenGL 3.2 driver (for example Mesa's llvmpipe), or use: warpwalk render FILE -o "
          "FOLDER",
          reason());
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    keep_on_screen();
    glfwSetWindowSizeLimits(window_, 960, 600, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowUserPointer(window_, this);
    // Installed before ImGui's callbacks, which call these in turn.
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int code, int action, int mods) {
      self(w).on_key(key, code, action, mods);
    });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned code) { self(w).on_character(code); });
    glfwSetMouseButtonCallback(window_,
                               [](GLFWwindow* w, int button, int action, int) { self(w).on_button(button, action); });
    glfwSetScrollCallback(window_,
                          [](GLFWwindow* w, double, double dy) { self(w).input_.wheel += static_cast<float>(dy); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
      for (int i = 0; i < count; ++i) self(w).input_.dropped.emplace_back(paths[i]);
    });
    IMGUI_CHECKVERSION();
    context_ = ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 150");
    backends_ = true;
    draw::set_quality(ImGui::GetStyle());
    return fit_fonts(false);
  }

  bool closed() const { return glfwWindowShouldClose(window_) != 0; }

  // Waits for an event, or for the next frame of a motion.
  void wait(bool moving, bool busy, bool observing) {
    // Seconds between two checks of background work.
    constexpr double progress_interval = 0.05, observing_interval = 0.125;
    if (moving || settle_ > 0)
      glfwPollEvents();
    else if (busy)
      glfwWaitEventsTimeout(progress_interval);
    else if (observing)
      glfwWaitEventsTimeout(observing_interval);
    else
      glfwWaitEvents();
    settle_ = std::max(0, settle_ - 1);
  }

  std::optional<std::string> frame(shell::Shell& shell) {
    if (shell.full_screen() != full_screen_) switch_full_screen();
    if (auto error = fit_fonts(shell.presenting())) return error;
    int width = 0, height = 0, points_wide = 0, points_high = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glfwGetWindowSize(window_, &points_wide, &points_high);
    if (width == 0 || height == 0) return {};  // minimised
    if (!full_screen_) shell.set_window_size(points_wide, points_high);
    const double now = glfwGetTime();
    input_.seconds = std::min(now - last_, 0.1);  // after an idle stretch a motion starts at its start
    last_ = now;
    double x = 0, y = 0;
    glfwGetCursorPos(window_, &x, &y);
    const double pixels_a_point = points_wide == 0 ? 1 : static_cast<double>(width) / points_wide;
    input_.mouse = {static_cast<float>(x * pixels_a_point) / fonts_.scale,
                    static_cast<float>(y * pixels_a_point) / fonts_.scale};
    input_.mouse_down = glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;

    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    // Sizes in pixels: the canvas scales by itself.
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    ImGui::GetIO().DisplayFramebufferScale = {1, 1};
    ImGui::NewFrame();
    draw::Canvas canvas(*ImGui::GetBackgroundDrawList(), fonts_, shell.theme(),
                        static_cast<float>(width) / fonts_.scale, static_cast<float>(height) / fonts_.scale);
    shell.frame(canvas, input_);
    if (std::string title = shell.title(); title != title_) {
      glfwSetWindowTitle(window_, title.c_str());
      title_ = std::move(title);
    }
    const bool any = !input_.keys.empty() || input_.mouse_pressed || input_.mouse_released || input_.wheel != 0;
    if (any) settle_ = 2;  // the result of an action shows in the next frame
    input_.keys.clear();
    input_.dropped.clear();
    input_.wheel = 0;
    input_.mouse_pressed = input_.mouse_released = false;

    ImGui::Render();
    glViewport(0, 0, width, height);
    const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(shell.theme().ground);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_);
    return {};
  }

 private:
  static Window& self(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

  // The screen that the middle of the window is on.
  GLFWmonitor* screen() const {
    int x = 0, y = 0, width = 0, height = 0, count = 0;
    glfwGetWindowPos(window_, &x, &y);
    glfwGetWindowSize(window_, &width, &height);
    GLFWmonitor* const* const screens = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
      const GLFWvidmode* const mode = glfwGetVideoMode(screens[i]);
      int left = 0, top = 0;
      glfwGetMonitorPos(screens[i], &left, &top);
      const int across = x + width / 2 - left, down = y + height / 2 - top;
      if (mode != nullptr && across >= 0 && across < mode->width && down >= 0 && down < mode->height) return screens[i];
    }
    return glfwGetPrimaryMonitor();
  }

  void switch_full_screen() {
    full_screen_ = !full_screen_;
    if (!full_screen_) {
      glfwSetWindowMonitor(window_, nullptr, place_.x, place_.y, place_.width, place_.height, GLFW_DONT_CARE);
      return;
    }
    glfwGetWindowPos(window_, &place_.x, &place_.y);
    glfwGetWindowSize(window_, &place_.width, &place_.height);
    GLFWmonitor* const monitor = screen();
    if (monitor == nullptr) return;
    const GLFWvidmode* const mode = glfwGetVideoMode(monitor);
    if (mode != nullptr) glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

  // Keeps the window within the work area of the screen.
  void keep_on_screen() {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    if (monitor == nullptr) return;
    int x = 0, y = 0, room_wide = 0, room_high = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &room_wide, &room_high);
    glfwGetWindowSize(window_, &width, &height);
    if (room_wide <= 0 || room_high <= 0 || (width <= room_wide && height <= room_high)) return;
    glfwSetWindowSize(window_, std::min(width, room_wide), std::min(height, room_high));
    glfwSetWindowPos(window_, x, y);
  }

  static std::string reason() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words == nullptr ? "GLFW gives no reason" : words;
  }

  void on_key(int key, int code, int action, int mods) {
    if (action == GLFW_RELEASE) return;
    draw::KeyPress press;
    press.control = (mods & GLFW_MOD_CONTROL) != 0;
    press.shift = (mods & GLFW_MOD_SHIFT) != 0;
    press.key = key_of(key);
    if (press.key == Key::none && press.control) {  // GLFW sends no character for these
      if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) press.character = static_cast<char32_t>('a' + key - GLFW_KEY_A);
      // GLFW's key names are those of a US keyboard: use the letter of the current layout.
      const char* const name = glfwGetKeyName(key, code);
      if (name != nullptr && name[0] >= 'a' && name[0] <= 'z' && name[1] == '\0')
        press.character = static_cast<char32_t>(name[0]);
      if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) press.character = static_cast<char32_t>('0' + key - GLFW_KEY_0);
      if (press.character != 0) press.key = Key::character;
      if (press.character == 'v')
        if (const char* const text = glfwGetClipboardString(window_)) press.pasted = text;
    }
    if (press.key != Key::none) input_.keys.push_back(press);
  }
  void on_character(unsigned code) {
    if (code == ' ') return;  // it was sent as a key
    draw::KeyPress press;
    press.key = Key::character;
    press.character = code;
    input_.keys.push_back(press);
  }
  void on_button(int button, int action) {
    if (button != GLFW_MOUSE_BUTTON_LEFT) return;
    (action == GLFW_PRESS ? input_.mouse_pressed : input_.mouse_released) = true;
  }

  // Chooses the type's size for the screen and the window; in steps, so that dragging an edge does not rebuild the
  // fonts all the time. When presenting it is larger: at 1080p no letter is smaller than 18 pixels. In a window smaller
  // than the design's size it shrinks to three quarters, because small words are easier to read than cut ones.
  std::optional<std::string> fit_fonts(bool presenting) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    float screen = 1, ignored = 1;
    glfwGetWindowContentScale(window_, &screen, &ignored);
    const auto steps = [&](float wide, float high) {
      return std::floor(std::min(static_cast<float>(width) / wide, static_cast<float>(height) / high) * 4) / 4;
    };
    const float fit = presenting ? steps(1097, 617) : steps(1440, 810);
    const float largest = std::clamp(steps(960, 600), 1.0f, 4.0f);  // with larger type the panels would overlap
    const float whole = presenting ? std::min(static_cast<float>(width) / 1097, static_cast<float>(height) / 617)
                                   : std::min(static_cast<float>(width) / 1360, static_cast<float>(height) / 765);
    const float room = std::max(0.75f * screen, std::floor(whole * 8) / 8);
    const bool chosen = options_.scale > 0 && !presenting;
    const float wanted = chosen ? static_cast<float>(options_.scale) : std::min(std::max(screen, fit), room);
    const float scale = std::clamp(wanted, std::min(1.0f, wanted), largest);
    if (fonts_.body != nullptr && scale == fonts_.scale) return {};
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    draw::FontOptions options;
    options.scale = scale;
    options.directories = draw::default_font_directories();
    if (auto error = draw::load_fonts(atlas, options, fonts_)) return error;
    draw::upload_fonts();
    return {};
  }

  Options options_;
  GLFWwindow* window_ = nullptr;
  bool full_screen_ = false;
  struct {
    int x = 0, y = 0, width = 0, height = 0;
  } place_;  // of the window before it filled the screen
  ImGuiContext* context_ = nullptr;
  bool initialised_ = false;
  bool backends_ = false;
  draw::FontSet fonts_;
  draw::Input input_;
  std::string title_;
  double last_ = 0;
  int settle_ = 3;
};

}  // namespace

std::optional<std::string> run(const Options& options, shell::Shell& shell) {
  Window window;
  if (auto error = window.open(options)) return error;
  while (!window.closed()) {
    window.wait(shell.moving(), shell.busy(), shell.observing());
    if (auto error = window.frame(shell)) return error;
    if (options.after_frame) options.after_frame();
  }
  return {};
}

void copy_to_clipboard(const std::string& text) { glfwSetClipboardString(nullptr, text.c_str()); }

}  // namespace warpwalk::window
