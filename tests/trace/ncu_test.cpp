// Reports of Nsight Compute: their figures are those that ncu prints of the same report.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/ncu/metrics.h"
#include "core/trace/ncu/read_ncu.h"
#include "tests/trace/ncu_sample.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ncu::Report sample_report() {
  Problems problems;
  ncu::Report report = read_ncu_sample(ncu_sample(), problems);
  EXPECT_TRUE(problems.rows().empty());
  return report;
}

std::map<std::string, double> figures_by_name(const ncu::Report& report, std::size_t launch) {
  std::map<std::string, double> figures;
  for (const ncu::MeasuredFigure& figure : ncu::measured_figures(report, report.launches[launch]))
    figures[figure.name] = figure.value;
  return figures;
}

TEST(Ncu, EveryMetricIsTheOneThatNcuPrints) {
  const ncu::Report report = sample_report();
  const auto printed = ncu_raw_values();
  ASSERT_EQ(report.launches.size(), 4u);
  ASSERT_EQ(printed.size(), 4u);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    std::size_t compared = 0;
    for (const ncu::Metric& metric : report.launches[i].metrics) {
      const std::string& name = report.metric_names[metric.name];
      const auto known = printed[i].find(name);
      if (known == printed[i].end()) continue;
      ++compared;
      // ncu prints up to six digits after the point, of some metrics two, and in units of up to 10^12.
      const double digit = metric.value >= 1e3 || std::abs(metric.value) < 0.01 ? 1e-6 : 1e-2;
      EXPECT_NEAR(metric.value, known->second, std::max(digit, std::abs(metric.value) * 6e-6)) << name;
    }
    EXPECT_GT(compared, 600u);
  }
}

