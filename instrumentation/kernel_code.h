#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"
#include "instrumentation/kernel_source.h"
#include "instrumentation/loaded_code.h"

namespace warpwalk::instrumentation {

struct CodeOptions {
  std::optional<std::filesystem::path> nvdisasm;        ///< nullopt if it is not installed
  std::size_t max_kernel_bytes = std::size_t{1} << 20;  ///< maximum bytes of text per kernel
  std::size_t max_walk_bytes = std::size_t{4} << 20;    ///< maximum bytes of text per walk, and likewise of cubins
  SourceOptions sources;
  std::chrono::steady_clock::time_point deadline;  ///< deadline for disassembly
  const std::atomic<bool>* cancel = nullptr;       ///< disassembly stops once this is set
};

/// Which kernels of a walk have machine code, and why others do not.
struct CodeSummary {
  std::size_t kernels = 0;                   ///< distinct kernels that were launched
  std::size_t with_code = 0;                 ///< how many of them have code
  std::vector<std::string> missing;          ///< one line per reason, with the number of kernels it applies to
  std::size_t with_source = 0;               ///< how many of them have their source, too
  std::vector<std::string> missing_sources;  ///< one line per source file whose text is missing
};

/// Disassembles the launched kernels with nvdisasm, longest-running first, and adds the code to the trace: one module
/// per kernel, with a cubin of this kernel alone, and one record per distinct launch configuration. Adds PTX and source
/// lines if the cubin has them (compiled with -lineinfo).
CodeSummary add_code(trace::Trace& trace, const LoadedCode& code, const CodeOptions& options);

/// Strips the folders from the source file names in nvdisasm's output (trace::SassPlace), because walks are often
/// opened on a machine other than the one that recorded them.
std::string strip_folders(std::string_view sass);

}  // namespace warpwalk::instrumentation
