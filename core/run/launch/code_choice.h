#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"

namespace warpwalk::run {

/// The code of a launch that the simulated GPU runs.
enum class CodeChoice : std::uint8_t {
  automatic,  ///< machine code if the launch has some that can be executed, else PTX
  sass,       ///< machine code
  ptx,
};

/// The choice with the name "auto", "sass" or "ptx"; nullopt for any other word.
std::optional<CodeChoice> code_choice_of(std::string_view word);

/// The machine code of a launch.
struct CubinSource {
  std::string cubin;   ///< its bytes; empty: the launch has no machine code
  std::string file;    ///< for messages: the cubin, or what it was compiled from
  std::string origin;  ///< "from cubin", "by ptxas 13.0", "by NVRTC 13.0"
};

/// A kernel of a cubin.
struct CubinKernel {
  std::string entry;         ///< name in the cubin
  std::string architecture;  ///< "sm_90"
  int registers = 0;         ///< per thread
  /// Why the GPU cannot run it, one line; empty if it can. A GPU runs the machine code of its own compute capability
  /// and of smaller minor versions of the same major version (CUDA C++ programming guide, "binary compatibility").
  std::string mismatch;
};

/// Finds a kernel by its exact or plain name. On failure, returns a one-line error that names the file.
base::Result<CubinKernel> find_kernel(const CubinSource& source, std::string_view name, const gpu::Device& device);

using PreparedProgram = base::Result<std::shared_ptr<const gpu::Program>>;  // of gpu::prepare()

struct ChosenCode {
  std::shared_ptr<const gpu::Program> program;
  std::string code;                   ///< "sass sm_90 from cubin" or "ptx"
  std::optional<CubinKernel> kernel;  ///< the kernel's machine code, also if its PTX runs
  std::string fallback;               ///< why the PTX runs although there is machine code, one line; else empty
};

/// Prepares an entry of the launch's machine code.
using FromCubin = std::function<PreparedProgram(const std::string& entry)>;

/// Prepares the code to run. `from_ptx` prepares the kernel's PTX; it is called only if the PTX is to run, and is empty
/// if there is none. `from_cubin` prepares its machine code; empty: gpu::prepare_machine_code() does. On failure,
/// returns a one-line error.
base::Result<ChosenCode> choose_code(CodeChoice choice, const CubinSource& source, std::string_view kernel,
                                     const gpu::Device& device, const std::function<PreparedProgram()>& from_ptx,
                                     const FromCubin& from_cubin = {});

}  // namespace warpwalk::run
