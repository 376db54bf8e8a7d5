#include "core/gpu/device/parameters.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include "core/base/enum_names.h"

namespace warpwalk::gpu {

TimingParameters::TimingParameters() = default;
TimingParameters::TimingParameters(const TimingParameters&) = default;
TimingParameters::TimingParameters(TimingParameters&&) noexcept = default;
TimingParameters& TimingParameters::operator=(const TimingParameters&) = default;
TimingParameters& TimingParameters::operator=(TimingParameters&&) noexcept = default;
TimingParameters::~TimingParameters() = default;

Device::Device() = default;
Device::Device(const Device&) = default;
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(const Device&) = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;
namespace {

// A function-local static, so that the table does not depend on the initialization order of files.
const auto& table() {
  using D = Device;
  static const auto rows = std::to_array<ParameterInfo>({
      {"compute_capability", "", &D::compute_capability, true, 0},
      {"sm_count", "SMs", &D::sm_count, true, 1},
      {"tpc_sms", "SMs", &D::tpc_sms, true, 1},
      {"gpcs", "SM ids", &D::gpcs, false, 0},
      {"small_groups", "SM ids", &D::small_groups, false, 0},

      {"threads_per_warp", "threads", &D::threads_per_warp, true, 1},
      {"sub_partitions", "schedulers", &D::sub_partitions, true, 1},
      {"warps_per_sm", "warps", &D::warps_per_sm, true, 1},
      {"blocks_per_sm", "blocks", &D::blocks_per_sm, true, 1},
      {"threads_per_block", "threads", &D::threads_per_block, true, 1},
      {"barriers_per_sm", "barriers", &D::barriers_per_sm, false, 1},
      {"registers_per_sm", "registers", &D::registers_per_sm, true, 1},
      {"registers_per_block", "registers", &D::registers_per_block, true, 1},
      {"registers_per_thread", "registers", &D::registers_per_thread, true, 1},
      {"register_allocation", "registers", &D::register_allocation, true, 1},
      {"shared_per_sm", "B", &D::shared_per_sm, true, 0},
      {"shared_per_block", "B", &D::shared_per_block, true, 0},
      {"shared_per_block_optin", "B", &D::shared_per_block_optin, true, 0},
      {"shared_reserved_per_block", "B", &D::shared_reserved_per_block, true, 0},
      {"shared_allocation", "B", &D::shared_allocation, true, 1},
      {"carveouts", "B", &D::carveouts, true, 0},

      {"run_ahead_first", "GPC batches", &D::run_ahead_first, false, 0},
      {"run_ahead_again", "GPC batches", &D::run_ahead_again, false, 0},
      {"deal_base", "GPC batches", &D::deal_base, false, 0},
      {"deal_pass", "GPC batches", &D::deal_pass, false, 0},
      {"deal_small", "GPC batches", &D::deal_small, false, 0},
      {"deal_gpc", "GPC batches", &D::deal_gpc, false, 0},
      {"block_interval", "cycles", &D::block_interval, false, 0},
      {"warp_interval", "cycles", &D::warp_interval, false, 0},
      {"block_replacement", "cycles", &D::block_replacement, false, 0},

      {"sm_clock", "Hz", &D::sm_clock, true, 1},
      {"memory_clock", "Hz", &D::memory_clock, false, 1},

      {"issue_per_scheduler", "warp instructions/cycle", &D::issue_per_scheduler, false, 1},
      {"fp32_lanes", "operations/cycle/SM", &D::fp32_lanes, false, 1},
      {"int32_lanes", "operations/cycle/SM", &D::int32_lanes, false, 1},
      {"fp64_lanes", "operations/cycle/SM", &D::fp64_lanes, false, 1},
      {"sfu_lanes", "operations/cycle/SM", &D::sfu_lanes, false, 1},
      {"latency_alu", "cycles", &D::latency_alu, false, 1},
      {"latency_ex2", "cycles", &D::latency_ex2, false, 1},
      {"latency_rsqrt", "cycles", &D::latency_rsqrt, false, 1},
      {"barrier_base", "cycles", &D::barrier_base, false, 0},
      {"barrier_per_warp", "cycles", &D::barrier_per_warp, false, 0},

      {"line_bytes", "B", &D::line_bytes, false, 1},
      {"sector_bytes", "B", &D::sector_bytes, false, 1},
      {"l1_bytes", "B", &D::l1_bytes, false, 1},
      {"l2_bytes", "B", &D::l2_bytes, false, 1},
      {"l2_partitions", "partitions", &D::l2_partitions, false, 1},
      {"memory_bytes", "B", &D::memory_bytes, false, 1},
      {"latency_shared", "cycles", &D::latency_shared, false, 1},
      {"conflict_way", "cycles", &D::conflict_way, false, 0},
      {"latency_l1", "cycles", &D::latency_l1, false, 1},
      {"latency_l2", "cycles", &D::latency_l2, false, 1},
      {"latency_l2_far", "cycles", &D::latency_l2_far, false, 1},
      {"latency_memory", "cycles", &D::latency_memory, false, 1},
      {"l1_bandwidth", "B/cycle/SM", &D::l1_bandwidth, false, 0},
      {"shared_bandwidth", "B/cycle/SM", &D::shared_bandwidth, false, 0},
      {"memory_bandwidth", "B/s", &D::memory_bandwidth, false, 0},
      {"memory_bandwidth_reached", "B/s", &D::memory_bandwidth_reached, false, 0},

      {"icache_l0_lines", "lines", &D::icache_l0_lines, false, 0},
      {"icache_l1_lines", "lines", &D::icache_l1_lines, false, 0},
      {"icache_prefetch", "lines", &D::icache_prefetch, false, 0},
      {"latency_icache", "cycles", &D::latency_icache, false, 0},
      {"interval_icache", "cycles", &D::interval_icache, false, 0},
      {"interval_icache_l2", "cycles", &D::interval_icache_l2, false, 0},
      {"latency_branch", "cycles", &D::latency_branch, false, 0},
      {"latency_convergence", "cycles", &D::latency_convergence, false, 0},
      {"latency_yield", "cycles", &D::latency_yield, false, 0},
      {"latency_constant", "cycles", &D::latency_constant, false, 0},
      {"latency_block_start", "cycles", &D::latency_block_start, false, 0},
      {"latency_constant_load", "cycles", &D::latency_constant_load, false, 0},
      {"latency_block_replacement", "cycles", &D::latency_block_replacement, false, 0},
      {"dispatch_interval", "cycles", &D::dispatch_interval, false, 0},
      {"interval_fma", "cycles", &D::interval_fma, false, 0},
      {"interval_fma_heavy", "cycles", &D::interval_fma_heavy, false, 0},
      {"interval_alu", "cycles", &D::interval_alu, false, 0},
      {"interval_half", "cycles", &D::interval_half, false, 0},
      {"interval_fp64", "cycles", &D::interval_fp64, false, 0},
      {"interval_xu", "cycles", &D::interval_xu, false, 0},
      {"interval_uniform", "cycles", &D::interval_uniform, false, 0},
      {"interval_tensor", "cycles", &D::interval_tensor, false, 0},
      {"interval_tensor_k8", "cycles", &D::interval_tensor_k8, false, 0},
      {"interval_tensor_fp64", "cycles", &D::interval_tensor_fp64, false, 0},
      {"latency_xu", "cycles", &D::latency_xu, false, 0},
      {"latency_fp64", "cycles", &D::latency_fp64, false, 0},
      {"latency_tensor", "cycles", &D::latency_tensor, false, 0},
      {"latency_uniform", "cycles", &D::latency_uniform, false, 0},
      {"latency_redux", "cycles", &D::latency_redux, false, 0},
      {"latency_match", "cycles", &D::latency_match, false, 0},
      {"latency_sleep", "cycles", &D::latency_sleep, false, 0},
      {"register_read_window", "cycles", &D::register_read_window, false, 0},
      {"mio_queue", "instructions", &D::mio_queue, false, 0},
      {"lg_queue", "instructions", &D::lg_queue, false, 0},
      {"interval_mio", "cycles", &D::interval_mio, false, 0},
      {"interval_mio_idle", "cycles", &D::interval_mio_idle, false, 0},
      {"interval_lsu", "cycles", &D::interval_lsu, false, 0},
      {"interval_match", "cycles", &D::interval_match, false, 0},
      {"interval_special_register", "cycles", &D::interval_special_register, false, 0},
      {"interval_constant_load", "cycles", &D::interval_constant_load, false, 0},
      {"latency_operands_read", "cycles", &D::latency_operands_read, false, 0},
      {"latency_mio", "cycles", &D::latency_mio, false, 0},
      {"interval_shared_pass", "cycles", &D::interval_shared_pass, false, 0},
      {"interval_copy_write", "cycles", &D::interval_copy_write, false, 0},
      {"interval_barrier", "cycles", &D::interval_barrier, false, 0},
      {"interval_barrier_end", "cycles", &D::interval_barrier_end, false, 0},
      {"interval_atomic_line", "cycles", &D::interval_atomic_line, false, 0},
      {"interval_atomic_sector", "cycles", &D::interval_atomic_sector, false, 0},
      {"interval_l1_line", "cycles", &D::interval_l1_line, false, 0},
      {"interval_l1_store", "cycles", &D::interval_l1_store, false, 0},
      {"interval_l1_data", "cycles", &D::interval_l1_data, false, 0},
      {"l1_tags", "lines", &D::l1_tags, false, 1},
      {"l1_ways", "lines", &D::l1_ways, false, 1},
      {"l1_misses", "requests", &D::l1_misses, false, 0},
      {"l1_miss_queue", "requests", &D::l1_miss_queue, false, 0},
      {"store_merge_lines", "lines", &D::store_merge_lines, false, 0},
      {"latency_l1_miss", "cycles", &D::latency_l1_miss, false, 0},
      {"l1_fill_bandwidth", "B/cycle", &D::l1_fill_bandwidth, false, 0},
      {"sm_write_bandwidth", "B/cycle", &D::sm_write_bandwidth, false, 0},
      {"gpc_bandwidth", "B/cycle", &D::gpc_bandwidth, false, 0},
      {"stores_in_flight", "sectors", &D::stores_in_flight, false, 0},
      {"l2_sides", "partitions", &D::l2_sides, false, 0},
      {"l2_slices", "slices", &D::l2_slices, false, 0},
      {"l2_ways", "lines", &D::l2_ways, false, 0},
      {"l2_partial_lines", "lines", &D::l2_partial_lines, false, 0},
      {"interval_l2_read", "cycles", &D::interval_l2_read, false, 0},
      {"interval_l2_write", "cycles", &D::interval_l2_write, false, 0},
      {"interval_l2_partial_write", "cycles", &D::interval_l2_partial_write, false, 0},
      {"interval_l2_atomic", "cycles", &D::interval_l2_atomic, false, 0},
      {"interval_l2_same_address", "cycles", &D::interval_l2_same_address, false, 0},
      {"interval_l2_same_address_float", "cycles", &D::interval_l2_same_address_float, false, 0},
      {"l2_bandwidth_far", "B/cycle", &D::l2_bandwidth_far, false, 0},
      {"latency_atomic", "cycles", &D::latency_atomic, false, 0},
      {"latency_atomic_float", "cycles", &D::latency_atomic_float, false, 0},
      {"latency_fence", "cycles", &D::latency_fence, false, 0},
      {"latency_fence_gpu", "cycles", &D::latency_fence_gpu, false, 0},
      {"interval_fence", "cycles", &D::interval_fence, false, 0},
      {"interval_fence_gpu", "cycles", &D::interval_fence_gpu, false, 0},
      {"memory_channels", "channels", &D::memory_channels, false, 0},
      {"memory_efficiency", "of peak", &D::memory_efficiency, false, 0},
      {"memory_turnaround", "cycles", &D::memory_turnaround, false, 0},
      {"memory_row_miss", "cycles", &D::memory_row_miss, false, 0},
      {"memory_mixed_write", "cycles", &D::memory_mixed_write, false, 0},
      {"memory_row_lines", "lines", &D::memory_row_lines, false, 1},
      {"memory_refresh_interval", "cycles", &D::memory_refresh_interval, false, 1},
      {"memory_refresh", "cycles", &D::memory_refresh, false, 0},
      {"memory_write_batch", "sectors", &D::memory_write_batch, false, 1},

      {"launch_time", "s", &D::launch_time, false, 0},
      {"graph_launch_time", "s", &D::graph_launch_time, false, 0},
      {"launch_overhead", "cycles", &D::launch_overhead, false, 0},
      {"pcie_bandwidth", "B/s", &D::pcie_bandwidth, false, 0},
      {"host_op", "s", &D::host_op, false, 0},
      {"host_dispatch_step", "s", &D::host_dispatch_step, false, 0},
      {"host_kernel_setup", "s", &D::host_kernel_setup, false, 0},
      {"host_backward_node", "s", &D::host_backward_node, false, 0},
      {"host_allocation", "s", &D::host_allocation, false, 0},
      {"host_segment_allocation", "s", &D::host_segment_allocation, false, 0},
      {"host_segment_free", "s", &D::host_segment_free, false, 0},
      {"host_launch_call", "s", &D::host_launch_call, false, 0},
      {"host_synchronize", "s", &D::host_synchronize, false, 0},
  });
  return rows;
}

std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(double value) {
  return fmt::format("{}", value);
}  // shortest text that parses back to the same
   // value
std::string text_of(const std::string& value) { return value; }
std::string text_of(const std::vector<std::int64_t>& value) { return fmt::format("{}", fmt::join(value, ", ")); }
std::string text_of(const std::vector<std::vector<std::int64_t>>& value) {
  std::string out;
  for (const auto& list : value) out += fmt::format("{}{}", out.empty() ? "" : "; ", fmt::join(list, " "));
  return out;
}

}  // namespace

std::string_view name_of(Status status) { return base::enum_name(status); }

std::span<const ParameterInfo> parameter_infos() { return table(); }

const ParameterInfo* find_parameter(std::string_view name) {
  for (const ParameterInfo& info : table())
    if (info.name == name) return &info;
  return nullptr;
}

std::vector<ParameterRow> parameter_rows(const Device& device) {
  std::vector<ParameterRow> rows;
  for (const ParameterInfo& info : table())
    std::visit(
        [&](auto field) {
          const auto& parameter = device.*field;
          if (parameter) rows.push_back({&info, text_of(*parameter), parameter.status, parameter.source});
        },
        info.field);
  return rows;
}

std::string hash_of(const Device& device) {
  std::string content;
  for (const ParameterRow& row : parameter_rows(device))
    content += fmt::format("{} = {} {}\n", row.info->name, row.value, row.info->unit);
  return fmt::format("{:016x}", XXH3_64bits(content.data(), content.size()));
}

}  // namespace warpwalk::gpu
