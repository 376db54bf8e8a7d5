#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::instrumentation {

struct SourceOptions {
  bool keep = true;                          ///< false: sources stay out of the walk
  std::vector<std::filesystem::path> files;  ///< given by hand; taken for a source file of the same name
  std::filesystem::path folder;              ///< start of relative paths; empty: the current folder
  std::size_t max_file_bytes = 1'000'000;
  std::size_t max_walk_bytes = 4'000'000;  ///< of all sources of a walk
};

/// A kernel's source file, or the reason why its text is missing.
struct KernelSource {
  std::string path;     ///< as the line table names it; empty: the kernel has no line table (it needs -lineinfo)
  std::string text;     ///< empty if it is missing
  std::string missing;  ///< one line
};

/// Reads the file that the kernel is written in, by the line table of its cubin: the outermost call of its first
/// instruction. A file is refused if its size is not the one that was compiled (nvcc and Triton record it), because its
/// lines may be others. Accepts any bytes.
KernelSource read_kernel_source(std::string_view cubin, std::string_view entry, const SourceOptions& options);

}  // namespace warpwalk::instrumentation
