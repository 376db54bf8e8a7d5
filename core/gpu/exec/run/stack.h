#pragma once

#include <cstdint>

#include "core/gpu/exec/machine/warp.h"

namespace warpwalk::gpu {

/// Grows the stack to at least `bytes` of local memory per thread.
void grow_stack(Warp& warp, std::uint32_t bytes);
/// Copies a range of local memory from `from` to `to`, for each lane in `lanes_of`.
void copy_stack(Warp& warp, std::uint32_t from, std::uint32_t to, std::uint32_t bytes, std::uint32_t lanes_of);
/// Reads or writes `bytes` of one lane's local memory at `address`, with any alignment.
void read_stack(const Warp& warp, int lane, std::uint32_t address, std::uint32_t bytes, std::uint8_t* into);
void write_stack(Warp& warp, int lane, std::uint32_t address, std::uint32_t bytes, const std::uint8_t* from);

}  // namespace warpwalk::gpu
