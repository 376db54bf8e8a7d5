#include "core/run/tool.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/run/toolkit.h"

namespace warpwalk::run {

std::optional<std::filesystem::path> find_tool(std::string_view name) {
  std::vector<std::filesystem::path> folders;
  if (const char* const path = std::getenv("PATH"))
    for (std::string_view rest = path; !rest.empty();) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
      if (!folder.empty()) folders.emplace_back(folder);
    }
  for (const std::filesystem::path& root : toolkit_roots()) folders.push_back(root / "bin");
  for (const std::filesystem::path& folder : folders)
    if (std::error_code none;
        std::filesystem::is_regular_file(folder / name, none) && access((folder / name).c_str(), X_OK) == 0)
      return folder / name;
  return {};
}

TemporaryFile::TemporaryFile(std::string_view text) {
  std::error_code ignored;
  name_ = (std::filesystem::temp_directory_path(ignored) / "warpwalk-XXXXXX").string();
  const int file = mkostemp(name_.data(), O_CLOEXEC);
  written_ = file >= 0;
  while (written_ && !text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    written_ = n > 0;
    if (written_) text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (file >= 0) close(file);
  if (file < 0) name_.clear();
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlink(name_.c_str());
}

}  // namespace warpwalk::run
