#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/platform/child_program.h"
#include "core/platform/temporary_folder.h"
#include "core/platform/toolchain/compiled_cuda.h"

namespace warpwalk::platform {

/// A temporary folder with a source, for compilers that read a file. In what they print and write, the path of the
/// temporary file is replaced by the source's name.
class SourceInFolder {
 public:
  explicit SourceInFolder(const CudaSource& cuda);

  bool written() const { return written_; }
  std::string source() const { return file_.string(); }
  std::string output() const { return (folder_.path() / "out").string(); }
  /// The contents of output(), or `printed`, without the temporary path.
  std::string read_output() const;
  std::string with_name(std::string printed) const;

 private:
  TemporaryFolder folder_;
  std::filesystem::path file_;
  std::string name_;
  bool written_ = false;
};

/// Why a compiler failed that printed nothing, in words.
std::string silent_failure(std::string_view compiler, const ChildRun& run);

}  // namespace warpwalk::platform
