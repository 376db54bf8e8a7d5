#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwalk::run {

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

/// Runs a program to its end: what it prints on stdout and stderr, and its exit status (1 where a signal ended it).
/// None where it could not be started.
std::optional<std::pair<std::string, int>> printed_by(std::vector<std::string> words);

}  // namespace warpwalk::run
