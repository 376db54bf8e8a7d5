#pragma once

// This folder computes the cycles of a launch, one hardware unit per file. Results and counters come from
// core/gpu/exec.

#include "core/base/result.h"
#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// The values of a device that the timing model reads, in cycles unless a comment says otherwise. Their meaning:
/// assets/narration/en/parameters.txt.
struct Timing {
  // The chip
  int sms = 0, sub_partitions = 0, warps_per_sm = 0;
  double bytes_per_cycle_memory = 0;  ///< HBM, from memory_bandwidth and sm_clock
  double l1_bytes = 0, l2_bytes = 0, l2_partitions = 0;
  double block_interval = 0, warp_interval = 0, launch_overhead = 0;
  double barrier_base = 0, barrier_per_warp = 0;
  double conflict_way = 0;
  double latency_shared = 0, latency_l1 = 0, latency_l2 = 0, latency_l2_far = 0, latency_memory = 0;

  // core/gpu/device/timing_parameters.h
  double icache_l0_lines = 0;
  double icache_l1_lines = 0;
  double icache_prefetch = 0;
  double latency_icache = 0;
  double interval_icache = 0;
  double interval_icache_l2 = 0;
  double latency_branch = 0;
  double latency_convergence = 0;
  double latency_yield = 0;
  double latency_constant = 0;
  double latency_block_start = 0;
  double latency_constant_load = 0;
  double latency_block_replacement = 0;
  double dispatch_interval = 0;
  double interval_fma = 0;
  double interval_fma_heavy = 0;
  double interval_alu = 0;
  double interval_half = 0;
  double interval_fp64 = 0;
  double interval_xu = 0;
  double interval_uniform = 0;
  double interval_tensor = 0;
  double interval_tensor_k8 = 0;
  double interval_tensor_fp64 = 0;
  double latency_xu = 0;
  double latency_fp64 = 0;
  double latency_tensor = 0;
  double latency_uniform = 0;
  double latency_redux = 0;
  double latency_match = 0;
  double latency_sleep = 0;
  double register_read_window = 0;
  double mio_queue = 0;
  double lg_queue = 0;
  double interval_mio = 0;
  double interval_mio_idle = 0;
  double interval_lsu = 0;
  double interval_match = 0;
  double interval_special_register = 0;
  double interval_constant_load = 0;
  double latency_operands_read = 0;
  double latency_mio = 0;
  double interval_shared_pass = 0;
  double interval_copy_write = 0;
  double interval_barrier = 0;
  double interval_barrier_end = 0;
  double interval_atomic_line = 0;
  double interval_atomic_sector = 0;
  double interval_l1_line = 0;
  double interval_l1_store = 0;
  double interval_l1_data = 0;
  double l1_tags = 0;
  double l1_ways = 0;
  double l1_misses = 0;
  double l1_miss_queue = 0;
  double store_merge_lines = 0;
  double stores_in_flight = 0;
  double latency_l1_miss = 0;
  double l1_fill_bandwidth = 0;
  double sm_write_bandwidth = 0;
  double gpc_bandwidth = 0;
  double l2_slices = 0;
  double l2_ways = 0;
  double l2_partial_lines = 0;
  double interval_l2_read = 0;
  double interval_l2_write = 0;
  double interval_l2_partial_write = 0;
  double interval_l2_atomic = 0;
  double interval_l2_same_address = 0;
  double interval_l2_same_address_float = 0;
  double l2_bandwidth_far = 0;
  double latency_atomic = 0;
  double latency_atomic_float = 0;
  double latency_fence = 0;
  double latency_fence_gpu = 0;
  double interval_fence = 0;
  double interval_fence_gpu = 0;
  double memory_channels = 0;
  double memory_efficiency = 0;
  double memory_turnaround = 0;
  double memory_row_miss = 0;
  double memory_mixed_write = 0;
  double memory_row_lines = 0;
  double memory_refresh_interval = 0;
  double memory_refresh = 0;
  double memory_write_batch = 0;
};

/// On failure, returns a one-line message that names the first missing parameter.
base::Result<Timing> timing_of(const Device& device);

}  // namespace warpwalk::gpu
