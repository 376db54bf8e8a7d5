#include "core/gpu/timing/timing.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace warpwalk::gpu {

namespace {

struct Row {
  std::string_view name;
  double Timing::*to;
  std::variant<IntParameter Device::*, RealParameter Device::*> from;
};

const auto& rows() {
  static const auto table = std::to_array<Row>({
      {"l1_bytes", &Timing::l1_bytes, &Device::l1_bytes},
      {"l2_bytes", &Timing::l2_bytes, &Device::l2_bytes},
      {"l2_partitions", &Timing::l2_partitions, &Device::l2_partitions},
      {"block_interval", &Timing::block_interval, &Device::block_interval},
      {"warp_interval", &Timing::warp_interval, &Device::warp_interval},
      {"launch_overhead", &Timing::launch_overhead, &Device::launch_overhead},
      {"barrier_base", &Timing::barrier_base, &Device::barrier_base},
      {"barrier_per_warp", &Timing::barrier_per_warp, &Device::barrier_per_warp},
      {"conflict_way", &Timing::conflict_way, &Device::conflict_way},
      {"latency_shared", &Timing::latency_shared, &Device::latency_shared},
      {"latency_l1", &Timing::latency_l1, &Device::latency_l1},
      {"latency_l2", &Timing::latency_l2, &Device::latency_l2},
      {"latency_l2_far", &Timing::latency_l2_far, &Device::latency_l2_far},
      {"latency_memory", &Timing::latency_memory, &Device::latency_memory},
      {"icache_l0_lines", &Timing::icache_l0_lines, &Device::icache_l0_lines},
      {"icache_l1_lines", &Timing::icache_l1_lines, &Device::icache_l1_lines},
      {"icache_prefetch", &Timing::icache_prefetch, &Device::icache_prefetch},
      {"latency_icache", &Timing::latency_icache, &Device::latency_icache},
      {"interval_icache", &Timing::interval_icache, &Device::interval_icache},
      {"interval_icache_l2", &Timing::interval_icache_l2, &Device::interval_icache_l2},
      {"latency_branch", &Timing::latency_branch, &Device::latency_branch},
      {"latency_convergence", &Timing::latency_convergence, &Device::latency_convergence},
      {"latency_yield", &Timing::latency_yield, &Device::latency_yield},
      {"latency_constant", &Timing::latency_constant, &Device::latency_constant},
      {"latency_block_start", &Timing::latency_block_start, &Device::latency_block_start},
      {"latency_constant_load", &Timing::latency_constant_load, &Device::latency_constant_load},
      {"latency_block_replacement", &Timing::latency_block_replacement, &Device::latency_block_replacement},
      {"dispatch_interval", &Timing::dispatch_interval, &Device::dispatch_interval},
      {"interval_fma", &Timing::interval_fma, &Device::interval_fma},
      {"interval_fma_heavy", &Timing::interval_fma_heavy, &Device::interval_fma_heavy},
      {"interval_alu", &Timing::interval_alu, &Device::interval_alu},
      {"interval_half", &Timing::interval_half, &Device::interval_half},
      {"interval_fp64", &Timing::interval_fp64, &Device::interval_fp64},
      {"interval_xu", &Timing::interval_xu, &Device::interval_xu},
      {"interval_uniform", &Timing::interval_uniform, &Device::interval_uniform},
      {"interval_tensor", &Timing::interval_tensor, &Device::interval_tensor},
      {"interval_tensor_k8", &Timing::interval_tensor_k8, &Device::interval_tensor_k8},
      {"interval_tensor_fp64", &Timing::interval_tensor_fp64, &Device::interval_tensor_fp64},
      {"latency_xu", &Timing::latency_xu, &Device::latency_xu},
      {"latency_fp64", &Timing::latency_fp64, &Device::latency_fp64},
      {"latency_tensor", &Timing::latency_tensor, &Device::latency_tensor},
      {"latency_uniform", &Timing::latency_uniform, &Device::latency_uniform},
      {"latency_redux", &Timing::latency_redux, &Device::latency_redux},
      {"latency_match", &Timing::latency_match, &Device::latency_match},
      {"latency_sleep", &Timing::latency_sleep, &Device::latency_sleep},
      {"register_read_window", &Timing::register_read_window, &Device::register_read_window},
      {"mio_queue", &Timing::mio_queue, &Device::mio_queue},
      {"lg_queue", &Timing::lg_queue, &Device::lg_queue},
      {"interval_mio", &Timing::interval_mio, &Device::interval_mio},
      {"interval_mio_idle", &Timing::interval_mio_idle, &Device::interval_mio_idle},
      {"interval_lsu", &Timing::interval_lsu, &Device::interval_lsu},
      {"interval_match", &Timing::interval_match, &Device::interval_match},
      {"interval_special_register", &Timing::interval_special_register, &Device::interval_special_register},
      {"interval_constant_load", &Timing::interval_constant_load, &Device::interval_constant_load},
      {"latency_operands_read", &Timing::latency_operands_read, &Device::latency_operands_read},
      {"latency_mio", &Timing::latency_mio, &Device::latency_mio},
      {"interval_shared_pass", &Timing::interval_shared_pass, &Device::interval_shared_pass},
      {"interval_copy_write", &Timing::interval_copy_write, &Device::interval_copy_write},
      {"interval_barrier", &Timing::interval_barrier, &Device::interval_barrier},
      {"interval_barrier_end", &Timing::interval_barrier_end, &Device::interval_barrier_end},
      {"interval_atomic_line", &Timing::interval_atomic_line, &Device::interval_atomic_line},
      {"interval_atomic_sector", &Timing::interval_atomic_sector, &Device::interval_atomic_sector},
      {"interval_l1_line", &Timing::interval_l1_line, &Device::interval_l1_line},
      {"interval_l1_store", &Timing::interval_l1_store, &Device::interval_l1_store},
      {"interval_l1_data", &Timing::interval_l1_data, &Device::interval_l1_data},
      {"l1_tags", &Timing::l1_tags, &Device::l1_tags},
      {"l1_ways", &Timing::l1_ways, &Device::l1_ways},
      {"l1_misses", &Timing::l1_misses, &Device::l1_misses},
      {"l1_miss_queue", &Timing::l1_miss_queue, &Device::l1_miss_queue},
      {"store_merge_lines", &Timing::store_merge_lines, &Device::store_merge_lines},
      {"stores_in_flight", &Timing::stores_in_flight, &Device::stores_in_flight},
      {"latency_l1_miss", &Timing::latency_l1_miss, &Device::latency_l1_miss},
      {"l1_fill_bandwidth", &Timing::l1_fill_bandwidth, &Device::l1_fill_bandwidth},
      {"sm_write_bandwidth", &Timing::sm_write_bandwidth, &Device::sm_write_bandwidth},
      {"gpc_bandwidth", &Timing::gpc_bandwidth, &Device::gpc_bandwidth},
      {"l2_slices", &Timing::l2_slices, &Device::l2_slices},
      {"l2_ways", &Timing::l2_ways, &Device::l2_ways},
      {"l2_partial_lines", &Timing::l2_partial_lines, &Device::l2_partial_lines},
      {"interval_l2_read", &Timing::interval_l2_read, &Device::interval_l2_read},
      {"interval_l2_write", &Timing::interval_l2_write, &Device::interval_l2_write},
      {"interval_l2_partial_write", &Timing::interval_l2_partial_write, &Device::interval_l2_partial_write},
      {"interval_l2_atomic", &Timing::interval_l2_atomic, &Device::interval_l2_atomic},
      {"interval_l2_same_address", &Timing::interval_l2_same_address, &Device::interval_l2_same_address},
      {"interval_l2_same_address_float", &Timing::interval_l2_same_address_float,
       &Device::interval_l2_same_address_float},
      {"l2_bandwidth_far", &Timing::l2_bandwidth_far, &Device::l2_bandwidth_far},
      {"latency_atomic", &Timing::latency_atomic, &Device::latency_atomic},
      {"latency_atomic_float", &Timing::latency_atomic_float, &Device::latency_atomic_float},
      {"latency_fence", &Timing::latency_fence, &Device::latency_fence},
      {"latency_fence_gpu", &Timing::latency_fence_gpu, &Device::latency_fence_gpu},
      {"interval_fence", &Timing::interval_fence, &Device::interval_fence},
      {"interval_fence_gpu", &Timing::interval_fence_gpu, &Device::interval_fence_gpu},
      {"memory_channels", &Timing::memory_channels, &Device::memory_channels},
      {"memory_efficiency", &Timing::memory_efficiency, &Device::memory_efficiency},
      {"memory_turnaround", &Timing::memory_turnaround, &Device::memory_turnaround},
      {"memory_row_miss", &Timing::memory_row_miss, &Device::memory_row_miss},
      {"memory_mixed_write", &Timing::memory_mixed_write, &Device::memory_mixed_write},
      {"memory_row_lines", &Timing::memory_row_lines, &Device::memory_row_lines},
      {"memory_refresh_interval", &Timing::memory_refresh_interval, &Device::memory_refresh_interval},
      {"memory_refresh", &Timing::memory_refresh, &Device::memory_refresh},
      {"memory_write_batch", &Timing::memory_write_batch, &Device::memory_write_batch},
  });
  return table;
}

}  // namespace

base::Result<Timing> timing_of(const Device& device) {
  Timing timing;
  timing.sms = static_cast<int>(*device.sm_count);
  timing.sub_partitions = static_cast<int>(*device.sub_partitions);
  timing.warps_per_sm = static_cast<int>(*device.warps_per_sm);
  const auto missing = [&](std::string_view name) {
    return base::Error{fmt::format("the description of {} has no {}, so there are no cycles", device.name, name)};
  };
  for (const Row& row : rows()) {
    const bool known = std::visit(
        [&](auto field) {
          const auto& parameter = device.*field;
          if (parameter) timing.*row.to = static_cast<double>(*parameter);
          return static_cast<bool>(parameter);
        },
        row.from);
    if (!known) return missing(row.name);
  }
  if (!device.memory_bandwidth) return missing("memory_bandwidth");
  timing.bytes_per_cycle_memory = *device.memory_bandwidth / *device.sm_clock;
  return timing;
}

}  // namespace warpwalk::gpu
