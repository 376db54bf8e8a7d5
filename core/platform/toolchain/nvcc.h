#pragma once

#include <optional>

#include "core/platform/toolchain/compiled_cuda.h"

namespace warpwalk::platform {

/// Compiles CUDA C++ to PTX with nvcc, and the PTX to machine code with ptxas, with line information. nvcc is looked up
/// in PATH, then in the toolkits' bin folders. Returns nullopt if nvcc is not there.
std::optional<CompileResult> compile_with_nvcc(const CudaSource& cuda);

}  // namespace warpwalk::platform
