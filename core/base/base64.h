#pragma once

// This folder has what the standard library lacks: exact JSON, base64, SHA-256. Nothing here knows GPUs or traces.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::base {

/// Base64 as in RFC 4648, with padding.
std::string to_base64(std::span<const std::uint8_t> bytes);
/// Returns nullopt if the text is not valid base64: an invalid character, a wrong length, or nonzero trailing bits.
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace warpwalk::base
