#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warpwalk::sass {

/// Codes of the attributes in .nv.info sections, named as `cuobjdump -elf` names them (EIATTR_...).
enum class AttributeCode : std::uint8_t {
  max_threads = 0x05,
  param_cbank = 0x0a,
  reqntid = 0x10,
  frame_size = 0x11,
  min_stack_size = 0x12,
  kparam_info = 0x17,
  cbank_param_size = 0x19,
  exit_instr_offsets = 0x1c,
  crs_stack_size = 0x1e,
  max_stack_size = 0x23,
  regcount = 0x2f,
  cta_per_cluster = 0x3d,
  explicit_cluster = 0x3e,
  max_cluster_rank = 0x3f,
  kparam_info_v2 = 0x45,
  num_barriers = 0x4c
};

/// One attribute. Its value is a byte, two bytes or a sequence of bytes; numbers are little-endian.
struct Attribute {
  AttributeCode code{};
  std::string_view value;

  /// The 32-bit number with this index in the value; nullopt if the value is shorter.
  std::optional<std::uint32_t> number(std::size_t index) const;
  /// The value as one number: 1, 2 or 4 bytes; 0 if it is empty.
  std::uint32_t small() const;
};

/// Reads the content of a .nv.info section up to the first damaged attribute.
std::vector<Attribute> parse_attributes(std::string_view content);

}  // namespace warpwalk::sass
