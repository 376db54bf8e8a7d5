#pragma once

#include <optional>

#include "core/platform/toolchain/compiled_cuda.h"

namespace warpwalk::platform {

/// Compiles CUDA C++ to PTX and machine code with NVRTC, with line information. NVRTC is loaded on each call:
/// libnvrtc.so.13, .12, then any version, first from the loader's search path, then from the toolkits' lib64 and lib.
/// Includes are also searched in the toolkits' include folders. Returns nullopt if NVRTC is not installed.
std::optional<CompileResult> compile_with_nvrtc(const CudaSource& cuda);

}  // namespace warpwalk::platform
