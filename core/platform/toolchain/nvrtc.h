#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

namespace warpwalk::platform {

struct CompiledCuda {
  std::string source;
  std::string ptx;
  std::string cubin;     ///< machine code for the compute capability; empty if NVRTC gives none
  std::string compiler;  ///< "NVRTC 13.0"
};

/// Compiles a CUDA C++ file to PTX and machine code with NVRTC. NVRTC is loaded on each call: libnvrtc.so.13, .12, then
/// any version, first from the loader's search path, then from the toolkits' lib64. `compute_capability` is e.g. "9.0".
/// Line information is generated. Includes are searched in the file's folder and the toolkits' include folders. The
/// error is one line: what to do instead if NVRTC is missing, else the compiler's first error with file and line.
std::variant<CompiledCuda, std::string> compile_cuda(const std::filesystem::path& file,
                                                     std::string_view compute_capability);

}  // namespace warpwalk::platform
