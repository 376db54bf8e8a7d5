#pragma once

// This folder derives what follows from a launch's shape alone: occupancy, waves, placement of blocks. Cycles are in
// core/gpu/timing.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// The resources that can limit the blocks per SM, in the order in which ties are reported.
enum class Limiter : std::uint8_t { warps, registers, shared, blocks, barriers };
constexpr std::size_t limiter_count = 5;

/// The name used in reports, e.g. "registers".
std::string_view name_of(Limiter limiter);

/// The resources that one block of a kernel needs.
struct BlockNeeds {
  std::int64_t threads = 1;             ///< per block
  std::int64_t registers = 0;           ///< per thread
  std::int64_t static_shared = 0;       ///< bytes
  std::int64_t dynamic_shared = 0;      ///< bytes
  std::int64_t barriers = 1;            ///< named barriers; __syncthreads() is one
  bool shared_optin = false;            ///< the kernel opted in to more than shared_per_block (cudaFuncSetAttribute)
  std::optional<int> carveout_percent;  ///< preference in percent of shared_per_sm; nullopt: the driver chooses
};

struct Occupancy {
  /// Blocks per SM that one resource alone would allow: 0 if the kernel cannot run, nullopt if the resource does not
  /// limit it.
  using Limit = std::optional<std::int64_t>;

  std::int64_t blocks_per_sm = 0;
  std::int64_t warps_per_block = 0;
  std::int64_t warps_per_sm = 0;  ///< resident
  double percent = 0.0;           ///< theoretical occupancy: percent of the SM's warp slots, 0 to 100
  std::array<Limit, limiter_count> limits;
  std::vector<Limiter> limiters;         ///< resources whose limit equals blocks_per_sm; several on a tie
  std::int64_t registers_per_warp = 0;   ///< as allocated
  std::int64_t registers_per_block = 0;  ///< as allocated
  std::int64_t shared_per_block = 0;     ///< bytes as allocated, including the reserved ones
  std::int64_t carveout = 0;             ///< bytes of the unified L1 that serve as shared memory
  std::string failure;                   ///< why the kernel cannot run at all, as text; empty if it can

  const Limit& limit(Limiter limiter) const { return limits[static_cast<std::size_t>(limiter)]; }
};

/// Theoretical occupancy, as NVIDIA's cuda_occupancy.h (CUDA 13) computes it for compute capability 7.5 and later:
///
///     W       = ceil(threads / 32)
///     warps   : warps_per_sm / W
///     registers: r = roundUp(registers * 32, register_allocation) per warp;
///               (registers_per_sm / sub_partitions / r) * sub_partitions / W
///     shared  : carveout / roundUp(static + reserved + dynamic, shared_allocation)
///     blocks  : blocks_per_sm
///     barriers: barriers_per_sm / barriers            (compute capability 9 and later)
///
/// Each division rounds down, and the smallest result counts. A block fails if threads > threads_per_block, registers >
/// registers_per_thread, r * roundUp(W, sub_partitions) > registers_per_block (the hardware check takes warps from all
/// sub-partitions at once), or static + dynamic shared memory > shared_per_block (shared_per_block_optin with opt-in).
///
/// Carve-out: with a preference, it is the smallest in the list that holds that percentage of shared_per_sm, or one
/// block if that is more. It limits the blocks. Without a preference the driver is free to choose, so the number of
/// blocks follows from the largest carve-out. The reported carve-out is then the smallest that allows as many blocks
/// (assumed: it leaves the most L1).
///
/// Invalid input (no threads, negative sizes, a percentage outside 0 to 100) also sets `failure`. `device` must come
/// from load_device().
Occupancy occupancy_of(const Device& device, const BlockNeeds& needs);

}  // namespace warpwalk::gpu
