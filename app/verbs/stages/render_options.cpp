#include "app/verbs/stages/render_options.h"

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/film/film.h"
#include "app/lessons/lesson.h"
#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/language.h"
#include "app/verbs/common/terminal.h"
#include "core/platform/find_program.h"

namespace warpwalk::verbs {
namespace {

base::Result<RenderTarget> target_of(const RenderOptions& options) {
  using Kind = RenderTarget::Kind;
  if (!options.format.empty() && options.format != "png" && options.format != "svg")
    return base::Error{fmt::format("--format {}: not a format; use png or svg", options.format)};
  if (options.text) return RenderTarget{Kind::text, false};
  if (options.out == "-")
    return base::Error{"-o -: pictures cannot be written to stdout; give a file, for example -o out.png, or a folder"};
  const std::string extension = options.out.extension().string();
  std::error_code not_there;
  const bool folder = extension.empty() || std::filesystem::is_directory(options.out, not_there);
  if (options.frames) {
    if (folder) return RenderTarget{Kind::film, true};
    return base::Error{fmt::format("-o {}: --frames writes numbered pictures; give a folder", options.out.string())};
  }
  if (film::is_film(options.out) && !folder) return RenderTarget{Kind::film, false};
  const bool one = extension == ".png" || extension == ".svg";
  if (one && !options.format.empty() && extension != "." + options.format)
    return base::Error{
        fmt::format("-o {}: does not match --format {}; leave out one of them", options.out.string(), options.format)};
  if (one) return RenderTarget{extension == ".svg" ? Kind::svg : Kind::png, false};
  if (folder) return RenderTarget{options.format == "svg" ? Kind::svg : Kind::png, true};
  return base::Error{
      fmt::format("-o {}: pictures are written as .png or .svg, films as .mp4, .webm or .gif; or give a folder "
                  "for every beat",
                  options.out.string())};
}

// The width and the height of "1920x1080".
std::optional<std::pair<int, int>> size_of(std::string_view text) {
  std::pair<int, int> size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.first);
  if (width.ec != std::errc{} || width.ptr == end || *width.ptr != 'x') return {};
  const auto height = std::from_chars(width.ptr + 1, end, size.second);
  if (height.ec != std::errc{} || height.ptr != end) return {};
  if (size.first < 640 || size.second < 360 || size.first > 8192 || size.second > 8192) return {};
  return size;
}

}  // namespace

base::Result<RenderTarget> render_target(const RenderOptions& options) {
  if (options.notes) return base::Error{"--notes: belongs to a handout; write -o handout.html"};
  const auto target = target_of(options);
  if (!target) return target;
  const bool film = target->film();
  if (options.lecturer && (film || options.text || options.present))
    return base::Error{fmt::format("--lecturer: is a picture of its own; leave out {}", film           ? "the film"
                                                                                        : options.text ? "--text"
                                                                                                       : "--present")};
  if (film && !options.at.empty())
    return base::Error{fmt::format("--at {}: a film shows every beat; leave out --at", options.at)};
  if (film && (options.fps < 1 || options.fps > 120))
    return base::Error{fmt::format("--fps {}: out of range; use 1 to 120", options.fps)};
  if (film && !target->folder && !platform::find_program("ffmpeg")) return base::Error{std::string(film::no_ffmpeg)};
  return target;
}

base::Result<film::Studio::Options> studio_options(const RenderOptions& options) {
  const auto size = size_of(options.size);
  if (!size)
    return base::Error{
        fmt::format("--size {}: not a size; write WIDTHxHEIGHT, from 640x360 to 8192x8192", options.size)};
  auto theme = chosen_theme(options, "dark");
  if (!theme) return base::Error{theme.error()};
  if (options.scale != 0 && !(options.scale >= 0.5 && options.scale <= 8))
    return base::Error{fmt::format("--scale {}: out of range; use 0.5 to 8", options.scale)};
  film::Studio::Options studio;
  studio.theme = *std::move(theme);
  studio.width = size->first;
  studio.height = size->second;
  studio.presented = options.present;
  studio.scale = options.scale;
  studio.source = options.file.filename().string();
  return studio;
}

std::optional<std::string> lacks_scene(const story::Scene& scene, const trace::Trace& trace, const story::Walk& walk) {
  if (!scene.beats(trace, walk).empty()) return {};
  return fmt::format(
      "--scene {}: only walks of a tiled matrix product have it; use another scene (see warpwalk render --list)",
      scene.name);
}

base::Result<RenderAssets> render_assets(const RenderOptions& options) {
  const auto folder = find_assets();
  if (!folder) return base::Error{"the assets (narration, walks) were not found; set WARPWALK_ASSETS to their folder"};
  auto words = load_words(*folder, options.language);
  if (!words) return base::Error{words.error()};
  auto [hardware, error] = records::load_hardware(*folder / "devices");
  if (error) return base::Error{*std::move(error)};
  return RenderAssets{*folder, *std::move(words), std::move(hardware)};
}

base::Result<void> write_text(const RenderOptions& options, const std::string& text) {
  if (!options.out.empty()) return write_file(options.out, text);
  print_report(text);
  return {};
}

base::Result<void> prepare_output(const RenderOptions& options, const RenderTarget& target) {
  if (!target.folder) return options.out.empty() ? base::Result<void>() : check_writable(options.out);
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error)
    return base::Error{fmt::format("{}: the folder cannot be created: {}", options.out.string(), error.message())};
  return {};
}

}  // namespace warpwalk::verbs
