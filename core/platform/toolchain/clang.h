#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/platform/toolchain/compiled_cuda.h"

namespace warpwalk::platform {

/// A clang that can compile for NVIDIA GPUs.
struct Clang {
  std::filesystem::path program;
  std::string version;  ///< "14.0.6"
  int major = 0;
};

/// The newest clang in PATH among clang, clang-22 ... clang-14 whose back ends include NVPTX; nullopt if there is none.
/// With `program`, only that one is considered.
std::optional<Clang> find_clang(std::string_view program = {});

/// The architecture and the version of PTX to compile for.
struct ClangTarget {
  std::string architecture;  ///< "sm_86"
  std::string ptx_feature;   ///< "ptx75", PTX 7.5
};

/// The highest architecture that a GPU of this compute capability runs and that this version of clang knows, with the
/// newest version of PTX that it writes.
ClangTarget clang_target(int clang_major, std::string_view compute_capability);

/// Options for device code that let a function get an argument without a value, as NVIDIA's compilers do: the lanes
/// that do not set `v` in `if (lane == 0) v = atomicAdd(p, 1); v = __shfl_sync(mask, v, 0);` pass one. Without these
/// options, clang takes the condition to be true in every lane.
std::vector<std::string> undefined_argument_options(int clang_major);

/// How device code is optimised, and what it keeps of the source.
std::vector<std::string> device_debug_options(KeptSource kept);

/// The folder with the CUDA headers of our own: $WARPWALK_ASSETS/cuda, else beside the running program; nullopt if it
/// is not there.
std::optional<std::filesystem::path> find_cuda_headers();

/// Adds a remedy to messages of clang about a name or file of CUDA that our headers lack.
std::string explain_missing_names(std::string_view log);

/// Compiles CUDA C++ to PTX with clang and the headers of our own, with line information. Returns nullopt if there is
/// no clang.
std::optional<CompileResult> compile_with_clang(const CudaSource& cuda, std::string_view program = {});

}  // namespace warpwalk::platform
