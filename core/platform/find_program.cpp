#include "core/platform/find_program.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/platform/cuda_toolkit.h"

namespace warpwalk::platform {

namespace {

bool is_program(const std::filesystem::path& file) {
  std::error_code none;
  return std::filesystem::is_regular_file(file, none) && access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::filesystem::path> find_program(std::string_view name) {
  const char* const folders = std::getenv("PATH");
  for (std::string_view rest = folders == nullptr ? "" : folders; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (folder.empty()) continue;
    if (std::filesystem::path file = std::filesystem::path(folder) / name; is_program(file)) return file;
  }
  return {};
}

std::optional<std::filesystem::path> find_tool(std::string_view name) {
  if (auto file = find_program(name)) return file;
  for (const std::filesystem::path& root : toolkit_roots())
    if (std::filesystem::path file = root / "bin" / name; is_program(file)) return file;
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

}  // namespace warpwalk::platform
