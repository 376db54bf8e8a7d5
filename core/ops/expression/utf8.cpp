#include "core/ops/expression/utf8.h"

namespace warpwalk::ops {

std::size_t character_bytes(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xc2 && first < 0xe0   ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  if (bytes == 0 || position + bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Not the shortest form, a surrogate, or beyond U+10FFFF.
  const std::uint32_t point = code_point(text.substr(position, bytes));
  if (bytes == 3 && (point < 0x800 || (point >= 0xd800 && point < 0xe000))) return 0;
  if (bytes == 4 && (point < 0x10000 || point > 0x10ffff)) return 0;
  return bytes;
}

std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  std::uint32_t point = byte(0) & (0xffu >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) point = point << 6 | (byte(i) & 0x3f);
  return point;
}

}  // namespace warpwalk::ops
