#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// What can keep further blocks off an SM, in the order in which ties are told.
enum class Limiter : std::uint8_t { warps, registers, shared, blocks, barriers };
constexpr std::size_t limiter_count = 5;

/// The name in reports, for example "registers".
std::string_view name_of(Limiter limiter);

/// What one block of a kernel asks of an SM.
struct BlockNeeds {
  std::int64_t threads = 1;             ///< per block
  std::int64_t registers = 0;           ///< per thread
  std::int64_t static_shared = 0;       ///< bytes
  std::int64_t dynamic_shared = 0;      ///< bytes
  std::int64_t barriers = 1;            ///< named barriers; __syncthreads() is one
  bool shared_optin = false;            ///< the kernel asked for more than shared_per_block (cudaFuncSetAttribute)
  std::optional<int> carveout_percent;  ///< preferred carve-out, percent of shared_per_sm; none: the driver chooses
};

struct Occupancy {
  /// Blocks per SM that one resource alone would allow: 0 where it rules the kernel out, none where it does not limit.
  using Limit = std::optional<std::int64_t>;

  std::int64_t blocks_per_sm = 0;
  std::int64_t warps_per_block = 0;
  std::int64_t warps_per_sm = 0;  ///< resident
  double percent = 0.0;           ///< of the SM's warp slots, 0 to 100: theoretical occupancy
  std::array<Limit, limiter_count> limits;
  std::vector<Limiter> limiters;         ///< whose limit equals blocks_per_sm; several where they tie
  std::int64_t registers_per_warp = 0;   ///< as allocated
  std::int64_t registers_per_block = 0;  ///< as allocated
  std::int64_t shared_per_block = 0;     ///< bytes as allocated, the reserved ones included
  std::int64_t carveout = 0;             ///< bytes of the unified L1 that are shared memory
  std::string failure;                   ///< why the kernel cannot run at all, in words; empty where it can

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
/// each division rounded down, and the smallest counts. A block fails where threads > threads_per_block, registers >
/// registers_per_thread, r * roundUp(W, sub_partitions) > registers_per_block (the hardware's own check takes warps
/// from all sub-partitions at once), or static + dynamic shared memory > shared_per_block, shared_per_block_optin with
/// opt-in.
///
/// Carve-out: with a preference, the smallest of the list that holds that percentage of shared_per_sm, or one block
/// where that is more; that bounds the blocks. Without one the driver is free, so the blocks follow from the largest,
/// and the carve-out told is the smallest that allows as many (assumed: it leaves the most L1).
///
/// Nonsense (no thread, negative sizes, a percentage outside 0 to 100) is a failure in words too. `device` is one that
/// load_device() accepted.
Occupancy occupancy_of(const Device& device, const BlockNeeds& needs);

}  // namespace warpwalk::gpu
