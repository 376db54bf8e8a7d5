#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::sass {

/// The parts of an ELF file that cubins and GPU core dumps use. The views point into the file's bytes. Numbers and
/// layouts: System V ABI, "Object Files"; the values above 0x70000000 and the relocation types are NVIDIA's.

constexpr std::uint64_t elf_header_bytes = 64, elf_section_header_bytes = 64, elf_symbol_bytes = 24;
constexpr std::uint32_t elf_symbol_table = 2, elf_relocations_with_addend = 4, elf_no_bits = 8, elf_relocations = 9;

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0, link = 0, info = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;      ///< where the content is in the GPU's memory; 0: nowhere, or not yet
  std::uint64_t size = 0;         ///< bytes; contents of type elf_no_bits are zero and not in the file
  std::uint64_t entry_bytes = 0;  ///< size of an element of a table; 0: no table
  std::string_view content;       ///< empty for elf_no_bits
};

enum class ElfSymbolKind : std::uint8_t {
  none = 0,
  object = 1,
  function = 2,
  section = 3,
  texture = 10,
  sampler = 11,
  surface = 12
};

struct ElfSymbol {
  std::string_view name;
  ElfSymbolKind kind = ElfSymbolKind::none;
  std::uint8_t other = 0;  ///< visibility, and NVIDIA's flags in the upper bits
  std::uint32_t section = 0;
  std::uint64_t value = 0;  ///< offset in the section, in bytes; an address if the section has one
  std::uint64_t size = 0;   ///< bytes
};

/// The offset of a symbol in its section, in bytes.
constexpr std::uint64_t offset_in_section(const ElfSection& section, const ElfSymbol& symbol) {
  return symbol.value - section.address;
}

/// A place that receives the address of a symbol. In a REL section, the addend is the value
/// already stored there.
struct ElfRelocation {
  std::uint32_t section = 0;  ///< the section that is changed
  std::uint64_t offset = 0;   ///< bytes from its start
  std::uint32_t type = 0;     ///< R_CUDA_..., for example 2: 64 bits
  std::uint32_t symbol = 0;   ///< index into ElfFile::symbols
  std::int64_t addend = 0;
  bool has_addend = false;
};

struct ElfFile {
  std::uint8_t os_abi = 0, abi_version = 0;
  std::uint16_t type = 0;  ///< 4: a core dump
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;  ///< of the first symbol table
  std::vector<ElfRelocation> relocations;

  /// The section with this name, or null.
  const ElfSection* section(std::string_view name) const;
};

/// Reads a 64-bit little-endian ELF file, of more than 65,279 sections, too. Accepts any bytes; every offset is
/// checked. The error is one line.
base::Result<ElfFile> parse_elf(std::string_view bytes);

}  // namespace warpwalk::sass
