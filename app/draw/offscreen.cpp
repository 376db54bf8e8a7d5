#include "app/draw/offscreen.h"

#include <algorithm>
#include <thread>

#include "app/draw/raster.h"

namespace warpwalk::draw {
namespace {

/// Makes a context current for the lifetime of this object.
class Current {
 public:
  explicit Current(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) { ImGui::SetCurrentContext(context); }
  ~Current() { ImGui::SetCurrentContext(before_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  ImGuiContext* before_;
};

/// Opens a window between NewFrame and Render. Ends it even if the painter throws, or the next frame would abort.
class BareWindow {
 public:
  explicit BareWindow(ImVec2 size) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin("offscreen", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav);
  }
  ~BareWindow() {
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::Render();
  }
  BareWindow(const BareWindow&) = delete;
  BareWindow& operator=(const BareWindow&) = delete;
};

}  // namespace

Offscreen::Offscreen(const Options& options)
    : context_(nullptr),
      options_(options),
      threads_(options.threads > 0 ? options.threads
                                   : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {
  const Current keep(ImGui::GetCurrentContext());  // ImGui makes the first context of a program current
  context_ = ImGui::CreateContext();
  const Current current(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.DeltaTime = 1.0f / 60.0f;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // any number of vertices with 16-bit indices
  ImGuiStyle& style = ImGui::GetStyle();
  set_quality(style);
}

Offscreen::~Offscreen() { ImGui::DestroyContext(context_); }

base::Result<std::unique_ptr<Offscreen>> Offscreen::open(const Options& options) {
  std::unique_ptr<Offscreen> result(new Offscreen(options));
  const Current current(result->context_);
  if (options.grows) result->options_.fonts.glyphs = &result->glyphs_;
  if (const auto done = load_fonts(*ImGui::GetIO().Fonts, result->options_.fonts, result->fonts_); !done)
    return base::Error{done.error()};
  return result;
}

void Offscreen::frame(int width, int height, const Paint& paint) {
  paint_once(width, height, paint);
  if (!glyphs_.grown()) return;
  ImGui::GetIO().Fonts->Clear();
  // The files were found before.
  if (load_fonts(*ImGui::GetIO().Fonts, options_.fonts, fonts_)) paint_once(width, height, paint);
}

void Offscreen::paint_once(int width, int height, const Paint& paint) {
  ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  ImGui::NewFrame();
  const BareWindow window(ImGui::GetIO().DisplaySize);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  paint(list);
  list.PopClipRect();
}

void Offscreen::play(int width, int height, const Paint& paint) {
  const Current current(context_);
  frame(std::clamp(width, 1, 16384), std::clamp(height, 1, 16384), paint);
}

Image Offscreen::draw(int width, int height, ImU32 background, const Paint& paint) {
  const Current current(context_);
  Image image = filled(std::clamp(width, 1, 16384), std::clamp(height, 1, 16384), background | IM_COL32_A_MASK);
  frame(image.width, image.height, paint);
  rasterise(*ImGui::GetDrawData(), fonts_.texels, image, threads_);
  return image;
}

}  // namespace warpwalk::draw
