#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpwalk::ops {

/// Bytes of the UTF-8 character that begins here; 0 if none does.
std::size_t character_bytes(std::string_view text, std::size_t position);
/// Its code point.
std::uint32_t code_point(std::string_view character);

}  // namespace warpwalk::ops
