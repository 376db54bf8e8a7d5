#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/platform/toolchain/compiled_cuda.h"

namespace warpwalk::platform {

/// Compiles CUDA C++ to PTX, and to machine code if NVIDIA's compiler is installed, with line information: with NVRTC;
/// without it, with nvcc; without both, with clang and the headers in assets/cuda. The environment variable
/// WARPWALK_CUDA_COMPILER chooses one: "nvrtc", "nvcc", "clang", or the path of a clang. `name` is the file's name in
/// messages and line tables. Includes are searched in `folder`, then in the headers of the compiler.
CompileResult compile_cuda_text(std::string source, const std::string& name, const std::filesystem::path& folder,
                                std::string_view compute_capability, KeptSource kept = KeptSource::lines);

/// The same for a file, whose folder is searched for includes.
CompileResult compile_cuda(const std::filesystem::path& file, std::string_view compute_capability,
                           KeptSource kept = KeptSource::lines);

}  // namespace warpwalk::platform
