#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::platform {

/// A file that is written aside, in the folder of the one that is asked for, and takes its name when it is whole:
/// nobody sees half of it, and what stood there before stays until then. Compressed with gzip if the name ends in
/// ".gz". Something that is there and is no plain file (a pipe, /dev/stdout) is written directly.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& file);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without finish(), nothing remains.
  ~OutputFile();

  /// Nothing is written any more after an error.
  void write(std::string_view text);
  bool failed() const;
  /// Ends the file and gives it its name. An error is one line: what, where, what to do.
  std::optional<std::string> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwalk::platform
