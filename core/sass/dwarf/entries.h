#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/sass/dwarf/debug_sections.h"

namespace warpwalk::sass {

/// Tags, attributes and operations that this folder reads.
namespace dwarf {
constexpr std::uint64_t tag_array = 0x01, tag_class = 0x02, tag_enumeration = 0x04, tag_parameter = 0x05,
                        tag_block = 0x0b, tag_member = 0x0d, tag_pointer = 0x0f, tag_reference = 0x10,
                        tag_structure = 0x13, tag_subroutine = 0x15, tag_typedef = 0x16, tag_union = 0x17,
                        tag_inheritance = 0x1c, tag_inlined = 0x1d, tag_subrange = 0x21, tag_base = 0x24,
                        tag_const = 0x26, tag_enumerator = 0x28, tag_function = 0x2e, tag_variable = 0x34,
                        tag_volatile = 0x35, tag_restrict = 0x37, tag_rvalue_reference = 0x42;
constexpr std::uint64_t at_location = 0x02, at_name = 0x03, at_byte_size = 0x0b, at_bit_offset = 0x0c,
                        at_bit_size = 0x0d, at_low_pc = 0x11, at_high_pc = 0x12, at_const_value = 0x1c,
                        at_upper_bound = 0x2f, at_abstract_origin = 0x31, at_address_class = 0x33, at_count = 0x37,
                        at_member_location = 0x38, at_decl_file = 0x3a, at_decl_line = 0x3b, at_declaration = 0x3c,
                        at_encoding = 0x3e, at_specification = 0x47, at_type = 0x49, at_ranges = 0x55,
                        at_call_file = 0x58, at_call_line = 0x59, at_linkage_name = 0x6e, at_data_bit_offset = 0x6b,
                        at_mips_linkage_name = 0x2007;
}  // namespace dwarf

struct DwarfAttribute {
  enum class Kind : std::uint8_t { number, address, reference, text, block, section_offset };
  std::uint64_t name = 0;
  Kind kind = Kind::number;
  std::uint64_t number = 0;     ///< reference: an offset in .debug_info
  std::string_view bytes = {};  ///< text or block
};

/// An entry of .debug_info.
struct DwarfEntry {
  std::uint64_t offset = 0, tag = 0;
  std::int32_t parent = -1;
  std::uint32_t first = 0, count = 0;  ///< its attributes
  std::uint64_t base = 0;              ///< low_pc of its unit
};

/// The entries of all units, in their order.
struct DwarfEntries {
  std::vector<DwarfEntry> entries;
  std::vector<DwarfAttribute> attributes;

  const DwarfAttribute* attribute(const DwarfEntry& entry, std::uint64_t name) const;
  std::uint64_t number(const DwarfEntry& entry, std::uint64_t name, std::uint64_t otherwise = 0) const;
  std::string_view text(const DwarfEntry& entry, std::uint64_t name) const;
  /// The entry at an offset; -1 if there is none.
  std::int32_t at(std::uint64_t offset) const;
};

/// The views point into the sections. Accepts any bytes; a unit is read until something in it is damaged.
DwarfEntries read_dwarf_entries(const DebugSections& sections);

}  // namespace warpwalk::sass
