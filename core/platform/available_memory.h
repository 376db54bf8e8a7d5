#pragma once

#include <cstdint>

namespace warpwalk::platform {

/// Bytes of memory available without swapping: the smaller of MemAvailable and what is left under the control group's
/// memory limit. 2^63 if the system reports neither.
std::uint64_t available_memory();

}  // namespace warpwalk::platform
