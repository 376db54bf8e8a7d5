#pragma once

#include <cstdint>

namespace warpwalk::platform {

/// Bytes of memory available without swapping: the smallest of MemAvailable and what is left under the control group's
/// memory limit and the process's limit on address space. 2^63 if the system reports neither.
std::uint64_t available_memory();

}  // namespace warpwalk::platform
