#pragma once

// This folder reads DWARF debug information as compilers leave it for GPUs: in cubins, and in the .section directives
// of PTX. Numbers are those of the DWARF standard, versions 2 to 5; extensions are NVIDIA's.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::sass {

/// Where ptxas keeps a register of the PTX in a range of a function's code (.nv_debug_info_reg_sass).
struct RegisterHome {
  std::string name;                   ///< in PTX: "%rd4"
  std::uint64_t low = 0, high = 0;    ///< addresses, as DebugSections has them
  std::uint32_t part = 0;             ///< of a register with 64 bits: which half
  std::uint32_t physical_class = 0;   ///< 2: predicates, 5: R, 9: uniform predicates, 11: UR (CUDA Debugger API)
  std::uint32_t physical_number = 0;  ///< 5 for R5
};

/// The sections, with the addresses filled in. In PTX, the address of an instruction is its line in the text. All other
/// addresses name a symbol: address_of() of it.
struct DebugSections {
  std::string info, abbreviations, locations, ranges, texts;
  std::vector<std::string> symbols;
  std::map<std::string, std::uint64_t, std::less<>> symbol_numbers;  ///< in `symbols`
  std::vector<RegisterHome> registers;

  bool empty() const { return info.empty(); }
  std::uint64_t add_symbol(std::string_view name);
  /// The address of a byte of a function or a variable; nullopt if no address names it.
  std::optional<std::uint64_t> address_of(std::string_view symbol, std::uint64_t offset) const;
  /// The symbol of an address, and the offset in it; nullopt: a line of PTX, or a plain number.
  struct Place {
    std::string_view symbol;
    std::uint64_t offset = 0;
  };
  std::optional<Place> place_of(std::uint64_t address) const;
};

/// Both accept any bytes; what is damaged is left out.
DebugSections debug_sections_of_ptx(std::string_view text);
DebugSections debug_sections_of_cubin(std::string_view bytes);

}  // namespace warpwalk::sass
