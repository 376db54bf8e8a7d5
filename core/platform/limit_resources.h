#pragma once

#include <cstdint>

namespace warpwalk::platform {

/// Bounds this process's address space and CPU time, for work on a text that cannot be trusted to end. Above the
/// memory, allocations fail; after the time, the system ends the process. A smaller bound that is in force already
/// stays.
void limit_resources(std::uint64_t address_space_bytes, std::uint64_t cpu_seconds);

}  // namespace warpwalk::platform
