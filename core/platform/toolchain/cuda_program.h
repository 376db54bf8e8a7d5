#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/platform/toolchain/compiled_cuda.h"

namespace warpwalk::platform {

/// A whole CUDA program, host and device code, to compile with clang and the headers in assets/cuda.
struct CudaProgram {
  std::vector<std::filesystem::path> files;  ///< .cu; others (.cpp, .o, .a) are passed to clang as they are
  std::filesystem::path output;
  std::string compute_capability = "9.0";
  std::vector<std::string> options;  ///< for clang: -O2, -I, -D, -l ...; those for the linker only where it links
  bool link = true;                  ///< false: compiles one file to an object
  std::string compiler;              ///< a clang; empty: the newest in PATH
  KeptSource kept = KeptSource::lines;
};

/// The folder and name of the libcudart that programs are linked with: in $WARPWALK_CUDART, else beside the running
/// program or in ../lib/warpwalk; nullopt if it is not there.
std::optional<std::filesystem::path> find_cudart();

/// Compiles the device code of each .cu file to PTX, which becomes the data of the file's fat binary, compiles the host
/// code, and links with libcudart. Returns what clang printed. On failure, the error is one line, or clang's messages.
base::Result<std::string> compile_program(const CudaProgram& program);

/// Compiles the device code of a whole CUDA program to PTX alone, as compile_program() does, with messages as
/// compile_cuda_text() gives them.
CompileResult compile_device_code(const CudaSource& cuda);

}  // namespace warpwalk::platform