TEST(Ncu, TheFiguresHaveTheValuesOfTheirMetrics) {
  const ncu::Report report = sample_report();
  const auto printed = ncu_raw_values();
  struct Mapped {
    const char *figure, *metric;
    double scale;
  };
  constexpr std::array mapped = {
      Mapped{"cycles", "gpc__cycles_elapsed.max", 1},
      Mapped{"cycles_active", "sm__cycles_active.avg", 1},
      Mapped{"achieved_occupancy_pct", "sm__warps_active.avg.pct_of_peak_sustained_active", 1},
      Mapped{"occupancy_pct", "sm__maximum_warps_per_active_cycle_pct", 1},
      Mapped{"l1_hit_pct", "l1tex__t_sector_hit_rate.pct", 1},
      Mapped{"l2_hit_pct", "lts__t_sector_hit_rate.pct", 1},
      Mapped{"time_us", "gpu__time_duration.sum", 1e-3},
      Mapped{"issued_pct", "smsp__issue_active.avg.pct_of_peak_sustained_active", 1},
      Mapped{"registers", "launch__registers_per_thread", 1},
      Mapped{"warp_instructions", "smsp__inst_executed.sum", 1},
      Mapped{"thread_instructions", "thread_inst_executed", 1},
      Mapped{"shared_bank_conflicts", "derived__memory_l1_wavefronts_shared_excessive", 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto figures = figures_by_name(report, i);
    for (const Mapped& row : mapped) {
      ASSERT_TRUE(figures.contains(row.figure)) << row.figure;
      EXPECT_NEAR(figures.at(row.figure), printed[i].at(row.metric) * row.scale, 1e-6) << row.figure;
    }
    EXPECT_EQ(figures.at("global_load_sectors") + figures.at("global_store_sectors"),
              printed[i].at("memory_l2_theoretical_sectors_global"));
    EXPECT_EQ(figures.at("shared_load_wavefronts") + figures.at("shared_store_wavefronts"),
              printed[i].at("memory_l1_wavefronts_shared"));
    for (const char* const reason :
         {"selected", "not_selected", "wait", "branch_resolving", "no_instruction", "long_scoreboard",
          "short_scoreboard", "barrier", "membar", "math_pipe_throttle", "mio_throttle", "lg_throttle", "tex_throttle",
          "dispatch_stall", "imc_miss", "drain", "sleeping"}) {
      const double ratio =
          printed[i].at(fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", reason));
      const double issues = printed[i].at("smsp__inst_issued.sum");
      EXPECT_NEAR(figures.at(fmt::format("stall_{}", reason)), ratio * issues, issues * 1e-6) << reason;
    }
  }
  // The kernel transpose reads a column of a tile of 32 by 32 floats: 32 passes, 31 of them conflicts.
  const auto transpose = figures_by_name(report, 3);
  EXPECT_EQ(transpose.at("shared_bank_conflicts"), 1'015'808);
  EXPECT_EQ(transpose.at("shared_load_wavefronts"), 1'048'576);
  EXPECT_EQ(transpose.at("global_load_sectors"), 131'072);
  EXPECT_EQ(transpose.at("blocks_per_sm"), 2);
}

// Offsets of the source page, from the first instruction of the function.
TEST(Ncu, TheValuesOfInstructionsAreThoseOfTheSourcePage) {
  const ncu::Report report = sample_report();
  const auto rows = ncu_csv("four_kernels.source.csv.gz");
  struct SourceColumn {
    const char *column, *metric;
  };
  constexpr std::array columns = {
      SourceColumn{"# Samples", "smsp__pcsamp_sample_count"},
      SourceColumn{"Instructions Executed", "inst_executed"},
      SourceColumn{"Thread Instructions Executed", "thread_inst_executed"},
      SourceColumn{"L2 Theoretical Sectors Global", "memory_l2_theoretical_sectors_global"},
      SourceColumn{"L2 Theoretical Sectors Global Ideal", "memory_l2_theoretical_sectors_global_ideal"},
      SourceColumn{"stall_long_sb", "smsp__pcsamp_warps_issue_stalled_long_scoreboard"},
      SourceColumn{"stall_short_sb", "smsp__pcsamp_warps_issue_stalled_short_scoreboard"},
      SourceColumn{"stall_barrier", "smsp__pcsamp_warps_issue_stalled_barrier"},
      SourceColumn{"stall_wait", "smsp__pcsamp_warps_issue_stalled_wait"},
      SourceColumn{"stall_mio", "smsp__pcsamp_warps_issue_stalled_mio_throttle"}};
  std::size_t launch = 0, compared = 0;
  std::vector<std::string> header;
  std::optional<std::uint64_t> begin;
  for (const std::vector<std::string>& row : rows) {
    if (row[0] == "Function Name") {
      EXPECT_EQ(row[1], report.launches.at(launch++).name);
      begin.reset();
    }
    if (row[0] == "Line No") header = row;
    if (row.size() < 3 || !row[2].starts_with("0x")) continue;
    const std::uint64_t address = std::stoull(row[2], nullptr, 16);
    if (!begin) begin = address;
    for (const SourceColumn& column : columns) {
      const auto at = std::ranges::find(header, column.column) - header.begin();
      const double printed = std::stod(row[static_cast<std::size_t>(at)]);
      const ncu::InstructionMetric* const metric = report.by_instruction(report.launches[launch - 1], column.metric);
      double value = 0;
      if (metric != nullptr)
        for (const ncu::InstructionValue& one : metric->values)
          if (one.offset == address - *begin) value = one.value;
      EXPECT_EQ(value, printed) << column.column << " at " << row[2] << " of launch " << launch;
      ++compared;
    }
  }
  EXPECT_EQ(launch, 4u);
  EXPECT_GT(compared, 2000u);
}

TEST(Ncu, ALaunchIsAKernelOfATrace) {
  const ReadResult read = read_trace_text(ncu_sample(), {}, "four.ncu-rep");
  ASSERT_FALSE(read.error) << *read.error;
  EXPECT_EQ(read.events, 4u);
  const Trace& trace = read.trace;
  EXPECT_THAT(names_of(trace), ElementsAre("saxpy(const float *, float *, int)", "strided(const float *, float *, int)",
                                           "sums(const float *, float *)", "transpose(const float *, float *, int)"));
  ASSERT_EQ(trace.kernel_order.size(), 4u);
  EXPECT_EQ(trace.slices.start[0], 0);
  EXPECT_EQ(trace.slices.duration[0], 5696);
  EXPECT_EQ(trace.slices.start[1], 5696);
  const SliceId last = trace.kernel_order[3];
  EXPECT_EQ(trace.slices.duration[last], 11520);
  const KernelDetail& detail = trace.kernels[trace.slices.detail[last]];
  EXPECT_THAT(detail.grid, ElementsAre(32, 32, 1));
  EXPECT_THAT(detail.block, ElementsAre(32, 32, 1));
  EXPECT_EQ(detail.registers, 16);
  EXPECT_EQ(detail.shared_bytes, 4096);
  EXPECT_EQ(detail.stream, 7);
  EXPECT_EQ(detail.device, 0);
  EXPECT_EQ(detail.context, 1);
  EXPECT_EQ(detail.launch, no_slice);
  ASSERT_EQ(trace.devices.size(), 1u);
  EXPECT_EQ(trace.text(trace.devices[0].name), "NVIDIA H200");
  EXPECT_EQ(trace.devices[0].sms, 132);
  EXPECT_EQ(trace.devices[0].compute_major, 9);
  ASSERT_EQ(trace.tracks.size(), 1u);
  EXPECT_EQ(trace.text(trace.tracks[0].name), "stream 7");
  const KernelRecord& record = trace.records.kernels.at(static_cast<std::size_t>(detail.record));
  EXPECT_EQ(record.entry, "_Z9transposePKfPfi");
  EXPECT_EQ(record.cycles, 17251);
  EXPECT_EQ(record.measured_by, "Nsight Compute 2025.3.1.0");
  const Module& module = trace.records.modules.at(record.module);
  EXPECT_EQ(module.source_file, "/tmp/k.cu");
  EXPECT_THAT(std::string(module.source.view()), HasSubstr("__global__ void transpose"));
  EXPECT_EQ(module.cubin.size(), 18792u);
  ASSERT_EQ(read.problems.rows().size(), 1u);
  EXPECT_EQ(read.problems.rows()[0].kind, ProblemKind::profiled_alone);
  EXPECT_THAT(read.problems.rows()[0].message, HasSubstr("without the times between them"));
}

TEST(Ncu, AReportMayBeCompressed) {
  const ReadResult read = read_trace_text(gzipped(ncu_sample()));
  EXPECT_FALSE(read.error);
  EXPECT_EQ(read.trace.kernel_order.size(), 4u);
}

TEST(Ncu, ReadingCanBeStopped) {
  ReadOptions options;
  options.on_progress = [](const ReadProgress& progress) { return progress.events < 2; };
  const ReadResult read = read_trace_text(ncu_sample(), options);
  EXPECT_FALSE(read.error);
  EXPECT_EQ(read.trace.kernel_order.size(), 2u);
  EXPECT_EQ(read.problems.count_of(ProblemKind::cancelled), 1u);
  options.on_progress = {};
  options.memory_cap_bytes = 1000;
  const ReadResult capped = read_trace_text(ncu_sample(), options);
  EXPECT_EQ(capped.problems.count_of(ProblemKind::memory_cap), 1u);
}

}  // namespace
}  // namespace warpwalk::trace::test
