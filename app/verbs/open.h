#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwalk::verbs {

struct OpenOptions {
  std::filesystem::path file;  ///< empty: the default walk
  std::string scene;
  std::string at;
  std::string follow;
  std::string theme;             ///< empty: as in the settings
  std::string names;             ///< hardware, company or both; empty: as in the settings
  std::vector<std::string> set;  ///< SCENE.CONTROL=NUMBER each
  double scale = 0;              ///< 0: as in the settings, else by the screen
  bool reset_settings = false;
};

/// The window. Returns the exit status.
int open(const OpenOptions& options);

}  // namespace warpwalk::verbs
