#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::story {

/// "0x7f72a5000000".
std::string address_text(std::uint64_t address);
/// Bytes in full: "4,194,304 B".
std::string full_bytes(std::int64_t bytes);

}  // namespace warpwalk::story
