#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::recording {

/// A function of a cubin.
struct CubinFunction {
  std::string_view name;     ///< mangled
  std::uint32_t symbol = 0;  ///< its place in the symbol table, by which nvdisasm takes it (-fun)
  std::string_view code;     ///< its section
};

/// What a cubin holds; texts are views of it. A cubin is an ELF file for NVIDIA's machine (CUDA Binary Utilities,
/// section "What is a CUDA Binary"); a function NAME lies in a section .text.NAME.
struct Cubin {
  std::vector<CubinFunction> functions;
  bool has_source_lines = false;  ///< .debug_line
  bool has_ptx_lines = false;     ///< .nv_debug_line_sass
  std::string ptx;                ///< .nv_debug_ptx_txt, whose lines end with zeros; empty: not in it
};

/// Any bytes: of what is no cubin, or damaged, only what is whole.
Cubin parse_cubin(std::string_view bytes);

}  // namespace warpwalk::recording
