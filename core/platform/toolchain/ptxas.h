#pragma once

// This folder calls CUDA's tools: NVRTC, ptxas, nvdisasm. core/sass reads what they write.

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/platform/child_program.h"

namespace warpwalk::platform {

struct CompiledPtx {
  std::string cubin;     ///< bytes
  std::string compiler;  ///< "ptxas 13.0"
};

/// Compiles PTX to machine code with NVIDIA's ptxas for a compute capability, e.g. "9.0", and the architecture that its
/// .target asks for (architecture.h), with line information. ptxas
/// is looked up in PATH, then in the toolkits' bin folders. It runs only on request, so that results do not depend on
/// what is installed. On failure, returns one line, which calls the PTX `name`; "cancelled" or a line that names the
/// time limit if `limits` ended it.
base::Result<CompiledPtx> compile_ptx(std::string_view ptx, std::string_view name, std::string_view compute_capability,
                                      const ChildLimits& limits = {});

/// "13.0" in the output of "ptxas --version"; empty if it is not there.
std::string parse_ptxas_release(std::string_view printed);

}  // namespace warpwalk::platform
