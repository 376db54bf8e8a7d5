#pragma once

#include <cstdint>

#include "core/ptx/instruction.h"

namespace warpwalk::gpu {

/// The new value of memory after an atomic operation or a reduction, given the old one. `c`: the new value of a
/// compare-and-swap, where b is the expected one. `flush`: f32 subnormals of the sources and of the result become
/// zeros.
std::uint64_t atomic_value(ptx::Action action, ptx::Type type, std::uint64_t old, std::uint64_t b, std::uint64_t c,
                           bool flush);

}  // namespace warpwalk::gpu
