#pragma once

#include <cstdint>
#include <optional>

#include "core/story/walk.h"

namespace warpwalk::story {

/// Bytes that PyTorch's allocator gave out on the GPU while the outermost op ran, on its thread; none where the trace
/// records no memory or the walk has no op.
std::optional<std::int64_t> bytes_allocated(const Trace& trace, const Walk& walk);

/// SMs of the GPU that the followed work ran on, as the trace records them.
std::optional<std::int64_t> sms_of(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
