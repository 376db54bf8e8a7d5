#include "app/verbs/render.h"

#include <charconv>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/draw/image.h"
#include "app/draw/offscreen.h"
#include "app/shell/frame.h"
#include "app/verbs/assets.h"
#include "app/verbs/files.h"
#include "app/verbs/load.h"
#include "core/story/scene.h"

namespace warpwalk::verbs {
namespace {

struct Size {
  int width = 0;
  int height = 0;
};

std::optional<Size> parse_size(std::string_view text) {
  Size size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec != std::errc{} || width.ptr == end || *width.ptr != 'x') return {};
  const auto height = std::from_chars(width.ptr + 1, end, size.height);
  if (height.ec != std::errc{} || height.ptr != end) return {};
  if (size.width < 640 || size.height < 360 || size.width > 8192 || size.height > 8192) return {};
  return size;
}

// Everything that a picture needs besides its moment.
struct Studio {
  const trace::Trace& trace;
  const story::Walk& walk;
  const story::Narration& narration;
  draw::Theme theme;
  Size size;
  std::string source;
  std::unique_ptr<draw::Offscreen> offscreen;

  draw::Image picture(const story::Stage& stage) const {
    const float scale = offscreen->fonts().scale;
    return offscreen->draw(size.width, size.height, theme.ground, [&](ImDrawList& list) {
      draw::Canvas canvas(list, offscreen->fonts(), theme, static_cast<float>(size.width) / scale,
                          static_cast<float>(size.height) / scale);
      shell::paint_frame(canvas, stage, source);
    });
  }
};

struct Shot {
  const story::Scene* scene;
  story::Moment moment;
};

// Every beat of the scene asked for, or of all.
std::vector<Shot> all_beats(const trace::Trace& trace, const story::Walk& walk, const story::Scene* only) {
  std::vector<Shot> shots;
  for (const story::Scene& scene : story::scenes()) {
    if (only != nullptr && only != &scene) continue;
    const auto beats = static_cast<std::int64_t>(scene.beats(trace, walk).size());
    for (std::int64_t b = 1; b <= beats; ++b) shots.push_back({&scene, {story::Moment::Kind::beat, b, 1}});
  }
  return shots;
}

std::string scene_names() {
  std::string names;
  for (const story::Scene& scene : story::scenes()) names.append(names.empty() ? "" : ", ").append(scene.name);
  return names;
}

int list_scenes() {
  for (const story::Scene& scene : story::scenes()) fmt::print("{}\n", scene.name);
  return 0;
}

// What --text's characters do not hold is drawn from the whole ranges; a picture needs only what its stage says.
std::string all_text(const std::vector<story::Stage>& stages, std::string_view source) {
  std::string text(source);
  text += "×−…›µ→·";
  for (const story::Stage& stage : stages) text += story::everything_on(stage);
  return text;
}

}  // namespace

