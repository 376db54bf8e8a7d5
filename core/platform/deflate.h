#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpwalk::platform {

/// The bytes in zlib's format (RFC 1950), at its highest level of compression.
std::vector<std::uint8_t> deflated(std::span<const std::uint8_t> bytes);

/// Exactly `bytes` bytes from what deflated() returned; nullopt if the data is damaged or holds another number of
/// bytes.
std::optional<std::vector<std::uint8_t>> inflated(std::span<const std::uint8_t> data, std::size_t bytes);

}  // namespace warpwalk::platform
