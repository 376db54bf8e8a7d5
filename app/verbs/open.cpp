#include "app/verbs/open.h"

#include <system_error>

#include <fmt/format.h>

#include "app/draw/image.h"
#include "app/draw/offscreen.h"
#include "app/shell/frame.h"
#include "app/verbs/assets.h"
#include "app/verbs/files.h"
#include "app/window/window.h"

namespace warpwalk::verbs {
namespace {

// The stage as `render` would draw it, into the folder that the program was started in.
std::pair<std::string, std::string> save_picture(const story::Stage& stage, const draw::Theme& theme,
                                                 const shell::View& view) {
  constexpr int width = 1920, height = 1080;
  draw::Offscreen::Options options;
  options.fonts.scale = shell::scale_for(width, height);
  std::string error;
  const auto offscreen = draw::Offscreen::open(options, error);
  if (!offscreen) return {"", error};
  const float scale = offscreen->fonts().scale;
  const draw::Image picture = offscreen->draw(width, height, theme.ground, [&](ImDrawList& list) {
    draw::Canvas canvas(list, offscreen->fonts(), theme, static_cast<float>(width) / scale,
                        static_cast<float>(height) / scale);
    shell::paint_frame(canvas, stage, view.file.filename().string());
  });
  const std::string file = fmt::format("warpwalk-{}-{}.png", stage.scene, stage.beat);
  if (const auto failed = draw::write_png(picture, file)) return {"", *failed};
  return {file, ""};
}

}  // namespace

int open(const OpenOptions& options) {
  const auto assets = find_assets();
  if (!assets)
    return refuse("the assets (narration, walks) are not beside the program; set WARPWALK_ASSETS to their folder");
  auto [narration, narration_error] = story::Narration::load(*assets / "narration" / "en");
  if (narration_error) return refuse(*narration_error);
  if (!draw::theme_named(options.theme))
    return refuse(fmt::format("--theme {}: is no theme; there are dark, light and high-contrast", options.theme));
  if (options.scale != 0 && !(options.scale >= 0.5 && options.scale <= 8))
    return refuse(fmt::format("--scale {}: is out of range; give 0.5 to 8", options.scale));
  shell::View view;
  view.file = options.file.empty() ? *assets / "walks" / "relu_matmul.json.gz" : options.file;
  std::error_code not_there;
  if (!std::filesystem::exists(view.file, not_there))  // said at once, not in a window that has nothing to show
    return refuse(
        fmt::format("{}: there is no such file; give a trace, or a verb (see warpwalk --help)", view.file.string()));
  view.follow = options.follow;
  if (!options.scene.empty()) {
    if (story::find_scene(options.scene) == nullptr)
      return refuse(fmt::format("--scene {}: is no scene; see warpwalk render --list", options.scene));
    view.scene = options.scene;
  }
  if (!options.at.empty()) {
    const auto [moment, error] = story::parse_moment(options.at);
    if (error) return refuse("--at " + *error);
    view.moment = moment;
  }
  auto [hardware, hardware_error] = story::load_hardware(*assets / "devices");
  if (hardware_error) return refuse(*hardware_error);
  for (const std::string& setting : options.set) {
    const auto [set, error] = story::parse_setting(setting);
    if (error) return refuse("--set " + *error);
    view.controls.set(set.first, set.second);
  }
  const auto naming = story::naming_named(options.names);
  if (!naming)
    return refuse(fmt::format("--names {}: is no choice; there are hardware, company and both", options.names));
  view.naming = *naming;
  shell::Shell shell(std::move(narration), std::move(hardware), {window::copy_to_clipboard, save_picture});
  shell.set_theme(options.theme);
  shell.open(view);
  window::Options window;
  window.scale = options.scale;
  if (const auto error = window::run(window, shell)) return refuse(*error);
  return 0;
}

}  // namespace warpwalk::verbs
