#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/story/elements/narration.h"

namespace warpwalk::pages {

/// A recorded walk of assets/walks: a file, or the folder of all ranks of a run. Its texts are [walk.NAME] of the narration.
struct RecordedWalk {
  std::filesystem::path file;
  std::string title;
  std::string shows;  ///< one sentence
};

/// A lesson of assets/lessons.
struct ShippedLesson {
  std::filesystem::path file;
  std::string title;
  std::size_t steps = 0;
};

/// The files that come with the program.
struct StartFiles {
  std::vector<RecordedWalk> walks;  ///< in the order of [walks]; walks that it does not name come last, by name
  std::vector<ShippedLesson> lessons;
};

/// Reads the folders of the assets. Files that cannot be read are left out.
StartFiles load_start_files(const std::filesystem::path& assets, const story::Narration& words);

/// The name of a walk's file without folder and endings: "relu_matmul".
std::string walk_name(const std::filesystem::path& file);

}  // namespace warpwalk::pages
