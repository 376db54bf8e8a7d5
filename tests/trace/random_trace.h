#pragma once

#include <cstdint>

#include "core/trace/trace.h"

namespace warpwalk::trace::test {

/// A linked trace with some of everything that a file can express. Deterministic for a seed.
Trace random_trace(std::uint64_t seed);

}  // namespace warpwalk::trace::test
