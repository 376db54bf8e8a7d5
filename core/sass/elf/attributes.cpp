#include "core/sass/elf/attributes.h"

#include <algorithm>

#include "core/sass/elf/bytes.h"

namespace warpwalk::sass {
namespace {

// EIFMT_SVAL: the two bytes after the code are the size of a sequence. In the other formats they are the value.
constexpr std::uint64_t format_sequence = 4;
constexpr std::uint64_t head_bytes = 4, short_value_bytes = 2;

}  // namespace

std::optional<std::uint32_t> Attribute::number(std::size_t index) const {
  const auto found = Bytes(value).number(std::uint64_t{4} * index, 4);
  if (!found) return std::nullopt;
  return static_cast<std::uint32_t>(*found);
}

std::uint32_t Attribute::small() const {
  const auto count = static_cast<unsigned>(std::min<std::size_t>(value.size(), 4));
  return count == 0 ? 0 : static_cast<std::uint32_t>(*Bytes(value).number(0, count));
}

std::vector<Attribute> parse_attributes(std::string_view content) {
  std::vector<Attribute> attributes;
  const Bytes bytes(content);
  for (std::uint64_t at = 0; at + head_bytes <= bytes.size();) {
    const std::uint64_t format = *bytes.number(at, 1);
    const std::uint64_t size = *bytes.number(at + 2, 2);
    const auto value =
        format == format_sequence ? bytes.part(at + head_bytes, size) : bytes.part(at + 2, short_value_bytes);
    if (!value) break;
    attributes.push_back({static_cast<AttributeCode>(*bytes.number(at + 1, 1)), *value});
    at += head_bytes + (format == format_sequence ? size : 0);
  }
  return attributes;
}

}  // namespace warpwalk::sass
