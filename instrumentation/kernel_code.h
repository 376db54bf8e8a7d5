#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"
#include "instrumentation/loaded_code.h"

namespace warpwalk::recording {

struct CodeOptions {
  std::optional<std::filesystem::path> nvdisasm;  ///< none: there is none on this machine
  std::size_t kernel_bytes = 1'000'000;           ///< of text, a kernel
  std::size_t all_bytes = 4'000'000;              ///< of text, a walk
  std::chrono::steady_clock::time_point until;    ///< after which nothing more is taken apart
  const std::atomic<bool>* cancel = nullptr;      ///< set by somebody else: nothing more is taken apart either
};

/// What became of the machine code of a walk's kernels.
struct CodeAccount {
  std::size_t kernels = 0;         ///< different ones that were launched
  std::size_t with_code = 0;       ///< of them
  std::vector<std::string> lacks;  ///< one line a reason, with the number of kernels that it holds for
};

/// Has nvdisasm print the code of the kernels that were launched, the longest-running first, and puts it into the
/// trace: a module a kernel, and a record a different launch of it. PTX and the lines of the source are added where a
/// cubin has them (compiled with -lineinfo).
CodeAccount add_code(trace::Trace& trace, const LoadedCode& code, const CodeOptions& options);

}  // namespace warpwalk::recording
