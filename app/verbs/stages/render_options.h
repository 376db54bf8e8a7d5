#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/film/studio.h"
#include "app/verbs/stages/view_options.h"
#include "core/analysis/ranks/rank_source.h"
#include "core/base/result.h"
#include "core/records/hardware.h"
#include "core/story/elements/narration.h"
#include "core/story/stage/scene.h"

namespace warpwalk::verbs {

/// Without --scene: the first scene, or all of them for a folder or a film; without --at: the last beat.
struct RenderOptions : ViewOptions {
  std::filesystem::path file;
  std::vector<std::filesystem::path>
      ranks;                               ///< a folder or files of a run's ranks, in place of `file`; empty: one trace
  std::int64_t rank = analysis::any_rank;  ///< of these, the one whose trace is followed
  std::filesystem::path compare;           ///< a second trace, for lab/overview; empty: none
  /// A .png or .svg (.txt with `text`), a film (.mp4, .webm, .gif), a handout (.html), or a folder; empty with `text`:
  /// stdout.
  std::filesystem::path out;
  std::string size = "1920x1080";
  std::string language = "en";      ///< a folder of assets/narration
  bool questions = false;           ///< ask before the answers are shown
  std::vector<std::string> answer;  ///< each KEY=N or KEY=skip; implies `questions`
  std::string format;               ///< of the pictures in a folder: png or svg; empty: png
  double scale = 0;                 ///< pixels per unit; 0: chosen by the size
  int fps = 30;                     ///< frames per second of a film
  bool frames = false;              ///< write a film as numbered pictures into a folder
  bool progress = false;            ///< report a film's progress as lines on stderr
  bool present = false;             ///< the stage alone in large type, as it is projected
  bool lecturer = false;            ///< the page of the lecturer's window instead of the stage
  bool notes = false;               ///< the speaker's notes in a handout
  bool text = false;
  bool list = false;
};

/// The kind of output, by its name and the options.
struct RenderTarget {
  enum class Kind { text, png, svg, film } kind = Kind::png;
  bool folder = false;  ///< several files into a folder
  bool film() const { return kind == Kind::film; }
};

/// All failures below are one line for the person.

/// Also checks what does not depend on the file: that the options fit the output, and their ranges.
base::Result<RenderTarget> render_target(const RenderOptions& options);

/// How frames are drawn: size, theme, scale.
base::Result<film::Studio::Options> studio_options(const RenderOptions& options);

/// An error if the scene has nothing to show of this walk.
std::optional<std::string> lacks_scene(const story::Scene& scene, const trace::Trace& trace, const story::Walk& walk);

/// What all pictures need.
struct RenderAssets {
  std::filesystem::path folder;
  story::Narration words;
  records::Hardware hardware;
};
base::Result<RenderAssets> render_assets(const RenderOptions& options);

/// Writes the text of `text` to the output, or to stdout.
base::Result<void> write_text(const RenderOptions& options, const std::string& text);

/// Creates the folder of the output, or checks that its file can be written.
base::Result<void> prepare_output(const RenderOptions& options, const RenderTarget& target);

}  // namespace warpwalk::verbs
