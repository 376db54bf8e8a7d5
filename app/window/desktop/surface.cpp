#include "app/window/desktop/surface.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_opengl3.h>
#endif

#include "app/draw/imgui_compat.h"

namespace warpwalk::window {
namespace {

Area area_of(GLFWmonitor* monitor, const GLFWvidmode& mode) {
  Area area = {0, 0, mode.width, mode.height};
  glfwGetMonitorPos(monitor, &area.x, &area.y);
  return area;
}

// The monitor that shows most of a window; null if there is none.
GLFWmonitor* monitor_of(const Area& window) {
  const auto screen = screen_of(all_screens(), window);
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int i = 0; screen && i < count; ++i)
    if (const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i]))
      if (area_of(monitors[i], *mode) == *screen) return monitors[i];
  return nullptr;
}

// Keeps the window within the work area of the screen.
void keep_on_screen(GLFWwindow* window) {
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return;
  int x = 0, y = 0, room_wide = 0, room_high = 0, width = 0, height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &room_wide, &room_high);
  glfwGetWindowSize(window, &width, &height);
  if (room_wide <= 0 || room_high <= 0 || (width <= room_wide && height <= room_high)) return;
  glfwSetWindowSize(window, std::min(width, room_wide), std::min(height, room_high));
  glfwSetWindowPos(window, x, y);
}

// Uploads a rebuilt atlas. Since 1.92 the backend does this itself.
void upload_fonts() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

}  // namespace

int screen_count() {
  int count = 0;
  glfwGetMonitors(&count);
  return count;
}

std::vector<Area> all_screens() {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);  // GLFW puts the primary one first
  std::vector<Area> screens;
  for (int i = 0; i < count; ++i)
    if (const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i])) screens.push_back(area_of(monitors[i], *mode));
  return screens;
}

std::string glfw_reason() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words == nullptr ? "GLFW gives no reason" : words;
}

Surface::~Surface() {
  if (window_ != nullptr) glfwMakeContextCurrent(window_);
  if (context_ != nullptr) ImGui::SetCurrentContext(context_);
  if (backend_) photos_.clear();
  if (backend_) ImGui_ImplOpenGL3_Shutdown();
  if (context_ != nullptr) ImGui::DestroyContext(context_);
  if (window_ != nullptr) glfwDestroyWindow(window_);
}

base::Result<void> Surface::open(const Options& options) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  // By this name a desktop finds the program's icon (package/warpwalk.desktop).
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warpwalk");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "warpwalk");
  // With two windows, a full screen must stay when the other window has the keyboard.
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  // A kept size is in pixels already; the default size is for a screen of normal density.
  const bool kept = options.width > 0;
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, kept ? GLFW_FALSE : GLFW_TRUE);
  const bool placed = options.screen || options.minimised;
  glfwWindowHint(GLFW_VISIBLE, placed ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, options.minimised ? GLFW_FALSE : GLFW_TRUE);
  window_ = glfwCreateWindow(kept ? options.width : options.usual_width, kept ? options.height : options.usual_height,
                             options.title.c_str(), nullptr, nullptr);
  if (window_ == nullptr)
    return base::Error{fmt::format(
        "no window: {}; install an OpenGL 3.2 driver (for example Mesa's llvmpipe), or use: warpwalk render FILE -o "
        "FOLDER",
        glfw_reason())};
  title_ = options.title;
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(options.wait_for_screen ? 1 : 0);
  if (options.screen) {
    const Area& screen = *options.screen;
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    const Area middle = middle_of(screen, width, height);
    glfwSetWindowPos(window_, middle.x, middle.y);
  } else {
    keep_on_screen(window_);
  }
  if (placed) glfwShowWindow(window_);
  if (options.minimised) glfwIconifyWindow(window_);
  glfwSetWindowSizeLimits(window_, options.least_width, options.least_height, GLFW_DONT_CARE, GLFW_DONT_CARE);
  events_.listen(window_);
  IMGUI_CHECKVERSION();
  ImGuiContext* const other = ImGui::GetCurrentContext();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGui::GetIO().IniFilename = nullptr;
  // The windows draw by themselves, so ImGui gets no input: its GLFW backend is not needed.
  ImGui_ImplOpenGL3_Init("#version 150");
  backend_ = true;
  draw::set_quality(ImGui::GetStyle());
  if (other != nullptr) ImGui::SetCurrentContext(other);
  return {};
}

