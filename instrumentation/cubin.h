#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::instrumentation {

/// A function in a cubin.
struct CubinFunction {
  std::string_view name;     ///< mangled
  std::uint32_t symbol = 0;  ///< index in the symbol table; nvdisasm -fun selects functions by it
  std::string_view code;     ///< contents of the function's section
};

/// The contents of a cubin; string views point into its bytes. A cubin is an ELF file for NVIDIA GPUs (CUDA Binary
/// Utilities, section "What is a CUDA Binary"); the code of a function NAME is in the section .text.NAME.
struct Cubin {
  std::vector<CubinFunction> functions;
  std::vector<std::string_view> variables;  ///< names of its __device__ and __constant__ variables
  bool has_source_lines = false;            ///< .debug_line is present
  bool has_ptx_lines = false;               ///< .nv_debug_line_sass is present
  std::string ptx;  ///< .nv_debug_ptx_txt, with its zero bytes replaced by newlines; empty if absent
};

/// Accepts any bytes. A file with damaged headers has no parts.
Cubin parse_cubin(std::string_view bytes);

}  // namespace warpwalk::instrumentation
