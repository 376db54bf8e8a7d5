#pragma once

#include <cstdint>
#include <initializer_list>

namespace warpwalk::gpu {

/// Address map of the simulated GPU. Addresses of global, constant and parameter memory are generic addresses.
/// Addresses of shared and local memory are offsets from the start of their window, as in the hardware.
constexpr std::uint64_t shared_window = 0x7e00'0000'0000;
constexpr std::uint64_t local_window = 0x7e10'0000'0000;
constexpr std::uint64_t window_bytes = 1u << 24;
/// The shared window holds the memory of all blocks of a cluster: bits 24 to 31 of an offset are a block's rank in its
/// cluster, bits 0 to 23 an offset in that block's memory.
constexpr std::uint64_t shared_window_bytes = std::uint64_t{1} << 32;
constexpr int block_rank_shift = 24;
constexpr std::uint64_t constant_base = 0x7e20'0000'0000;
constexpr std::uint64_t parameter_base = 0x7e30'0000'0000;
constexpr std::uint64_t function_base = 0x7e40'0000'0000;   ///< functions, 16 bytes apart
constexpr std::uint64_t grid_workspace = 0x7e50'0000'0000;  ///< the barrier of a cooperative grid
constexpr std::uint64_t heap_base = 0x7e60'0000'0000;       ///< malloc() in kernels (memory/device_heap.h)
constexpr std::uint64_t global_base = 0x7f00'0000'0000;     ///< module variables
constexpr std::uint64_t buffers_base = 0x7f10'0000'0000;    ///< launch buffers without an address of their own
constexpr std::uint64_t buffers_end = 0x8000'0000'0000;     ///< global addresses have 47 bits

/// True if a range of addresses lies where buffers may be placed: recorded ones keep their addresses, which may be
/// anywhere except in the simulator's own windows. They are a few gigabytes of 128 terabytes.
constexpr bool holds_buffers(std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t own_window_bytes = std::uint64_t{1} << 33;  // no window is larger
  if (address >= buffers_end || bytes > buffers_end - address || address < shared_window_bytes) return false;
  for (const std::uint64_t window : {shared_window, local_window, constant_base, parameter_base, function_base,
                                     grid_workspace, heap_base, global_base})
    if (address < window + own_window_bytes && address + bytes > window) return false;
  return true;
}

/// Offset of the first shared-memory byte that a kernel can use. The bytes before it are reserved for the system
/// (1 KB on sm_90).
constexpr std::uint32_t shared_begin = 1024;
/// The part of the reserved bytes that CUDA's cooperative groups use (%reserved_smem_offset_1), and its size, as read
/// on an H200.
constexpr std::uint32_t reserved_shared_offset = 0;
constexpr std::uint32_t reserved_shared_bytes = 288;

}  // namespace warpwalk::gpu
