#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::platform {

/// The program of this name in PATH; none where it is not there.
std::optional<std::filesystem::path> find_program(std::string_view name);

/// A program of CUDA's toolkit ("ptxas"): in PATH, then in the toolkits' bin. None where there is none.
std::optional<std::filesystem::path> find_tool(std::string_view name);

/// A file with this text, for programs that read files; it goes away with its owner.
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
