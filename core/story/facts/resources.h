#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/story/stage/walk.h"

namespace warpwalk::story {

/// Bytes that PyTorch's allocator gave out on the GPU while the outermost op ran, on its thread; none where the trace
/// records no memory or the walk has no op.
std::optional<std::int64_t> bytes_allocated(const Trace& trace, const Walk& walk);

/// The buffers that the followed kernel is given, as rows of Records::allocations in the order of its arguments, each
/// once. Empty where a buffer's address or the time of its allocation is on record: then there is more to tell of them.
std::vector<std::size_t> plain_buffers(const Trace& trace, const Walk& walk);

/// Bytes of such buffers together.
std::uint64_t bytes_of(const Trace& trace, const std::vector<std::size_t>& buffers);

/// SMs of the GPU that the followed work ran on, as the trace records them.
std::optional<std::int64_t> sms_of(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
