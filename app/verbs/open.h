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
  std::string theme = "dark";
  std::string names = "both";    ///< hardware, company or both
  std::vector<std::string> set;  ///< SCENE.CONTROL=NUMBER each
  double scale = 0;
};

/// The window. Returns the exit status.
int open(const OpenOptions& options);

}  // namespace warpwalk::verbs
