#pragma once

#include <cstdint>

#include "core/gpu/exec/run/warp.h"

namespace warpwalk::gpu {

/// Bytes of local memory that a thread may have (PTX ISA 9.0 and CUDA: 512 KB).
constexpr std::uint32_t local_stack_limit = 512u << 10;

/// Makes room for `bytes` of local memory a thread.
void grow_stack(Warp& warp, std::uint32_t bytes);
/// Copies a piece of each lane's local memory to another place in it.
void copy_stack(Warp& warp, std::uint32_t from, std::uint32_t to, std::uint32_t bytes, std::uint32_t lanes_of);
/// One lane's local memory: `bytes` at `address`, whatever the alignment.
void read_stack(const Warp& warp, int lane, std::uint32_t address, std::uint32_t bytes, std::uint8_t* into);
void write_stack(Warp& warp, int lane, std::uint32_t address, std::uint32_t bytes, const std::uint8_t* from);

}  // namespace warpwalk::gpu
