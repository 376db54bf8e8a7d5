#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/folder_reader.h"
#include "app/draw/text/text_field.h"

namespace warpwalk::pages {

/// A file that can be opened from the sheet.
struct FileChoice {
  std::filesystem::path file;
  std::string title;   ///< what is shown first: a walk's or a lesson's title, or the file's name
  std::string detail;  ///< beside it: the file's name or its folder
  std::uintmax_t bytes = 0;
  std::int64_t modified = 0;  ///< seconds since the epoch; 0: not known
};

/// The places that the sheet lists files from.
enum class FilesPlace : unsigned char { recent, walks, lessons, here, home };
inline constexpr std::size_t files_places = 5;

/// The files of the places that are not folders.
struct FileLists {
  std::vector<FileChoice> recent, walks, lessons;
};

struct FilesState {
  draw::TextField path;  ///< typed by the user
  FilesPlace place = FilesPlace::walks;
  std::size_t cursor = 0;  ///< the row that Enter opens while no path is typed
  std::size_t first = 0;   ///< the first row shown
  /// The folder that is shown in the places `here` and `home`; null while it is being read.
  std::shared_ptr<const document::FolderListing> folder;
  std::string entered_from;  ///< the name of the folder that the user came up from; the cursor goes there
  bool to_compare = false;   ///< a second trace is chosen: only the heading differs
  std::string error;         ///< shown below the path, e.g. if the file does not exist
  bool chooser = false;      ///< in a browser: the place `here` opens its dialog for a file of this computer
};

/// The user's choice: a file to open, or a folder to show.
struct FilesAnswer {
  std::optional<std::filesystem::path> open;
  std::optional<std::filesystem::path> browse;
  bool choose = false;  ///< opens the browser's dialog
};

/// The sheet to open a file: a path that is typed, known files, or folders to walk through. Keys: text; Tab completes
/// the path or, if none is typed, goes to the next place; Up, Down, Page Up, Page Down; Left and Backspace go to the
/// parent folder, Right and Enter into a folder; Enter opens. Rows and places can be clicked.
FilesAnswer files(draw::Ui& ui, const FileLists& lists, FilesState& state);

}  // namespace warpwalk::pages
