#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/theme.h"
#include "core/base/result.h"
#include "core/story/elements/naming.h"

namespace warpwalk::shell {

constexpr std::size_t bookmark_count = 9;
constexpr std::size_t max_recent_files = 12;
constexpr std::size_t max_kept_lessons = 40;

/// Where a lesson was left.
struct KeptLesson {
  std::string file;      ///< the whole path
  std::size_t step = 0;  ///< from 0
  friend bool operator==(const KeptLesson&, const KeptLesson&) = default;
};

/// The settings that the program keeps between two starts.
struct Settings {
  std::string theme = "dark";
  story::Naming naming = story::Naming::both;  ///< of walks and lessons
  std::optional<story::Naming> own_naming;     ///< of own traces; none was chosen: see naming_of()
  bool first_route = true;                     ///< steps go through the first route only
  bool panels = false;                         ///< outline, facts and strip are around the stage of walks and lessons
  bool own_panels = true;                      ///< the same for own traces
  std::string language = "en";                 ///< a folder of assets/narration
  bool reduced_motion = false;
  bool questions = true;       ///< beats of walks and lessons ask before they show the answer
  bool own_questions = false;  ///< those of own traces do
  double speed = 1;
  double scale = 0;      ///< pixels per unit; 0: chosen by screen and window
  int window_width = 0;  ///< screen coordinates; 0: the default size
  int window_height = 0;
  std::vector<std::string> recent;                    ///< files that were opened, the latest first
  std::array<std::string, bookmark_count> bookmarks;  ///< the view of each as a link; empty: not set
  std::vector<KeptLesson> lessons;                    ///< that were left after their first step, the latest first

  /// Puts a file at the head of the recent ones.
  void add_recent(const std::filesystem::path& file);
  /// Keeps the step of a lesson, from 0; the first one is not kept.
  void keep_step(const std::filesystem::path& lesson, std::size_t step);
  /// The step that is kept of a lesson; 0: none.
  std::size_t kept_step(const std::filesystem::path& lesson) const;
  friend bool operator==(const Settings&, const Settings&) = default;
};

/// The names that a file opens with. `own`: it is an own trace. Without a choice for own traces, they have the names
/// that were chosen for walks, and the hardware's names if those are both.
story::Naming naming_of(const Settings& settings, bool own);

/// The theme of the settings; the dark one if theirs is not known.
const draw::Theme& theme_of(const Settings& settings);

/// $XDG_CONFIG_HOME/warpwalk/settings.json, or the same below ~/.config; empty if neither variable is set.
std::filesystem::path settings_file();

/// Reads settings. A missing file gives the defaults. From a damaged file, the valid settings are used, and a one-line
/// message reports the rest; load_settings() also copies such a file to FILE.unreadable, since the next save replaces
/// it. Never prevents the start.
std::pair<Settings, std::optional<std::string>> load_settings(const std::filesystem::path& file);
std::pair<Settings, std::optional<std::string>> parse_settings(std::string_view text, std::string_view file_name);

std::string text_of(const Settings& settings);
/// Writes a temporary file, then renames it. On failure: one line.
base::Result<void> save_settings(const Settings& settings, const std::filesystem::path& file);

}  // namespace warpwalk::shell
