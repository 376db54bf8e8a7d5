#include "core/trace/ncu/csv_columns.h"

#include <algorithm>
#include <array>

namespace warpwalk::trace::ncu {
namespace {

struct NamedMetric {
  std::string_view label, metric;
};

// The labels of the sections that ncu installs (sections/*.section).
constexpr std::array page_labels = {
    NamedMetric{"Elapsed Cycles", "gpc__cycles_elapsed.max"},
    NamedMetric{"SM Active Cycles", "sm__cycles_active.avg"},
    NamedMetric{"Duration", "gpu__time_duration.sum"},
    NamedMetric{"Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    NamedMetric{"Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    NamedMetric{"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    NamedMetric{"L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
    NamedMetric{"Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active"},
    NamedMetric{"One or More Eligible", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    NamedMetric{"Executed Instructions", "smsp__inst_executed.sum"},
    NamedMetric{"Issued Instructions", "smsp__inst_issued.sum"},
    NamedMetric{"Registers Per Thread", "launch__registers_per_thread"},
    NamedMetric{"Static Shared Memory Per Block", "launch__shared_mem_per_block_static"},
    NamedMetric{"Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"},
    NamedMetric{"# SMs", "launch__sm_count"},
    NamedMetric{"Block Limit SM", "launch__occupancy_limit_blocks"},
    NamedMetric{"Block Limit Registers", "launch__occupancy_limit_registers"},
    NamedMetric{"Block Limit Shared Mem", "launch__occupancy_limit_shared_mem"},
    NamedMetric{"Block Limit Warps", "launch__occupancy_limit_warps"},
    NamedMetric{"Block Limit Barriers", "launch__occupancy_limit_barriers"}};

constexpr std::array source_columns = {
    NamedMetric{"# Samples", "smsp__pcsamp_sample_count"},
    NamedMetric{"Instructions Executed", "inst_executed"},
    NamedMetric{"Thread Instructions Executed", "thread_inst_executed"},
    NamedMetric{"Predicated-On Thread Instructions Executed", "thread_inst_executed_true"},
    NamedMetric{"L1 Tag Requests Global", "memory_l1_tag_requests_global"},
    NamedMetric{"L1 Wavefronts Shared", "memory_l1_wavefronts_shared"},
    NamedMetric{"L1 Wavefronts Shared Ideal", "memory_l1_wavefronts_shared_ideal"},
    NamedMetric{"L2 Theoretical Sectors Global", "memory_l2_theoretical_sectors_global"},
    NamedMetric{"L2 Theoretical Sectors Global Ideal", "memory_l2_theoretical_sectors_global_ideal"},
    NamedMetric{"L2 Theoretical Sectors Local", "memory_l2_theoretical_sectors_local"},
    NamedMetric{"stall_barrier", "smsp__pcsamp_warps_issue_stalled_barrier"},
    NamedMetric{"stall_branch_resolving", "smsp__pcsamp_warps_issue_stalled_branch_resolving"},
    NamedMetric{"stall_dispatch", "smsp__pcsamp_warps_issue_stalled_dispatch_stall"},
    NamedMetric{"stall_drain", "smsp__pcsamp_warps_issue_stalled_drain"},
    NamedMetric{"stall_gmma", "smsp__pcsamp_warps_issue_stalled_gmma"},
    NamedMetric{"stall_imc", "smsp__pcsamp_warps_issue_stalled_imc_miss"},
    NamedMetric{"stall_lg", "smsp__pcsamp_warps_issue_stalled_lg_throttle"},
    NamedMetric{"stall_long_sb", "smsp__pcsamp_warps_issue_stalled_long_scoreboard"},
    NamedMetric{"stall_math", "smsp__pcsamp_warps_issue_stalled_math_pipe_throttle"},
    NamedMetric{"stall_membar", "smsp__pcsamp_warps_issue_stalled_membar"},
    NamedMetric{"stall_mio", "smsp__pcsamp_warps_issue_stalled_mio_throttle"},
    NamedMetric{"stall_misc", "smsp__pcsamp_warps_issue_stalled_misc"},
    NamedMetric{"stall_no_inst", "smsp__pcsamp_warps_issue_stalled_no_instructions"},
    NamedMetric{"stall_not_selected", "smsp__pcsamp_warps_issue_stalled_not_selected"},
    NamedMetric{"stall_selected", "smsp__pcsamp_warps_issue_stalled_selected"},
    NamedMetric{"stall_short_sb", "smsp__pcsamp_warps_issue_stalled_short_scoreboard"},
    NamedMetric{"stall_sleep", "smsp__pcsamp_warps_issue_stalled_sleeping"},
    NamedMetric{"stall_sleeping", "smsp__pcsamp_warps_issue_stalled_sleeping"},
    NamedMetric{"stall_tex", "smsp__pcsamp_warps_issue_stalled_tex_throttle"},
    NamedMetric{"stall_wait", "smsp__pcsamp_warps_issue_stalled_wait"}};

// Names of metrics have two underscores ("sm__cycles_active.avg"), but for some of those by instruction.
bool is_metric(std::string_view name) {
  constexpr std::array starts = {std::string_view("inst_executed"), std::string_view("thread_inst_executed"),
                                 std::string_view("memory_")};
  if (name.find(' ') != std::string_view::npos) return false;
  return name.find("__") != std::string_view::npos ||
         std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

template <std::size_t n>
std::optional<std::string_view> metric_in(const std::array<NamedMetric, n>& table, std::string_view label) {
  if (is_metric(label)) return label;
  const auto row = std::ranges::find(table, label, &NamedMetric::label);
  if (row == table.end()) return {};
  return row->metric;
}

}  // namespace

std::optional<std::string> metric_of_label(std::string_view label) {
  if (const auto metric = metric_in(page_labels, label)) return std::string(*metric);
  constexpr std::string_view stall = "Stall ";
  if (!label.starts_with(stall)) return {};
  std::string reason(label.substr(stall.size()));
  for (char& c : reason) c = c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (reason == "no_instructions") reason.pop_back();
  return "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
}

std::optional<std::string_view> metric_of_column(std::string_view column) { return metric_in(source_columns, column); }

std::optional<double> access_type(std::string_view operation) {
  constexpr double other_access = 1;
  if (operation.empty() || operation == "-") return {};
  if (operation == "Load") return 2;
  return operation == "Store" ? 4 : other_access;
}

std::uint32_t MetricRows::row(std::string_view metric) {
  const auto [known, is_new] =
      rows_.try_emplace(std::string(metric), static_cast<std::uint32_t>(report_.metric_names.size()));
  if (is_new) report_.metric_names.emplace_back(metric);
  return known->second;
}

}  // namespace warpwalk::trace::ncu
