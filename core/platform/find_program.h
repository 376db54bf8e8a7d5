#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::platform {

/// Finds a program by name in PATH; nullopt if it is not there.
std::optional<std::filesystem::path> find_program(std::string_view name);

/// Finds a CUDA toolkit program (e.g. "ptxas") in PATH, then in the toolkits' bin folders; nullopt if it is not found.
std::optional<std::filesystem::path> find_tool(std::string_view name);

/// A temporary file with the given text, for programs that read files. The destructor deletes it.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool written() const { return written_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  bool written_ = false;
};

}  // namespace warpwalk::platform