int render(const RenderOptions& options) {
  if (options.list) return list_scenes();
  if (options.file.empty()) return refuse("render: no trace file given; write: warpwalk render FILE -o out.png");
  if (options.out.empty() && !options.text)
    return refuse("render: nowhere to draw to; add -o out.png, or -o FOLDER for every beat");
  const auto size = parse_size(options.size);
  if (!size)
    return refuse(fmt::format("--size {}: is no size; write WIDTHxHEIGHT, from 640x360 to 8192x8192", options.size));
  const auto theme = draw::theme_named(options.theme);
  if (!theme)
    return refuse(fmt::format("--theme {}: is no theme; there are dark, light and high-contrast", options.theme));
  if (options.scale != 0 && !(options.scale >= 0.5 && options.scale <= 8))
    return refuse(fmt::format("--scale {}: is out of range; give 0.5 to 8", options.scale));
  const story::Scene* scene = nullptr;
  if (!options.scene.empty() && (scene = story::find_scene(options.scene)) == nullptr)
    return refuse(fmt::format("--scene {}: is no scene; there are {}", options.scene, scene_names()));
  std::optional<story::Moment> moment;
  if (!options.at.empty()) {
    auto [parsed, error] = story::parse_moment(options.at);
    if (error) return refuse("--at " + *error);
    moment = parsed;
  }

  const auto assets = find_assets();
  if (!assets)
    return refuse("the assets (narration, walks) are not beside the program; set WARPWALK_ASSETS to their folder");
  const auto [narration, narration_error] = story::Narration::load(*assets / "narration" / "en");
  if (narration_error) return refuse(*narration_error);

  const auto [hardware, hardware_error] = story::load_hardware(*assets / "devices");
  if (hardware_error) return refuse(*hardware_error);
  story::Controls controls;
  for (const std::string& setting : options.set) {
    const auto [set, error] = story::parse_setting(setting);
    if (error) return refuse("--set " + *error);
    controls.set(set.first, set.second);
  }
  const auto naming = story::naming_named(options.names);
  if (!naming)
    return refuse(fmt::format("--names {}: is no choice; there are hardware, company and both", options.names));

  const LoadedTrace loaded = load(options.file, 0);
  if (loaded.result.error) return refuse(*loaded.result.error);
  const trace::Trace& trace = loaded.result.trace;
  for (const trace::Problem& problem : loaded.result.problems.rows())
    if (trace::loses_data(problem.kind))
      fmt::print(stderr, "{}: {} ({}): {}\n", options.file.filename().string(), trace::name_of(problem.kind),
                 problem.count, problem.message);

  story::Walk walk;
  if (options.follow.empty()) {
    walk = story::default_walk(trace);
  } else {
    auto [followed, error] = story::follow(trace, options.follow);
    if (error) return refuse("--follow " + *error);
    walk = followed;
  }

  // One file is one moment; a folder is every beat.
  const std::string extension = options.out.extension().string();
  const bool one_picture = !options.text && extension == ".png";
  const bool folder = !options.text && !one_picture;
  std::error_code not_there;
  if (folder && !extension.empty() && !std::filesystem::is_directory(options.out, not_there))
    return refuse(fmt::format("-o {}: pictures are written as .png; give a .png file, or a folder for every beat",
                              options.out.string()));
  std::vector<Shot> shots;
  if (one_picture || moment) {
    const story::Scene& shown = scene != nullptr ? *scene : story::scenes().front();
    const auto last = static_cast<std::int64_t>(shown.beats(trace, walk).size());
    shots.push_back({&shown, moment.value_or(story::Moment{story::Moment::Kind::beat, last, 1})});
  } else {
    shots = all_beats(trace, walk, scene);
  }

  std::vector<story::Stage> stages;
  for (const Shot& shot : shots) {
    auto [stage, error] =
        story::stage_at(*shot.scene, {trace, walk, narration, hardware, shot.moment, controls, *naming});
    if (error) return refuse("--at " + *error);
    stages.push_back(std::move(stage));
  }
  if (options.text) {
    std::string text;
    for (const story::Stage& stage : stages) text.append(text.empty() ? "" : "\n").append(story::transcript(stage));
    if (const auto error = write_file(options.out.empty() ? "-" : options.out, text)) return refuse(*error);
    return 0;
  }

  Studio studio{trace, walk, narration, *theme, *size, options.file.filename().string(), nullptr};
  draw::Offscreen::Options offscreen;
  offscreen.fonts.scale =
      options.scale != 0 ? static_cast<float>(options.scale) : shell::scale_for(size->width, size->height);
  offscreen.fonts.only_text = all_text(stages, studio.source);
  std::string font_error;
  studio.offscreen = draw::Offscreen::open(offscreen, font_error);
  if (!studio.offscreen) return refuse(font_error);

  if (folder) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) return refuse(fmt::format("{}: the folder cannot be made: {}", options.out.string(), error.message()));
  }
  for (const story::Stage& stage : stages) {
    const std::filesystem::path file =
        folder ? options.out / fmt::format("{:02}-{}-{:02}.png", stage.scene_number, stage.scene, stage.beat)
               : options.out;
    if (const auto error = draw::write_png(studio.picture(stage), file)) return refuse(*error);
  }
  fmt::print("{} {} in {}\n", stages.size(), stages.size() == 1 ? "picture" : "pictures", options.out.string());
  return 0;
}

}  // namespace warpwalk::verbs
