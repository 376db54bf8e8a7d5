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

/// Why CUDA C++ was not compiled.
struct CudaFailure {
  std::string line;  ///< one line: what to do instead if NVRTC is missing, else the compiler's first error
  std::string log;   ///< the compiler's messages; empty if it reported none, or was not run
};

/// Compiles CUDA C++ to PTX and machine code with NVRTC. NVRTC is loaded on each call: libnvrtc.so.13, .12, then any
/// version, first from the loader's search path, then from the toolkits' lib64. `name` is the file's name in messages
/// and in line tables, `compute_capability` is e.g. "9.0"; the code may use what only its GPUs have
/// (architecture.h). Line information is generated. Includes are searched in
/// `folder` and the toolkits' include folders.
std::variant<CompiledCuda, CudaFailure> compile_cuda_text(std::string source, const std::string& name,
                                                          const std::filesystem::path& folder,
                                                          std::string_view compute_capability);

/// The same for a file, whose folder is searched for includes.
std::variant<CompiledCuda, CudaFailure> compile_cuda(const std::filesystem::path& file,
                                                     std::string_view compute_capability);

}  // namespace warpwalk::platform
