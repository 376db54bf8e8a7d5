#pragma once

#include <cstdint>

#include "core/trace/trace.h"

namespace warpwalk::trace::test {

/// A linked trace with a bit of everything that a file can say; the same for the same seed.
Trace random_trace(std::uint64_t seed);

}  // namespace warpwalk::trace::test
