#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::story {

/// Shared memory of a block: "19,840 B", or a whole number of KiB, the unit of its limits: "64 KiB".
std::string shared_bytes_text(std::int64_t bytes);

}  // namespace warpwalk::story
