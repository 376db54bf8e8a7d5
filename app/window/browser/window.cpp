#include "app/window/window.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/draw/image.h"
#include "app/draw/imgui_compat.h"
#include "app/draw/offscreen.h"
#include "app/draw/raster.h"
#include "app/shell/frame.h"
#include "app/window/browser/events.h"
#include "app/window/type.h"
#include "core/platform/browser/fibers.h"

extern "C" {

struct PageSize {
  std::int32_t width, height;  ///< pixels
  float density;               ///< pixels of a unit
};

/// A part of the picture: pixels outside of the rectangle are not drawn.
struct PageCommand {
  std::int32_t left, top, right, bottom;
  std::int32_t indices, first_index, first_vertex;
  std::int32_t photo;  ///< the number of the picture that it draws; 0: it draws with the atlas
};

// app/window/browser/imports.js. warpwalk_wait suspends the caller until an event; 0 milliseconds: until the next
// frame; otherwise at most for so long; negative: without a limit.
void warpwalk_wait(double milliseconds);
void warpwalk_size(PageSize* size);
void warpwalk_texture(const unsigned char* alpha, int width, int height);
// A person's own picture, of RGBA8; without pixels it is forgotten.
void warpwalk_photo(int number, const std::uint32_t* pixels, int width, int height);
int warpwalk_draws_pixels();  // there is no WebGL
void warpwalk_draw(const ImDrawVert* vertices, int vertex_count, const ImDrawIdx* indices, int index_count,
                   const PageCommand* commands, int command_count, ImU32 ground);
void warpwalk_pixels(const std::uint32_t* rgba, int width, int height);
void warpwalk_title(const char* text);
void warpwalk_copy(const char* text);
void warpwalk_choose();
char* warpwalk_address();  // of malloc()
void warpwalk_full_screen(int fill);
int warpwalk_fills_screen();
// The lecturer's page is a second window of the browser. Returns 0 if it was not allowed, or has been closed.
int warpwalk_lecturer(int open, const char* title);
void warpwalk_lecturer_size(PageSize* size);
void warpwalk_lecturer_pixels(const std::uint32_t* rgba, int width, int height);
}

namespace warpwalk::window {
namespace {

static_assert(sizeof(ImDrawIdx) == 2 && sizeof(ImDrawVert) == 20, "page.js reads them");

PageSize page_size() {
  PageSize size{};
  warpwalk_size(&size);
  return size;
}

/// A window on a desktop is at least 960 x 600 units. In a smaller page, such as a frame of another one, all is
/// smaller; in steps, so that fonts are not made anew all the time.
float squeezed(const PageSize& size) {
  const float share =
      std::min(static_cast<float>(size.width) / 960, static_cast<float>(size.height) / 600) / size.density;
  return std::clamp(std::floor(share * 20) / 20, 0.3f, 1.0f);
}

/// A picture that the page has.
struct PagePhoto {
  std::int32_t number = 0;
  bool drawn = false;  ///< in this frame
};

/// The canvas of the page: Dear ImGui's context, drawn with WebGL, or by the rasteriser where there is none.
class Canvas {
 public:
  Canvas() : context_(ImGui::CreateContext()), pixels_(warpwalk_draws_pixels() != 0) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    draw::set_quality(ImGui::GetStyle());
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  ~Canvas() { ImGui::DestroyContext(context_); }

  base::Result<void> frame(const draw::FontOptions& type, const draw::Theme& theme, PageEvents& events,
                           const std::function<void(draw::Canvas&, const draw::Input&)>& paint) {
    ImGui::SetCurrentContext(context_);
    if (auto done = fit_fonts(type); !done) return done;
    const PageSize size = page_size();
    const auto now = std::chrono::steady_clock::now();
    events.input.seconds = std::min(std::chrono::duration<double>(now - last_).count(), 0.1);
    last_ = now;
    events.input.mouse = {events.mouse.x / fonts_.scale, events.mouse.y / fonts_.scale};
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    io.DeltaTime = 1.0f / 60;  // nothing of ImGui's own moves
    ImGui::NewFrame();
    draw::Canvas canvas(*ImGui::GetBackgroundDrawList(), fonts_, theme, io.DisplaySize.x / fonts_.scale,
                        io.DisplaySize.y / fonts_.scale);
    paint(canvas, events.input);
    events.clear();
    ImGui::Render();
    show(*ImGui::GetDrawData(), theme.ground);
    return {};
  }

