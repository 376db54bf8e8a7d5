#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

namespace warpwalk::platform {

struct CompiledCuda {
  std::string source;
  std::string ptx;
  std::string compiler;  ///< "NVRTC 13.0"
};

/// Compiles a CUDA C++ file to PTX with NVRTC, which is looked for when this is called (libnvrtc.so.13, .12, then any,
/// where the loader looks, then in the toolkits' lib64). `compute_capability` as "9.0". Line information is on, and the
/// file's folder and the toolkits' include folders are searched. The error is one line: where NVRTC is missing what to
/// do instead, else the compiler's first error with file and line.
std::variant<CompiledCuda, std::string> compile_cuda(const std::filesystem::path& file,
                                                     std::string_view compute_capability);

}  // namespace warpwalk::platform
