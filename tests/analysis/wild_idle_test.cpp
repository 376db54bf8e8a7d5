// What the analysis says of traces that were made after public reports (tests/trace/data/wild): the figures are from
// the descriptions of the files.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/analysis/time/gpu_breakdown.h"
#include "core/analysis/time/idle_lines.h"
#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "core/trace/stream_overlap.h"
#include "core/words/idle_text.h"
#include "tests/analysis/assets.h"

namespace warpwalk::analysis {
namespace {

trace::Trace wild(std::string_view name) {
  trace::ReadResult read =
      trace::read_trace(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/trace/data/wild" / name);
  EXPECT_FALSE(read.error) << *read.error;
  return std::move(read.trace);
}

// https://github.com/AMD-AGI/TraceLens, sglang_decode: the work begins 100 ms after its launch.
TEST(WildIdle, ALaunchThatIsCalledEarlyIsNotLate) {
  const std::vector<IdleReport> reports = idle_reports(wild("17_gap_launched_early_starts_late.json"));
  ASSERT_EQ(reports.size(), 1u);
  const IdleReport& report = reports.front();
  const std::int64_t before_the_call = 40'000;  // ns
  std::int64_t late = 0;
  for (const IdlePart& part : report.parts)
    if (part.to <= report.gaps.front().from + before_the_call) late += part.length();
  EXPECT_EQ(late, before_the_call);
  // The stream waits for an event of which the trace has no record: what the GPU did meanwhile is not known.
  const std::int64_t call = 5'000;
  EXPECT_EQ(report.of(IdleCause::latency), call);
  EXPECT_EQ(report.of(IdleCause::unrecorded), report.gaps.front().length() - before_the_call - call);
  EXPECT_EQ(report.verdict(), IdleVerdict::unexplained);
  EXPECT_EQ(report.gaps.front().length(), 100'040'000);
  EXPECT_NE(report.gaps.front().cause, IdleCause::late_launch);
}

// https://github.com/vllm-project/vllm/pull/24111: five engines of all-reduce, four kernels of 12 us of each.
TEST(WildIdle, AllEnginesOfAllReduceCommunicate) {
  const trace::Trace trace = wild("10_comm_kernel_names.json.gz");
  const std::vector<GpuBreakdown> breakdowns = gpu_breakdowns(trace);
  ASSERT_EQ(breakdowns.size(), 1u);
  EXPECT_EQ(breakdowns.front().communication, 240'000);
  EXPECT_EQ(breakdowns.front().compute, 600'000);  // 20 products of 30 us
  EXPECT_EQ(idle_reports(trace).front().communicating, 240'000);
}

// https://github.com/ROCm/roctracer/issues/100
TEST(WildIdle, KernelsOfRcclWithoutALaunchCommunicate) {
  const trace::Trace trace = wild("07_rccl_correlation_zero.json");
  EXPECT_GT(gpu_breakdowns(trace).front().communication, 0);
  EXPECT_GT(idle_reports(trace).front().communicating, 0);
}

// https://github.com/AMD-AGI/TraceLens/issues/669: two ends were recorded late.
TEST(WildIdle, SharesFromTimesThatCannotBeRightAreDoubtful) {
  const trace::Trace trace = wild("01_rocm_dur_overflows.json.gz");
  EXPECT_EQ(trace::doubtful_durations(trace).size(), 2u);
  EXPECT_NE(words::doubt_text(english(), trace), "");
  EXPECT_EQ(words::doubt_text(english(), wild("02_pdl_overlap_same_stream.json.gz")), "");
}

// https://github.com/google/perfetto/issues/4280: programmatic dependent launch.
TEST(WildIdle, KernelsThatOverlapCountOnce) {
  const std::vector<IdleReport> reports = idle_reports(wild("02_pdl_overlap_same_stream.json.gz"));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports.front().computing, 260'000);
}

// HolisticTraceAnalysis, critical_path/alexnet: the CPU is in cudaFree and cudaMalloc.
TEST(WildIdle, AllocationByTheDriverIsACauseOfItsOwn) {
  const trace::Trace trace = wild("18_allocation.json");
  const std::vector<IdleReport> reports = idle_reports(trace);
  ASSERT_EQ(reports.size(), 1u);
  const IdleReport& report = reports.front();
  EXPECT_EQ(report.verdict(), IdleVerdict::allocating);
  // Four gaps, each with 12 ms of cudaFree and 8 ms of cudaMalloc; the rest is other work of the CPU.
  EXPECT_EQ(report.of(IdleCause::allocation), 4 * (12'000'000 + 8'000'000));
  const IdleLine culprit = culprit_of(trace, CodePlaces(trace), report);
  EXPECT_EQ(culprit.line, "cudaFree");
  EXPECT_EQ(culprit.time, 4 * 12'000'000);
  EXPECT_TRUE(words::verdict_text(english(), report).starts_with("Allocating memory: 88"));
}

// Ascend/msprof-analyze: an op queues its work, a second thread launches it 2 us before it begins.
TEST(WildIdle, OnAscendTheSecondThreadLaunches) {
  const trace::Trace trace = wild("19_ascend_launch.json");
  const std::vector<IdleReport> reports = idle_reports(trace);
  ASSERT_EQ(reports.size(), 1u);
  const IdleReport& report = reports.front();
  EXPECT_EQ(report.verdict(), IdleVerdict::launch_bound);
  EXPECT_EQ(report.of(IdleCause::latency), 3 * 2'000);
  EXPECT_EQ(report.of(IdleCause::late_launch), 3 * (950'000 - 2'000));
  EXPECT_EQ(culprit_of(trace, CodePlaces(trace), report).line, "AscendCL@aclopCompileAndExecute");
  // The op is still known.
  for (const trace::SliceId kernel : trace.kernel_order) EXPECT_EQ(trace.name(trace::op_of(trace, kernel)), "Conv2D");
}

// HolisticTraceAnalysis, negative_queue_length_values_check.
TEST(WildIdle, WhatWasLaunchedLongBeforeIsNotLate) {
  for (const char* name : {"22_gap_in_graph.json", "22_launched_far_ahead.json"}) {
    const std::vector<IdleReport> reports = idle_reports(wild(name));
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports.front().of(IdleCause::latency), 0) << name;
    EXPECT_EQ(reports.front().of(IdleCause::late_launch), 0) << name;
    EXPECT_EQ(reports.front().verdict(), IdleVerdict::unexplained) << name;
  }
}

// HolisticTraceAnalysis, trace_diff/control: the collectives run for 2,800 us, 800 us of it alone.
TEST(WildIdle, OfCommunicationOnlyWhatRunsAloneIsToBlame) {
  const trace::Trace trace = wild("24_exposed_communication.json");
  const std::vector<IdleReport> reports = idle_reports(trace);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports.front().communicating, 800'000);
  const IdleLine culprit = culprit_of(trace, CodePlaces(trace), reports.front());
  EXPECT_EQ(culprit.line, "nccl:all_to_all");
  EXPECT_EQ(culprit.time, 800'000);
  EXPECT_LE(culprit.time, reports.front().time_of(IdleVerdict::communicating));
}

}  // namespace
}  // namespace warpwalk::analysis