  /// True if the last frame drew characters that the fonts lack: the next frame has those of the page's fonts.
  bool wants_glyphs() const { return glyphs_.grown(); }

 private:
  base::Result<void> fit_fonts(draw::FontOptions options) {
    const bool fits = options.scale == loaded_.scale && options.large == loaded_.large && !glyphs_.grown();
    if (fonts_.body != nullptr && fits) return {};
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    options.directories = draw::default_font_directories();
    options.glyphs = &glyphs_;
    if (auto done = draw::load_fonts(atlas, options, fonts_); !done) return done;
    texels_ = draw::build_atlas(atlas);
    warpwalk_texture(texels_.alpha, texels_.width, texels_.height);
    loaded_ = std::move(options);
    return {};
  }

  // The page gets a picture when it is first drawn.
  std::int32_t photo_number(const ImDrawCmd& command) {
    const story::Pixels* const pixels = draw::photo_of(command);
    if (pixels == nullptr) return 0;
    PagePhoto& photo = photos_[pixels->key];
    if (photo.number == 0) {
      photo.number = next_photo_++;
      warpwalk_photo(photo.number, pixels->values.data(), pixels->width, pixels->height);
    }
    photo.drawn = true;
    return photo.number;
  }

  void show(const ImDrawData& data, ImU32 ground) {
    if (pixels_) {
      draw::Image image =
          draw::filled(static_cast<int>(data.DisplaySize.x), static_cast<int>(data.DisplaySize.y), ground);
      draw::rasterise(data, texels_, image, 1);
      warpwalk_pixels(image.pixels.data(), image.width, image.height);
      return;
    }
    vertices_.clear();
    indices_.clear();
    commands_.clear();
    for (int l = 0; l < data.CmdListsCount; ++l) {
      const ImDrawList& list = *data.CmdLists[l];
      const auto first_vertex = static_cast<std::int32_t>(vertices_.size());
      const auto first_index = static_cast<std::int32_t>(indices_.size());
      vertices_.insert(vertices_.end(), list.VtxBuffer.begin(), list.VtxBuffer.end());
      indices_.insert(indices_.end(), list.IdxBuffer.begin(), list.IdxBuffer.end());
      for (const ImDrawCmd& command : list.CmdBuffer)
        if (command.UserCallback == nullptr && command.ElemCount != 0)
          commands_.push_back(
              {static_cast<std::int32_t>(command.ClipRect.x), static_cast<std::int32_t>(command.ClipRect.y),
               static_cast<std::int32_t>(command.ClipRect.z), static_cast<std::int32_t>(command.ClipRect.w),
               static_cast<std::int32_t>(command.ElemCount), first_index + static_cast<std::int32_t>(command.IdxOffset),
               first_vertex + static_cast<std::int32_t>(command.VtxOffset), photo_number(command)});
    }
    std::erase_if(photos_, [](const auto& photo) {
      if (!photo.second.drawn) warpwalk_photo(photo.second.number, nullptr, 0, 0);
      return !photo.second.drawn;
    });
    for (auto& [key, photo] : photos_) photo.drawn = false;
    warpwalk_draw(vertices_.data(), static_cast<int>(vertices_.size()), indices_.data(),
                  static_cast<int>(indices_.size()), commands_.data(), static_cast<int>(commands_.size()), ground);
  }

  ImGuiContext* context_;
  bool pixels_;
  draw::Glyphs glyphs_;
  draw::FontSet fonts_;
  draw::FontOptions loaded_;
  draw::AtlasTexels texels_;
  std::vector<ImDrawVert> vertices_;
  std::vector<ImDrawIdx> indices_;
  std::vector<PageCommand> commands_;
  std::map<std::uint64_t, PagePhoto> photos_;  // by the keys of their pixels
  std::int32_t next_photo_ = 1;
  std::chrono::steady_clock::time_point last_;
};

class Page {
 public:
  Page(const Options& options, shell::Shell& shell) : options_(options), shell_(shell) {}

  // Waits for an event, for the next frame of a motion, or for background work.
  void wait() {
    constexpr double progress_interval = 50, lecturer_interval = 1000;  // milliseconds
    if (shell_.moving() || settle_ > 0)
      platform::suspend_in(warpwalk_wait, 0);
    else
      platform::suspend_in(warpwalk_wait, shell_.busy()                      ? progress_interval
                                          : shell_.presentation().lecturer() ? lecturer_interval
                                                                             : -1);
    settle_ = std::max(0, settle_ - 1);
    events_.take();
  }

