#include "core/gpu/device/parameters.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

namespace warpwalk::gpu {
namespace {

// A function-local static, so that the table does not depend on the initialization order of files.
const auto& table() {
  using D = Device;
  static const auto rows = std::to_array<ParameterInfo>({
      {"compute_capability", "", "the instruction set's generation", &D::compute_capability, true, 0},
      {"sm_count", "SMs", "streaming multiprocessors (SMs) on the GPU", &D::sm_count, true, 1},
      {"tpc_sms", "SMs", "SMs of one TPC, the pair that shares a port to the block scheduler", &D::tpc_sms, true, 1},
      {"gpcs", "SM ids", "the SMs of each graphics processing cluster (GPC), TPC by TPC", &D::gpcs, false, 0},
      {"small_groups", "SM ids",
       "SMs of no full GPC, TPC by TPC: they get their blocks first, and no cluster of 4 or more", &D::small_groups,
       false, 0},

      {"threads_per_warp", "threads", "threads that execute one instruction together", &D::threads_per_warp, true, 1},
      {"sub_partitions", "schedulers", "parts of an SM, each with its own warp scheduler and registers",
       &D::sub_partitions, true, 1},
      {"warps_per_sm", "warps", "warps resident on an SM at most", &D::warps_per_sm, true, 1},
      {"blocks_per_sm", "blocks", "thread blocks resident on an SM at most", &D::blocks_per_sm, true, 1},
      {"threads_per_block", "threads", "threads in a block at most", &D::threads_per_block, true, 1},
      {"barriers_per_sm", "barriers", "hardware barriers that the resident blocks of an SM share", &D::barriers_per_sm,
       false, 1},
      {"registers_per_sm", "registers", "32-bit registers of an SM", &D::registers_per_sm, true, 1},
      {"registers_per_block", "registers", "32-bit registers that one block may take", &D::registers_per_block, true,
       1},
      {"registers_per_thread", "registers", "registers that one thread may use", &D::registers_per_thread, true, 1},
      {"register_allocation", "registers", "a warp's registers are rounded up to a multiple of this",
       &D::register_allocation, true, 1},
      {"shared_per_sm", "B", "shared memory of an SM at its largest carve-out", &D::shared_per_sm, true, 0},
      {"shared_per_block", "B", "shared memory that a block may take without asking for more", &D::shared_per_block,
       true, 0},
      {"shared_per_block_optin", "B", "shared memory that a block may take when the kernel opts in",
       &D::shared_per_block_optin, true, 0},
      {"shared_reserved_per_block", "B", "shared memory that the system takes from every block's share",
       &D::shared_reserved_per_block, true, 0},
      {"shared_allocation", "B", "a block's shared memory is rounded up to a multiple of this", &D::shared_allocation,
       true, 1},
      {"carveouts", "B", "sizes that shared memory can have out of the unified L1", &D::carveouts, true, 0},

      {"run_ahead_first", "GPC batches", "batches after which the small groups may get their second block per SM",
       &D::run_ahead_first, false, 0},
      {"run_ahead_again", "GPC batches", "batches between their further blocks", &D::run_ahead_again, false, 0},
      {"deal_base", "GPC batches", "wait for a last, partial round: fixed part", &D::deal_base, false, 0},
      {"deal_pass", "GPC batches", "wait for a last, partial round: per pass of dealing", &D::deal_pass, false, 0},
      {"deal_small", "GPC batches", "wait for a last, partial round: per block dealt to a small group", &D::deal_small,
       false, 0},
      {"deal_gpc", "GPC batches", "wait for a last, partial round: per block dealt to a GPC", &D::deal_gpc, false, 0},
      {"block_interval", "cycles", "between the starts of two blocks on one SM at least", &D::block_interval, false, 0},
      {"warp_interval", "cycles", "the same, per warp of the block", &D::warp_interval, false, 0},
      {"block_replacement", "cycles", "from a block's end to the start of the block that takes its place",
       &D::block_replacement, false, 0},

      {"sm_clock", "Hz", "clock of the SMs", &D::sm_clock, true, 1},
      {"memory_clock", "Hz", "clock of the memory", &D::memory_clock, false, 1},

      {"issue_per_scheduler", "warp instructions/cycle", "instructions that one scheduler issues",
       &D::issue_per_scheduler, false, 1},
      {"fp32_lanes", "operations/cycle/SM", "FP32 additions, products or fused pairs", &D::fp32_lanes, false, 1},
      {"int32_lanes", "operations/cycle/SM", "32-bit integer operations", &D::int32_lanes, false, 1},
      {"fp64_lanes", "operations/cycle/SM", "FP64 additions, products or fused pairs", &D::fp64_lanes, false, 1},
      {"sfu_lanes", "operations/cycle/SM", "special functions (ex2, lg2, rcp, rsqrt, sin, cos)", &D::sfu_lanes, false,
       1},
      {"latency_alu", "cycles", "FFMA, IADD or IMAD to the next that needs its result", &D::latency_alu, false, 1},
      {"latency_ex2", "cycles", "ex2.approx to the next", &D::latency_ex2, false, 1},
      {"latency_rsqrt", "cycles", "the sequence of a correctly rounded reciprocal square root", &D::latency_rsqrt,
       false, 1},
      {"barrier_base", "cycles", "__syncthreads: fixed part", &D::barrier_base, false, 0},
      {"barrier_per_warp", "cycles", "__syncthreads: per warp of the block", &D::barrier_per_warp, false, 0},

      {"line_bytes", "B", "a cache line", &D::line_bytes, false, 1},
      {"sector_bytes", "B", "the part of a line that is fetched by itself", &D::sector_bytes, false, 1},
      {"l1_bytes", "B", "unified L1 and shared memory of an SM", &D::l1_bytes, false, 1},
      {"l2_bytes", "B", "L2 cache", &D::l2_bytes, false, 1},
      {"l2_partitions", "partitions", "parts of the L2, one nearer to an SM than the other", &D::l2_partitions, false,
       1},
      {"memory_bytes", "B", "device memory (HBM)", &D::memory_bytes, false, 1},
      {"latency_shared", "cycles", "a load from shared memory without conflicts", &D::latency_shared, false, 1},
      {"conflict_way", "cycles", "each further way of a bank conflict", &D::conflict_way, false, 0},
      {"latency_l1", "cycles", "a load that hits in L1", &D::latency_l1, false, 1},
      {"latency_l2", "cycles", "a load that hits in the near part of L2", &D::latency_l2, false, 1},
      {"latency_l2_far", "cycles", "a load that hits in the far part of L2", &D::latency_l2_far, false, 1},
      {"latency_memory", "cycles", "a load from device memory", &D::latency_memory, false, 1},
      {"l1_bandwidth", "B/cycle/SM", "from L1 to the registers", &D::l1_bandwidth, false, 0},
      {"shared_bandwidth", "B/cycle/SM", "from shared memory to the registers", &D::shared_bandwidth, false, 0},
      {"memory_bandwidth", "B/s", "device memory, peak", &D::memory_bandwidth, false, 0},
      {"memory_bandwidth_reached", "B/s", "device memory, what kernels reach", &D::memory_bandwidth_reached, false, 0},

      {"launch_time", "s", "an empty kernel behind another in a stream", &D::launch_time, false, 0},
      {"graph_launch_time", "s", "an empty kernel behind another in a graph", &D::graph_launch_time, false, 0},
      {"launch_overhead", "cycles", "of a launch's elapsed cycles, those with no warp resident on the mean SM",
       &D::launch_overhead, false, 0},
      {"pcie_bandwidth", "B/s", "host memory to device memory", &D::pcie_bandwidth, false, 0},
      {"host_op", "s", "an op on the host: being called and returning", &D::host_op, false, 0},
      {"host_dispatch_step", "s", "each function that the dispatcher calls or passes over on the way",
       &D::host_dispatch_step, false, 0},
      {"host_kernel_setup", "s", "an op that launches: choosing kernel and grid", &D::host_kernel_setup, false, 0},
      {"host_backward_node", "s", "a step of autograd's engine, besides its ops", &D::host_backward_node, false, 0},
      {"host_allocation", "s", "a block from the caching allocator, or back to it", &D::host_allocation, false, 0},
      {"host_segment_allocation", "s", "a call of cudaMalloc", &D::host_segment_allocation, false, 0},
      {"host_segment_free", "s", "a call of cudaFree", &D::host_segment_free, false, 0},
      {"host_launch_call", "s", "a call of cudaLaunchKernel", &D::host_launch_call, false, 0},
      {"host_synchronize", "s", "a call of cudaDeviceSynchronize with nothing to wait for", &D::host_synchronize, false,
       0},
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

std::string_view name_of(Status status) {
  switch (status) {
    case Status::spec: return "spec";
    case Status::measured: return "measured";
    case Status::fitted: return "fitted";
    case Status::assumed: break;
  }
  return "assumed";
}

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
