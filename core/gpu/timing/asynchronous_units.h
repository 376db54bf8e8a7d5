#pragma once

#include <algorithm>

/// The units that work on their own for a warp: the tensor cores for a warp group (wgmma) and the tensor memory
/// accelerator. In cycles, measured on an H200 (docs/timing.md); other GPUs of compute capability 9.0 are assumed to be
/// the same.
namespace warpwalk::gpu::asynchronous {

/// Cycles for which a product with this many columns occupies a tensor core; they do not depend on its type. From
/// shared memory, the 64 rows of A take 16 of them.
constexpr double product_interval(int columns, bool a_in_registers) {
  return a_in_registers ? std::max(columns / 2, 13) : std::max(columns / 2, 16 + columns / 4);
}
/// From the end of that time until the result is there.
constexpr double product_latency = 33;
/// So many products may wait for the tensor core; until then their warp goes on.
constexpr double waiting_products = 6;

/// The accelerator asks for one line of 128 bytes, or for the part of it that a row of the box needs, in this time, and
/// takes its data in at this rate.
constexpr double copy_line_interval = 1.2;
constexpr double copy_bytes_per_cycle = 107;
/// From the instruction to the first request, and from the last data until the mbarrier has counted them.
constexpr double copy_start = 10;
constexpr double copy_end = 10;
/// A store reads shared memory after this time, at this rate.
constexpr double store_start = 45;
constexpr double store_bytes_per_cycle = 32;

/// Barriers in shared memory (mbarrier), from tests/cuda/microbench, handover: the load-store unit takes an arrival of
/// a warp in this time, whatever the number of its lanes, and a look at the phase.
constexpr double arrival_interval = 2.04;
constexpr double phase_check_interval = 4.03;
/// From the load-store unit until an arrival has been counted, and until the result of a look is there. 42.6 cycles per
/// look of one warp, 6 of them the branch after it; a hand-over between two warps takes 61.5.
constexpr double arrival_latency = 5;
constexpr double phase_check_latency = 36.4;

/// SYNCS.TRYWAIT gives up after this time: with it, the launches mbarrier_ring_60 and mbarrier_pipeline_16 execute as
/// many instructions as an H200 counted (within 0.3 %). With 2,000 cycles, the second one executes 12 % more.
constexpr double phase_timeout = 20000;

}  // namespace warpwalk::gpu::asynchronous
