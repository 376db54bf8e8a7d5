#pragma once

#include "core/gpu/device/parameter.h"

namespace warpwalk::gpu {

/// The parameters of the timing model (core/gpu/timing), besides the sizes in Device. Units: parameters.cpp;
/// meanings: assets/narration/en/parameters.txt. A description without some of them has no cycles.
struct TimingParameters {
  TimingParameters();
  TimingParameters(const TimingParameters&);
  TimingParameters(TimingParameters&&) noexcept;
  TimingParameters& operator=(const TimingParameters&);
  TimingParameters& operator=(TimingParameters&&) noexcept;
  ~TimingParameters();

  // Instruction and constant fetch
  IntParameter icache_l0_lines, icache_l1_lines, icache_prefetch;
  RealParameter latency_icache, interval_icache, interval_icache_l2, latency_branch, latency_convergence, latency_yield,
      latency_constant, latency_block_start;
  RealParameter latency_constant_load;

  // Start of blocks
  RealParameter latency_block_replacement, dispatch_interval;

  // Issue and execution in a sub-partition
  RealParameter interval_fma, interval_fma_heavy, interval_alu, interval_half, interval_fp64, interval_xu;
  RealParameter interval_uniform, interval_tensor, interval_tensor_k8, interval_tensor_fp64;
  RealParameter latency_xu, latency_fp64, latency_tensor, latency_uniform, latency_redux, latency_match,
      latency_sleep;
  IntParameter register_read_window;

  // Memory instructions: queues of a sub-partition, the load-store unit of the SM
  IntParameter mio_queue, lg_queue;
  RealParameter interval_mio, interval_mio_idle, interval_lsu, interval_match, interval_special_register,
      interval_constant_load, latency_operands_read, latency_mio;
  RealParameter interval_shared_pass, interval_copy_write, interval_barrier, interval_barrier_end;
  RealParameter interval_atomic_line, interval_atomic_sector;
  RealParameter interval_l1_line, interval_l1_store, interval_l1_data;
  IntParameter l1_tags, l1_ways;

  // From the SM to L2 and back
  IntParameter l1_misses, l1_miss_queue, store_merge_lines, stores_in_flight;
  ListParameter l2_sides;
  RealParameter latency_l1_miss, l1_fill_bandwidth, sm_write_bandwidth, gpc_bandwidth;
  IntParameter l2_slices, l2_ways;
  RealParameter interval_l2_read, interval_l2_write, interval_l2_partial_write, interval_l2_atomic;
  RealParameter interval_l2_same_address, interval_l2_same_address_float;
  RealParameter l2_bandwidth_far;
  RealParameter latency_atomic, latency_atomic_float;
  RealParameter latency_fence, latency_fence_gpu, interval_fence, interval_fence_gpu;
  IntParameter l2_partial_lines;

  // HBM
  IntParameter memory_channels;
  RealParameter memory_efficiency, memory_turnaround, memory_row_miss, memory_mixed_write, memory_refresh_interval, memory_refresh;
  IntParameter memory_row_lines, memory_write_batch;
};

}  // namespace warpwalk::gpu
