#include "core/trace/ncu/metrics.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::trace::ncu {
namespace {

/// A figure and the metrics that are it, the best first. `scale`: the figure in the metric's base unit.
struct FigureMetrics {
  std::string_view figure;
  std::array<std::string_view, 3> metrics;
  double scale = 1;
};

// Nsight Compute's metrics ("Metrics Reference" in its documentation). All cycles elapsed are of the SM's clock: the
// GPCs and the L1 caches run with it.
constexpr std::array figure_metrics = {
    FigureMetrics{"cycles", {"smsp__cycles_elapsed.max", "sm__cycles_elapsed.max", "gpc__cycles_elapsed.max"}},
    FigureMetrics{"cycles_active", {"sm__cycles_active.avg"}},
    FigureMetrics{"achieved_occupancy_pct", {"sm__warps_active.avg.pct_of_peak_sustained_active"}},
    FigureMetrics{"l1_hit_pct", {"l1tex__t_sector_hit_rate.pct"}},
    FigureMetrics{"l2_hit_pct", {"lts__t_sector_hit_rate.pct"}},
    FigureMetrics{"dram_read_bytes", {"dram__bytes_read.sum"}},
    FigureMetrics{"dram_write_bytes", {"dram__bytes_write.sum"}},
    FigureMetrics{"time_us", {"gpu__time_duration.sum", "gpu__time_duration.max", "gpu__time_duration.avg"}, 1e-3},
    FigureMetrics{"ipc", {"sm__inst_executed.avg.per_cycle_active", "sm__inst_executed.sum.per_cycle_active"}},
    FigureMetrics{"issued_pct", {"smsp__issue_active.avg.pct_of_peak_sustained_active"}},
    FigureMetrics{"registers", {"launch__registers_per_thread"}},
    FigureMetrics{"occupancy_pct", {"sm__maximum_warps_per_active_cycle_pct"}},
    FigureMetrics{"warp_instructions", {"smsp__inst_executed.sum", "sm__inst_executed.sum", "inst_executed"}},
    FigureMetrics{"thread_instructions",
                  {"smsp__thread_inst_executed.sum", "smsp__sass_thread_inst_executed.sum", "thread_inst_executed"}},
    FigureMetrics{"global_load_requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
    FigureMetrics{"global_store_requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
    FigureMetrics{"global_load_sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
    FigureMetrics{"global_store_sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    FigureMetrics{"shared_load_wavefronts", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
    FigureMetrics{"shared_store_wavefronts", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
    FigureMetrics{"shared_bank_conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}}};

std::optional<MeasuredFigure> own_metric(const Report& report, const Launch& launch, const FigureMetrics& row) {
  for (const std::string_view metric : row.metrics) {
    if (metric.empty()) continue;
    if (const auto value = report.value(launch, metric))
      return MeasuredFigure{std::string(row.figure), *value * row.scale, std::string(metric)};
  }
  return {};
}

// Values of memory_access_type.
constexpr double access_load = 2, access_store = 4;

// The sum of a metric over the instructions that only load or only store. Nullopt if it was not collected, or not at
// all instructions that it counts: functions that the kernel calls are not among them.
std::optional<double> sum_of_accesses(const Report& report, const Launch& launch, std::string_view metric,
                                      double access) {
  const auto total = report.value(launch, metric);
  const InstructionMetric* const values = report.by_instruction(launch, metric);
  const InstructionMetric* const types = report.by_instruction(launch, "memory_access_type");
  if (!total) return {};
  if (values == nullptr) return *total == 0 ? total : std::nullopt;
  if (types == nullptr) return {};
  double sum = 0, all = 0;
  for (const InstructionValue& at : values->values) {
    all += at.value;
    const auto type = std::ranges::lower_bound(types->values, at.offset, {}, &InstructionValue::offset);
    if (type == types->values.end() || type->offset != at.offset) return {};
    if (type->value == access) sum += at.value;
  }
  if (all != *total) return {};
  return sum;
}

std::optional<MeasuredFigure> from_instructions(const Report& report, const Launch& launch, std::string_view figure) {
  struct SummedAccess {
    std::string_view figure, metric;
    double access;
  };
  constexpr std::array summed = {
      SummedAccess{"global_load_sectors", "memory_l2_theoretical_sectors_global", access_load},
      SummedAccess{"global_store_sectors", "memory_l2_theoretical_sectors_global", access_store},
      SummedAccess{"shared_load_wavefronts", "memory_l1_wavefronts_shared", access_load},
      SummedAccess{"shared_store_wavefronts", "memory_l1_wavefronts_shared", access_store}};
  const auto row = std::ranges::find(summed, figure, &SummedAccess::figure);
  if (row != summed.end()) {
    const auto sum = sum_of_accesses(report, launch, row->metric, row->access);
    if (!sum) return {};
    return MeasuredFigure{std::string(figure), *sum,
                          fmt::format("{} at {}", row->metric, row->access == access_load ? "loads" : "stores")};
  }
  if (figure != "shared_bank_conflicts") return {};
  const auto wavefronts = report.value(launch, "memory_l1_wavefronts_shared");
  const auto ideal = report.value(launch, "memory_l1_wavefronts_shared_ideal");
  if (!wavefronts || !ideal) return {};
  return MeasuredFigure{std::string(figure), *wavefronts - *ideal,
                        "memory_l1_wavefronts_shared - memory_l1_wavefronts_shared_ideal"};
}

// Blocks per SM: the smallest of the limits.
std::optional<MeasuredFigure> resident_blocks(const Report& report, const Launch& launch) {
  std::optional<MeasuredFigure> least;
  for (const char* const limit : {"blocks", "registers", "shared_mem", "warps", "barriers"}) {
    std::string metric = fmt::format("launch__occupancy_limit_{}", limit);
    const auto value = report.value(launch, metric);
    if (value && (!least || *value < least->value)) least = {"blocks_per_sm", *value, std::move(metric)};
  }
  return least;
}

constexpr std::string_view ratio_prefix = "smsp__average_warps_issue_stalled_";
constexpr std::string_view ratio_suffix = "_per_issue_active.ratio";

/// The name of a reason in reports. That of a metric by instruction differs for two of them.
std::string_view stall_name(std::string_view reason) {
  if (reason == "no_instructions") return "no_instruction";
  return reason == "warpgroup_arrive" ? "gmma" : reason;
}

// Warp-cycles by reason. Nsight Compute has them per cycle in which a scheduler issued; it issues one instruction in
// such a cycle, so their product with the issued instructions are warp-cycles of the whole launch.
void add_stall_figures(const Report& report, const Launch& launch, std::vector<MeasuredFigure>& figures) {
  std::string_view factor = "smsp__issue_active.sum";
  auto issues = report.value(launch, factor);
  if (!issues) issues = report.value(launch, factor = "smsp__inst_issued.sum");
  if (!issues) return;
  for (const Metric& metric : launch.metrics) {
    const std::string_view name = report.metric_names[metric.name];
    if (!name.starts_with(ratio_prefix) || !name.ends_with(ratio_suffix)) continue;
    std::string_view reason = name.substr(ratio_prefix.size());
    reason.remove_suffix(ratio_suffix.size());
    if (reason.ends_with("_not_issued")) continue;
    figures.push_back(
        {fmt::format("stall_{}", stall_name(reason)), metric.value * *issues, fmt::format("{} * {}", name, factor)});
  }
}

}  // namespace

std::vector<MeasuredFigure> measured_figures(const Report& report, const Launch& launch) {
  std::vector<MeasuredFigure> figures;
  for (const FigureMetrics& row : figure_metrics) {
    auto figure = own_metric(report, launch, row);
    if (!figure) figure = from_instructions(report, launch, row.figure);
    if (figure) figures.push_back(*std::move(figure));
    if (row.figure == "registers")
      if (auto blocks = resident_blocks(report, launch)) figures.push_back(*std::move(blocks));
  }
  add_stall_figures(report, launch, figures);
  return figures;
}

std::optional<std::string_view> sampled_stall(std::string_view metric) {
  constexpr std::string_view prefix = "smsp__pcsamp_warps_issue_stalled_";
  if (!metric.starts_with(prefix) || metric.ends_with("_not_issued")) return {};
  return stall_name(metric.substr(prefix.size()));
}

std::optional<double> duration_ns(const Report& report, const Launch& launch) {
  for (const char* const metric : {"gpu__time_duration.sum", "gpu__time_duration.max", "gpu__time_duration.avg"})
    if (const auto value = report.value(launch, metric); value && *value >= 0) return value;
  return {};
}

}  // namespace warpwalk::trace::ncu
