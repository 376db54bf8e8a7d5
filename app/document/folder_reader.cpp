#include "app/document/folder_reader.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>

#include <sys/stat.h>

namespace warpwalk::document {
namespace {

bool can_be_opened(const std::string& name) {
  if (name.ends_with(".notes.json")) return false;  // notes on a trace, beside it
  for (const char* const end : {".json", ".json.gz", ".pickle", ".pickle.gz", ".sqlite"})
    if (name.ends_with(end)) return true;
  return false;
}

// By name without case, so that upper and lower case are listed together.
bool by_name(const FolderEntry& a, const FolderEntry& b) {
  if (a.folder != b.folder) return a.folder;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto less = [&](char x, char y) { return lower(x) < lower(y); };
  if (std::lexicographical_compare(a.name.begin(), a.name.end(), b.name.begin(), b.name.end(), less)) return true;
  if (std::lexicographical_compare(b.name.begin(), b.name.end(), a.name.begin(), a.name.end(), less)) return false;
  return a.name < b.name;
}

}  // namespace

FolderListing list_folder(const std::filesystem::path& folder, const std::atomic<bool>& cancel) {
  FolderListing listing;
  std::error_code error;
  listing.folder = std::filesystem::absolute(folder, error).lexically_normal();
  std::filesystem::directory_iterator at(listing.folder, error);
  if (error) {
    listing.error = error.message();
    return listing;
  }
  for (; at != std::filesystem::directory_iterator() && !cancel; at.increment(error)) {
    FolderEntry entry;
    entry.name = at->path().filename().string();
    if (entry.name.starts_with('.')) continue;
    std::error_code ignored;
    entry.folder = at->is_directory(ignored);
    if (!entry.folder) {
      if (!can_be_opened(entry.name)) continue;
      struct stat file {};
      if (stat(at->path().c_str(), &file) != 0) continue;
      entry.bytes = static_cast<std::uintmax_t>(file.st_size);
      entry.modified = file.st_mtime;
    }
    listing.entries.push_back(std::move(entry));
  }
  if (error) listing.error = error.message();
  std::sort(listing.entries.begin(), listing.entries.end(), by_name);
  return listing;
}

void FolderReader::read(const std::filesystem::path& folder) {
  cancel();
  cancelled_ = false;
  ready_ = false;
  listing_ = std::make_shared<FolderListing>();
  thread_ = std::thread([this, listing = listing_, folder] {
    *listing = list_folder(folder, cancelled_);
    ready_ = true;
  });
}

void FolderReader::cancel() {
  if (!thread_.joinable()) return;
  cancelled_ = true;
  thread_.join();
  listing_.reset();
}

std::shared_ptr<const FolderListing> FolderReader::poll() {
  if (!thread_.joinable() || !ready_) return nullptr;
  thread_.join();
  return std::move(listing_);
}

std::filesystem::path expanded_path(const std::string& typed) {
  const char* const home = std::getenv("HOME");
  if (home != nullptr && (typed == "~" || typed.starts_with("~/"))) return home + typed.substr(1);
  return typed;
}

std::string completed_path(const std::string& typed) {
  if (typed == "~") return "~/";
  const std::size_t slash = typed.rfind('/');
  const std::string begin = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string start = typed.substr(begin.size());
  std::error_code error;
  std::string common;
  std::size_t matches = 0;
  bool folder = false;
  for (std::filesystem::directory_iterator at(begin.empty() ? "." : expanded_path(begin), error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(start) || (start.empty() && name.starts_with('.'))) continue;
    std::error_code ignored;
    const bool is_folder = at->is_directory(ignored);
    if (!is_folder && !can_be_opened(name)) continue;
    if (matches++ == 0) {
      common = name;
      folder = is_folder;
      continue;
    }
    const auto differ = std::mismatch(common.begin(), common.end(), name.begin(), name.end());
    common.erase(differ.first, common.end());
  }
  if (matches == 0) return typed;
  while (!common.empty() && common.size() > start.size() && (static_cast<unsigned char>(common.back()) & 0xC0) == 0xC0)
    common.pop_back();  // the first bytes of a character that the names do not share
  return begin + common + (matches == 1 && folder ? "/" : "");
}

}  // namespace warpwalk::document
