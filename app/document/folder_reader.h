#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace warpwalk::document {

/// A folder, or a file that the program may be able to open (.json, .json.gz).
struct FolderEntry {
  std::string name;
  bool folder = false;
  std::uintmax_t bytes = 0;   ///< of a file
  std::int64_t modified = 0;  ///< of a file: seconds since the epoch
};

struct FolderListing {
  std::filesystem::path folder;      ///< absolute
  std::vector<FolderEntry> entries;  ///< folders first, each kind by name; hidden ones are left out
  std::string error;                 ///< why the folder cannot be read; empty: it can
};

/// Lists a folder. `cancel` ends it early with what was found so far.
FolderListing list_folder(const std::filesystem::path& folder, const std::atomic<bool>& cancel);

/// Lists folders in a thread, so that a large or slow one does not hold up the window. A new read cancels the old one.
class FolderReader {
 public:
  FolderReader() = default;
  FolderReader(const FolderReader&) = delete;
  FolderReader& operator=(const FolderReader&) = delete;
  ~FolderReader() { cancel(); }

  void read(const std::filesystem::path& folder);
  void cancel();
  bool busy() const { return thread_.joinable(); }
  /// The listing once it is complete, else null.
  std::shared_ptr<const FolderListing> poll();

 private:
  std::thread thread_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> ready_ = false;
  std::shared_ptr<FolderListing> listing_;
};

/// A typed path with a leading ~ replaced by the home folder.
std::filesystem::path expanded_path(const std::string& typed);

/// The typed path, completed as a shell does on Tab: as far as all folders and .json or .json.gz files that begin like
/// it agree. A folder that is the only match ends in a slash. Unchanged if nothing matches.
std::string completed_path(const std::string& typed);

}  // namespace warpwalk::document
