#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

namespace warpwalk::platform {

struct CompiledCuda {
  std::string source;
  std::string ptx;
  std::string cubin;     ///< machine code for the compute capability; empty if the compiler gives none
  std::string compiler;  ///< "NVRTC 13.0", "nvcc 13.0", "clang 14.0.6"
  /// What the user should know about the compiler, one line; empty for NVIDIA's compilers.
  std::string note;
};

/// Why CUDA C++ was not compiled.
struct CudaFailure {
  std::string line;  ///< one line: what to do instead if there is no compiler, else the compiler's first error
  std::string log;   ///< the compiler's messages; empty if it reported none, or was not run
};

using CompileResult = std::variant<CompiledCuda, CudaFailure>;

/// What the code keeps of the source for a debugger.
enum class KeptSource : std::uint8_t {
  lines,
  variables,    ///< and what a compiler says of variables in the same code: clang
  unoptimized,  ///< all variables, in code that is not optimised (nvcc -G, clang -O0)
};

/// CUDA C++ to compile.
struct CudaSource {
  std::string text;
  std::string name;                     ///< the file's name in messages and in line tables
  std::filesystem::path folder;         ///< searched for includes
  std::string_view compute_capability;  ///< "9.0"; the code may use what only its GPUs have (architecture.h)
  KeptSource kept = KeptSource::lines;
};

/// The first line of a log that contains "error", else its first line.
std::string first_error_line(std::string_view log);

}  // namespace warpwalk::platform