  base::Result<void> frame() {
    if (shell_.presentation().full_screen() != asked_full_screen_) {
      asked_full_screen_ = !asked_full_screen_;
      warpwalk_full_screen(asked_full_screen_ ? 1 : 0);
    } else if ((warpwalk_fills_screen() != 0) != asked_full_screen_ && settle_ == 0) {  // the browser has left it
      asked_full_screen_ = warpwalk_fills_screen() != 0;
      shell_.presentation().set_full_screen(asked_full_screen_);
    }
    const draw::Input& input = events_.input;
    if (!input.keys.empty() || input.mouse_pressed || input.mouse_released || input.wheel != 0)
      settle_ = 2;  // the result of an action shows in the next frame
    const PageSize size = page_size();
    if (size.width <= 0 || size.height <= 0) return {};
    const bool learning = shell_.learning() && options_.scale == 0 && squeezed(size) == 1;
    draw::FontOptions type = shell_.presentation().on()
                                 ? shell::presenting_type(size.width, size.height, options_.presenting_scale)
                             : learning                 ? shell::learner_type(size.width, size.height)
                                        : working_type(size.width, size.height, size.density, options_.scale);
    if (!shell_.presentation().on() && !learning) type.scale *= squeezed(size);
    auto done = canvas_.frame(type, shell_.theme(), events_,
                              [&](draw::Canvas& canvas, const draw::Input& events) { shell_.frame(canvas, events); });
    if (!done) return done;
    if (canvas_.wants_glyphs()) settle_ = 2;
    if (const std::string title = shell_.title(); title != title_) {
      title_ = title;
      warpwalk_title(title_.c_str());
    }
    return lecturer_frame();
  }

 private:
  base::Result<void> lecturer_frame() {
    const bool wanted = shell_.presentation().lecturer();
    if (!wanted && !lecturer_) return {};
    const std::string title = shell_.presentation().lecturer_title();
    const bool open = warpwalk_lecturer(wanted ? 1 : 0, title.c_str()) != 0;
    if (!open) {
      if (wanted && !lecturer_)
        shell_.report_error(
            "the browser did not allow a second window for the lecturer; allow pop-up windows for this page");
      shell_.presentation().set_lecturer(false);
      lecturer_.reset();
      return {};
    }
    PageSize size{};
    warpwalk_lecturer_size(&size);
    draw::FontOptions type = lecturer_type(size.width, size.height, size.density);
    type.scale = std::clamp(type.scale * shell_.presentation().lecturer_zoom(), 0.5f, 6.0f);
    if (!lecturer_ || type.scale != lecturer_scale_) {
      lecturer_scale_ = type.scale;
      type.directories = draw::default_font_directories();
      auto opened = draw::Offscreen::open({.fonts = std::move(type), .threads = 1, .grows = true});
      if (!opened) return base::Error{opened.error()};
      lecturer_ = *std::move(opened);
    }
    const draw::Image image = lecturer_->draw(size.width, size.height, shell_.theme().ground, [&](ImDrawList& list) {
      const float scale = lecturer_->fonts().scale;
      draw::Canvas canvas(list, lecturer_->fonts(), shell_.theme(), static_cast<float>(size.width) / scale,
                          static_cast<float>(size.height) / scale);
      shell_.lecturer_frame(canvas, {});  // its keys come with those of the page
    });
    warpwalk_lecturer_pixels(image.pixels.data(), image.width, image.height);
    return {};
  }

  const Options& options_;
  shell::Shell& shell_;
  PageEvents events_;
  Canvas canvas_;
  std::unique_ptr<draw::Offscreen> lecturer_;
  float lecturer_scale_ = 0;
  std::string title_;
  bool asked_full_screen_ = false;
  int settle_ = 3;
};

}  // namespace

base::Result<void> run(const Options& options, shell::Shell& shell) {
  Page page(options, shell);
  while (true) {
    if (auto done = page.frame(); !done) return done;
    if (options.after_frame) options.after_frame();
    page.wait();
  }
}

platform::ProbeResult probe_display() {
  return {true, warpwalk_draws_pixels() != 0 ? "a page without WebGL 2" : "a page with WebGL 2"};
}

std::function<std::string()> page_address() {
  return [] {
    char* const address = warpwalk_address();
    std::string text = address;
    std::free(address);
    return text;
  };
}

std::function<void()> file_chooser() { return warpwalk_choose; }

void copy_to_clipboard(const std::string& text) { warpwalk_copy(text.c_str()); }

}  // namespace warpwalk::window
