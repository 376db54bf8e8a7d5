#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::platform {

/// A file that is written under a temporary name in the target's folder and renamed when complete. Readers never see a
/// partial file, and an existing file stays until the rename. Compressed with gzip if the name ends in ".gz". A target
/// that exists and is not a regular file (a pipe, /dev/stdout) is written directly; a pipe that no program reads
/// within two seconds is an error.
class OutputFile {
 public:
  enum class Packing : unsigned char { by_name, gzip };

  explicit OutputFile(const std::filesystem::path& file, Packing packing = Packing::by_name);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Deletes the temporary file unless finish() succeeded.
  ~OutputFile();

  /// Does nothing after an error.
  void write(std::string_view text);
  bool failed() const;
  /// Completes the file and renames it to its final name.
  base::Result<void> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes a file as OutputFile does, but neither pipes nor devices, whose readers could block a window.
base::Result<void> write_regular_file(const std::filesystem::path& file, std::string_view text);

}  // namespace warpwalk::platform
