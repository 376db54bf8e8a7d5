#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::gpu {

/// The origin of a parameter's value.
enum class Status : std::uint8_t {
  spec,      ///< published by the vendor, or reported by its driver
  measured,  ///< measured on a real GPU
  fitted,    ///< chosen so that a rule of the model reproduces measurements
  assumed,   ///< neither; an estimate whose source gives the reason
};

/// The name in device files and on screen, e.g. "measured".
std::string_view name_of(Status status);

/// One value (number, list or word) of a device description, with its origin. Its unit and meaning are the same for
/// every device: parameters.h, assets/narration/en/parameters.txt.
template <class T>
struct Parameter {
  std::optional<T> value;  ///< nullopt: not given in this description
  Status status = Status::assumed;
  std::string source;  ///< text: the document, measurement or reasoning behind the value

  explicit operator bool() const { return value.has_value(); }
  /// The value; must exist. All required parameters (parameters.h) have one after load_device() succeeded.
  const T& operator*() const { return *value; }
};

using IntParameter = Parameter<std::int64_t>;
using RealParameter = Parameter<double>;
using TextParameter = Parameter<std::string>;
using ListParameter = Parameter<std::vector<std::int64_t>>;
using NestedListParameter = Parameter<std::vector<std::vector<std::int64_t>>>;

/// A GPU as the model sees it. Everything that the simulation takes from the hardware is a parameter here, so that a
/// screen can show all of it. Units: parameters.h.
struct Device {
  std::string id;    ///< short name, used with --gpu: "h200"
  std::string name;  ///< full name: "NVIDIA H200"
  std::string note;  ///< one sentence about the description as a whole; may be empty

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
