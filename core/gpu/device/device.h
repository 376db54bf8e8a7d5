#pragma once

// This folder has the description of a GPU as parameters. Their values are in assets/devices.

#include <string>

#include "core/gpu/device/parameter.h"
#include "core/gpu/device/timing_parameters.h"

namespace warpwalk::gpu {

/// A GPU as the model sees it. Everything that the simulation takes from the hardware is a parameter here, so that a
/// screen can show all of it. Units: parameters.h.
struct Device : TimingParameters {
  // Out of line, as in TimingParameters: inline, the copies of 150 parameters would be compiled for every file.
  Device();
  Device(const Device&);
  Device(Device&&) noexcept;
  Device& operator=(const Device&);
  Device& operator=(Device&&) noexcept;
  ~Device();

  std::string id;    ///< short name, used with --gpu: "h200"
  std::string name;  ///< full name: "NVIDIA H200"
  std::string note;  ///< one sentence about the description as a whole; may be empty
  /// Whether its cycles were compared with launches measured on such a GPU: ID_validation.csv lies beside its file.
  bool compared = false;

  // The chip
  TextParameter compute_capability;
  IntParameter sm_count, tpc_sms;
  NestedListParameter gpcs, small_groups;

  // One SM: resources used by blocks and warps (occupancy.h)
  IntParameter threads_per_warp, sub_partitions, warps_per_sm, blocks_per_sm, threads_per_block, barriers_per_sm;
  IntParameter registers_per_sm, registers_per_block, registers_per_thread, register_allocation;
  IntParameter shared_per_sm, shared_per_block, shared_per_block_optin, shared_reserved_per_block, shared_allocation;
  ListParameter carveouts;

  // Block scheduling (block_order.h, block_scheduler.h)
  IntParameter run_ahead_first, run_ahead_again;
  RealParameter deal_base, deal_pass, deal_small, deal_gpc;
  IntParameter block_interval, block_replacement;
  RealParameter warp_interval;

  // Clocks
  RealParameter sm_clock, memory_clock;

  // Issue and arithmetic of one SM
  IntParameter issue_per_scheduler, fp32_lanes, int32_lanes, fp64_lanes, sfu_lanes;
  IntParameter latency_alu;
  RealParameter latency_ex2, latency_rsqrt;
  IntParameter barrier_base, barrier_per_warp;

  // Memory
  IntParameter line_bytes, sector_bytes, l1_bytes, l2_bytes, l2_partitions, memory_bytes;
  IntParameter latency_shared, conflict_way, latency_l1, latency_l2, latency_l2_far, latency_memory;
  RealParameter l1_bandwidth, shared_bandwidth, memory_bandwidth, memory_bandwidth_reached;

  // Host and launch
  RealParameter launch_time, graph_launch_time;
  IntParameter launch_overhead;
  RealParameter pcie_bandwidth;
  RealParameter host_op, host_dispatch_step, host_kernel_setup, host_backward_node;
  RealParameter host_allocation, host_segment_allocation, host_segment_free, host_launch_call, host_synchronize;
};

/// A hash of 16 hexadecimal digits (XXH3 over names, units and values in the order of parameters.h). It changes with
/// any value of the description, but not with wording: id, name, note, sources and statuses are not hashed. Kernel
/// records store it.
std::string hash_of(const Device& device);

}  // namespace warpwalk::gpu
