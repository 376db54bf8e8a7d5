#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace warpwalk::base {

/// The SHA-256 hash (FIPS 180-4) of the bytes, as 64 hexadecimal digits.
std::string sha256(std::span<const std::uint8_t> bytes);

}  // namespace warpwalk::base
