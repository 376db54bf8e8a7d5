#pragma once

#include <cstdint>

namespace warpwalk::platform {

/// Bytes of memory that this machine can still give without swapping: MemAvailable, or what the limit of its control
/// group leaves where that is less. 2^63 if the system reports neither.
std::uint64_t available_memory();

}  // namespace warpwalk::platform
