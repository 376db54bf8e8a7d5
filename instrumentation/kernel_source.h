#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/shared_text.h"

namespace warpwalk::instrumentation {

struct SourceOptions {
  bool keep = true;                          ///< false: sources stay out of the walk
  std::vector<std::filesystem::path> files;  ///< given by hand; taken for a source file of the same name
  std::filesystem::path folder;              ///< start of relative paths; empty: the current folder
  std::size_t max_file_bytes = std::size_t{1} << 20;
  std::size_t max_walk_bytes = std::size_t{4} << 20;  ///< of all source files of a walk
};

/// A kernel's source file, or the reason why its text is missing.
struct KernelSource {
  std::string path;       ///< as the line table names it; empty: the kernel has no line table (it needs -lineinfo)
  base::SharedText text;  ///< of the file, shared by its kernels; empty if it is missing
  std::string missing;    ///< one line
};

/// The sources of a walk's kernels. A file with several kernels is read, kept and counted once.
class KernelSources {
 public:
  explicit KernelSources(SourceOptions options) : options_(std::move(options)) {}

  /// Finds the file that the kernel is written in, by the line table of its code, a cubin or PTX: the outermost call of
  /// its first instruction. A file is refused if its size is not the one that was compiled (nvcc and Triton record it),
  /// because its lines may be others, and if it finds no room (SourceOptions::max_walk_bytes) after those that were
  /// found before. Accepts any bytes.
  KernelSource find(std::string_view code, std::string_view entry);

 private:
  struct File {
    base::SharedText text;
    std::string missing;  ///< why it cannot be read, one line
    bool kept = false;    ///< it is in the walk
  };
  File& file_at(const std::filesystem::path& path);

  const SourceOptions options_;
  std::map<std::filesystem::path, File> files_;
  std::size_t kept_bytes_ = 0;  ///< of the files in the walk
};

}  // namespace warpwalk::instrumentation
