#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// Bytes that PyTorch's allocator handed out on the GPU while the outermost op ran, on its thread; nullopt for a trace
/// without memory events or a walk without an op.
std::optional<std::int64_t> bytes_allocated(const Trace& trace, const Walk& walk);

/// The buffers of the followed kernel, as rows of Records::allocations in the order of its arguments, each once. Empty
/// if a buffer's address or allocation time was recorded, because then the warehouse can show more.
std::vector<std::size_t> plain_buffers(const Trace& trace, const Walk& walk);

/// The total bytes of these buffers.
std::uint64_t bytes_of(const Trace& trace, const std::vector<std::size_t>& buffers);

/// The number of SMs of the GPU that the followed work ran on, from the trace.
std::optional<std::int64_t> sms_of(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::analysis