bool Surface::closed() const { return glfwWindowShouldClose(window_) != 0; }

void Surface::set_title(const std::string& title) {
  if (title == title_) return;
  glfwSetWindowTitle(window_, title.c_str());
  title_ = title;
}

void Surface::fill_screen(bool fill) {
  if (fill == filling_) return;
  if (!fill) {
    glfwSetWindowMonitor(window_, nullptr, before_.x, before_.y, before_.width, before_.height, GLFW_DONT_CARE);
    filling_ = false;
    return;
  }
  fill_screen_of(place());
}

// `now`: the place to which it returns later.
void Surface::fill_screen_of(const Area& now) {
  GLFWmonitor* const monitor = monitor_of(now);
  const GLFWvidmode* const mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  if (mode == nullptr) return;
  before_ = now;
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  filling_ = true;
}

void Surface::move_to(const Area& place) {
  if (filling_) return fill_screen_of(place);
  glfwSetWindowSize(window_, place.width, place.height);
  glfwSetWindowPos(window_, place.x, place.y);
}

Area Surface::place() const {
  if (filling_) return before_;
  Area now;
  glfwGetWindowPos(window_, &now.x, &now.y);
  glfwGetWindowSize(window_, &now.width, &now.height);
  return now;
}

bool Surface::minimised() const {
  if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED) != 0) return true;
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return width == 0 || height == 0;
}

std::pair<int, int> Surface::size() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return {width, height};
}

base::Result<void> Surface::frame(const Type& type, const draw::Theme& theme,
                                  const std::function<void(draw::Canvas&, const draw::Input&)>& paint) {
  glfwMakeContextCurrent(window_);
  ImGui::SetCurrentContext(context_);
  if (auto done = fit_fonts(type); !done) return done;
  int width = 0, height = 0, points_wide = 0, points_high = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glfwGetWindowSize(window_, &points_wide, &points_high);
  const double now = glfwGetTime();
  draw::Input& input = events_.input();
  input.seconds = std::min(now - last_, 0.1);  // after an idle stretch a motion starts at its start
  last_ = now;
  double x = 0, y = 0;
  glfwGetCursorPos(window_, &x, &y);
  const double pixels_a_point = points_wide == 0 ? 1 : static_cast<double>(width) / points_wide;
  input.mouse = {static_cast<float>(x * pixels_a_point) / fonts_.scale,
                 static_cast<float>(y * pixels_a_point) / fonts_.scale};
  input.mouse_down = glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;

  ImGui_ImplOpenGL3_NewFrame();
  // Sizes in pixels: the canvas scales by itself.
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = 1.0f / 60;  // nothing of ImGui's own moves
  ImGui::NewFrame();
  draw::Canvas canvas(*ImGui::GetBackgroundDrawList(), fonts_, theme, static_cast<float>(width) / fonts_.scale,
                      static_cast<float>(height) / fonts_.scale);
  paint(canvas, input);
  events_.clear();

  ImGui::Render();
  glViewport(0, 0, width, height);
  const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(theme.ground);
  glClearColor(ground.x, ground.y, ground.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  photos_.prepare(*ImGui::GetDrawData());
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
  return {};
}

// Loads the fonts again only if the type changed, or if characters were drawn that they lack.
base::Result<void> Surface::fit_fonts(const Type& type) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  float density = 1, ignored = 1;
  glfwGetWindowContentScale(window_, &density, &ignored);
  draw::FontOptions options = type(width, height, density);
  const bool fits = options.scale == loaded_.scale && options.large == loaded_.large && !glyphs_.grown();
  if (fonts_.body != nullptr && fits) return {};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  options.directories = draw::default_font_directories();
  options.glyphs = &glyphs_;
  if (auto done = draw::load_fonts(atlas, options, fonts_); !done) return done;
  upload_fonts();
  loaded_ = std::move(options);
  return {};
}

}  // namespace warpwalk::window
