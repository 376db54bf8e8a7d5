#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct RenderOptions {
  std::filesystem::path file;
  std::filesystem::path compare;  ///< a second trace, for lab/overview; empty: none
  /// A .png or .svg (.txt with `text`), a film (.mp4, .webm, .gif), a handout (.html), or a folder; empty with `text`:
  /// stdout.
  std::filesystem::path out;
  std::string scene;   ///< empty: the first one, or all of them for a folder or a film
  std::string at;      ///< empty: the last beat
  std::string follow;  ///< empty: the op with the most GPU time
  std::string size = "1920x1080";
  std::string theme;                ///< empty: dark, and light for a handout
  std::string names = "both";       ///< hardware, company or both
  std::string route = "all";        ///< of every beat: first or all
  std::string language = "en";      ///< a folder of assets/narration
  std::vector<std::string> set;     ///< each SCENE.CONTROL=VALUE
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

/// Registers `warpwalk render`.
Verb add_render(CLI::App& app);

/// Renders one moment, every beat into a folder, or a film; with `text` the sentences and facts instead of pictures.
/// Returns the exit status.
int render(const RenderOptions& options);

}  // namespace warpwalk::verbs
