#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::base {

/// Base64 of RFC 4648, with padding.
std::string to_base64(std::span<const std::uint8_t> bytes);
/// None where the text is no base64: a foreign character, a wrong length, or bits after the end.
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace warpwalk::base
