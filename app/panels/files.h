#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/text_field.h"

namespace warpwalk::panels {

/// A file that can be opened from the sheet.
struct FileChoice {
  std::filesystem::path file;
  std::string name;   ///< what is shown
  std::string group;  ///< "recent", "shipped walk", "lesson"
};

struct FilesState {
  TextField path;          ///< typed by the person
  std::size_t cursor = 0;  ///< the row that Enter opens while no path is typed
};

/// The sheet to open a file: a path that is typed, or one of the rows. Keys: text, Up, Down, Enter; clicks. Answers the
/// file that was chosen.
std::optional<std::filesystem::path> files(draw::Ui& ui, const std::vector<FileChoice>& choices, FilesState& state);

}  // namespace warpwalk::panels
