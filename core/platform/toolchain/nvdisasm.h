#pragma once

#include <atomic>
#include <set>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::platform {

/// nvdisasm's output for the entries of a cubin.
struct NvdisasmText {
  std::string with_source;  ///< `nvdisasm -gi -c`: machine code with source lines
  std::string with_ptx;     ///< `nvdisasm -gp -c`: machine code with PTX lines
};

/// Compiles these entries of a PTX module with ptxas for a compute capability ("9.0") and disassembles them with
/// nvdisasm. Both tools are looked up in PATH, then in the CUDA toolkits. On failure, returns one line. Setting
/// `cancel` makes the call return soon.
base::Result<NvdisasmText> disassemble_ptx(std::string_view ptx, const std::set<std::string>& entries,
                                           std::string_view compute_capability,
                                           const std::atomic<bool>* cancel = nullptr);

}  // namespace warpwalk::platform
