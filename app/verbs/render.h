#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwalk::verbs {

struct RenderOptions {
  std::filesystem::path file;
  std::filesystem::path out;  ///< a .png (.txt with text), or a folder; empty with text: stdout
  std::string scene;          ///< empty: the first one, or all of them into a folder
  std::string at;             ///< empty: the last beat
  std::string follow;         ///< empty: the op with the most GPU time
  std::string size = "1920x1080";
  std::string theme = "dark";
  std::string names = "both";    ///< hardware, company or both
  std::vector<std::string> set;  ///< SCENE.CONTROL=NUMBER each
  double scale = 0;              ///< pixels a unit; 0: by the size
  bool text = false;
  bool list = false;
};

/// Pictures (or, with `text`, sentences and facts) of one moment, or of every beat into a folder. Returns the exit
/// status.
int render(const RenderOptions& options);

}  // namespace warpwalk::verbs
