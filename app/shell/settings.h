#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/stage/naming.h"

namespace warpwalk::shell {

constexpr std::size_t bookmark_count = 9;
constexpr std::size_t most_recent_files = 12;

/// What the program keeps from one start to the next.
struct Settings {
  std::string theme = "dark";
  story::Naming naming = story::Naming::both;
  bool reduced_motion = false;
  double speed = 1;
  double scale = 0;      ///< pixels a unit; 0: by screen and window
  int window_width = 0;  ///< screen coordinates; 0: as the program chooses
  int window_height = 0;
  std::vector<std::string> recent;                    ///< files that were opened, the last one first
  std::array<std::string, bookmark_count> bookmarks;  ///< the command line of each; empty: not set
  friend bool operator==(const Settings&, const Settings&) = default;
};

/// $XDG_CONFIG_HOME/warpwalk/settings.json, or that under ~/.config; empty where there is neither variable nor home.
std::filesystem::path settings_file();

/// Reads settings. A file that is not there gives the defaults; one that cannot be used gives what is right in it, and
/// one line about the rest. Never stops the start.
std::pair<Settings, std::optional<std::string>> load_settings(const std::filesystem::path& file);
std::pair<Settings, std::optional<std::string>> parse_settings(std::string_view text, std::string_view file_name);

std::string text_of(const Settings& settings);
/// Writes them aside, then renames. On failure: one line.
std::optional<std::string> save_settings(const Settings& settings, const std::filesystem::path& file);

}  // namespace warpwalk::shell
