// Merges a walk without GPU times with CUPTI's recording of the process that made it.
#include "instrumentation/cuda/merge_recording.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::cuda {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

void slice(Trace& trace, SliceKind kind, std::string_view name, trace::TrackId track, std::int64_t start,
           std::int64_t duration, std::size_t detail) {
  trace::Slices& rows = trace.slices;
  rows.start.push_back(start);
  rows.duration.push_back(duration);
  rows.name.push_back(trace.strings.intern(name));
  rows.extra.push_back(0);
  rows.track.push_back(track);
  rows.detail.push_back(static_cast<std::uint32_t>(detail));
  rows.kind.push_back(kind);
}

void tracks(Trace& trace) {
  trace.tracks.resize(2);
  trace.tracks[0].pid = trace.tracks[0].tid = trace.strings.intern("1");
  trace.tracks[1].pid = trace.strings.intern("0");
  trace.tracks[1].tid = trace.strings.intern("7");
  trace.tracks[1].gpu = true;
}

void call(Trace& trace, std::string_view name, std::int64_t start, std::int64_t duration, std::int64_t correlation) {
  trace.calls.push_back({});
  trace.calls[trace.calls.size() - 1].correlation = correlation;
  slice(trace, SliceKind::runtime, name, 0, start, duration, trace.calls.size() - 1);
}

void kernel(Trace& trace, std::string_view name, std::int64_t start, std::int64_t duration, std::int64_t correlation,
            std::int64_t record) {
  trace::KernelDetail detail;
  detail.correlation = correlation;
  detail.record = record;
  if (record < 0) {
    detail.device = 0;
    detail.stream = 13;
    detail.registers = 28;
    detail.queued = start - 900;
  }
  trace.kernels.push_back(detail);
  slice(trace, SliceKind::kernel, name, 1, start, duration, trace.kernels.size() - 1);
}

/// A walk with base time 1,000,000 ns that has one launch inside an annotation from 100 to 9000.
Trace walk() {
  Trace trace;
  tracks(trace);
  trace.base_time_ns = 1'000'000;
  trace.ops.push_back({});
  slice(trace, SliceKind::annotation, "relu(a)", 0, 100, 8900, 0);
  call(trace, "cudaLaunchKernel", 1000, 3000, 1);
  kernel(trace, "relu", 0, 0, 1, 0);
  trace.records.kernels.resize(1);
  trace.records.kernels[0].entry = "relu";
  return trace;
}

/// A record with base time 900,000 ns that has the same launch twice; the second one, a copy and a cudaMalloc fall into
/// the walk's time. `later` shifts the record's clock, in ns.
Trace record(std::int64_t later = 0) {
  Trace trace;
  tracks(trace);
  trace.base_time_ns = 900'000 + later;
  for (const std::int64_t at : {std::int64_t{50'000}, std::int64_t{101'000}}) {
    const std::int64_t correlation = at == 50'000 ? 40 : 52;
    call(trace, "cudaLaunchKernel", at + 200, 2500, correlation);
    kernel(trace, "relu", at + 4000, 1200, correlation, trace::absent);
  }
  call(trace, "cudaMalloc", 100'500, 300, 50);
  call(trace, "cudaMalloc", 60'000, 300, 41);
  trace.transfers.push_back({});
  trace.transfers[0].correlation = 60;
  trace.transfers[0].bytes = 512;
  slice(trace, SliceKind::memcpy, "Memcpy DtoH", 1, 107'000, 400, 0);
  trace::Problems problems;
  trace::link(trace, problems);
  return trace;
}

SliceId find(const Trace& trace, SliceKind kind, std::string_view name) {
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == kind && trace.name(s) == name) return s;
  ADD_FAILURE() << name;
  return 0;
}

TEST(MergeRecording, TheLastLaunchIsTheWalks) {
  Trace merged = walk();
  ASSERT_TRUE(merge_recording(record(), "CUPTI 13.0", merged));
  const SliceId kernel = find(merged, SliceKind::kernel, "relu");
  EXPECT_EQ(merged.slices.start[kernel], 5000) << "105,000 of the record";
  EXPECT_EQ(merged.slices.duration[kernel], 1200);
  const trace::KernelDetail& detail = merged.kernels[merged.slices.detail[kernel]];
  EXPECT_EQ(detail.correlation, 52);
  EXPECT_EQ(detail.queued, 4100);
  EXPECT_EQ(detail.record, 0);
  EXPECT_EQ(merged.records.kernels[0].registers, 28u);
  EXPECT_EQ(merged.records.kernels[0].measured_by, "CUPTI 13.0");
  EXPECT_EQ(merged.text(merged.tracks[1].tid), "13");
  const SliceId launch = find(merged, SliceKind::runtime, "cudaLaunchKernel");
  EXPECT_EQ(merged.slices.start[launch], 1200);
  EXPECT_EQ(merged.slices.duration[launch], 2500);
  ASSERT_EQ(merged.records.sources.size(), 1u);
  EXPECT_EQ(merged.records.sources[0].what, "kernels");
  EXPECT_EQ(merged.records.sources[0].by, "CUPTI 13.0") << "both clocks agree";
}

TEST(MergeRecording, WhatElseHappenedThenIsAdded) {
  Trace merged = walk();
  ASSERT_TRUE(merge_recording(record(), "CUPTI 13.0", merged));
  EXPECT_EQ(merged.slices.start[find(merged, SliceKind::runtime, "cudaMalloc")], 500);
  EXPECT_EQ(merged.slices.start[find(merged, SliceKind::memcpy, "Memcpy DtoH")], 7000);
  EXPECT_EQ(merged.calls.size(), 2u) << "not the cudaMalloc before the walk";
  trace::Problems problems;
  trace::link(merged, problems);
  const SliceId kernel = find(merged, SliceKind::kernel, "relu");
  EXPECT_EQ(merged.name(merged.kernels[merged.slices.detail[kernel]].launch), "cudaLaunchKernel");
}

/// Merges the walk, with an op from 900 to 6900 that makes the launch, then writes the result and reads it back.
trace::ReadResult read_back(std::int64_t later) {
  Trace merged = walk();
  merged.ops.push_back({});
  slice(merged, SliceKind::op, "aten::relu", 0, 900, 6000, 1);
  EXPECT_TRUE(merge_recording(record(later), "CUPTI 13.0", merged));
  trace::Problems problems;
  trace::link(merged, problems);
  return trace::read_trace_text(trace::write_trace_text(merged));
}

/// The number of problems that the reader reports, except those of the copy, whose call is not in the record.
std::uint64_t loss_reports(const trace::ReadResult& read) {
  std::uint64_t count = 0;
  for (const trace::Problem& problem : read.problems.rows())
    if (problem.kind != trace::ProblemKind::launch_outside_window) count += problem.count;
  return count;
}

std::string op_name(const trace::Trace& read) {
  const SliceId op = trace::op_of(read, find(read, SliceKind::kernel, "relu"));
  return op == trace::no_slice ? "" : std::string(read.name(op));
}

TEST(MergeRecording, TimesOfOneClockAreAccepted) {
  const trace::ReadResult read = read_back(0);
  EXPECT_EQ(loss_reports(read), 0u);
  EXPECT_EQ(op_name(read.trace), "aten::relu");
}

// The shifted call, from 950 to 3450, stays within the op but starts 50 ns before the host's call.
TEST(MergeRecording, ADifferenceOfTheClocksIsSaid) {
  const trace::ReadResult read = read_back(-250);
  const SliceId launch = find(read.trace, SliceKind::runtime, "cudaLaunchKernel");
  EXPECT_EQ(read.trace.slices.start[launch], 950);
  EXPECT_EQ(read.trace.slices.duration[launch], 2500);
  EXPECT_EQ(op_name(read.trace), "aten::relu");
  EXPECT_EQ(loss_reports(read), 0u);
  ASSERT_EQ(read.trace.records.sources.size(), 1u);
  EXPECT_EQ(
      read.trace.records.sources[0].by,
      "CUPTI 13.0; its clock differs from the host's: 1 of 1 launch calls are up to 0.050 us outside the times at "
      "which the host made them");
}

TEST(MergeRecording, ACallThatEndsTooLateIsSaidToo) {
  const trace::ReadResult read = read_back(450);
  EXPECT_EQ(read.trace.slices.start[find(read.trace, SliceKind::runtime, "cudaLaunchKernel")], 1650);
  EXPECT_THAT(read.trace.records.sources[0].by, ::testing::HasSubstr("up to 0.150 us outside"));
}

TEST(MergeRecording, ACallThatBeginsBeforeItsOpIsKeptAndTold) {
  const trace::ReadResult read = read_back(-350);
  EXPECT_EQ(read.trace.slices.start[find(read.trace, SliceKind::runtime, "cudaLaunchKernel")], 850);
  EXPECT_EQ(op_name(read.trace), "") << "it does not lie in the op, and none is made up";
  EXPECT_EQ(read.problems.count_of(trace::ProblemKind::partial_overlap), 1u);
  EXPECT_EQ(loss_reports(read), 1u);
  EXPECT_EQ(read.problems.rows().front().message,
            R"("cudaLaunchKernel" (at 0.850 us) and "aten::relu" (at 0.900 us) overlap on one thread without nesting; )"
            "both are kept");
}

TEST(MergeRecording, ACallInAnotherOpIsTold) {
  Trace early = record(-980);  // the call begins at 220
  const SliceId call = find(early, SliceKind::runtime, "cudaLaunchKernel");
  for (SliceId s = call; s < early.slices.size(); ++s)
    if (early.slices.kind[s] == SliceKind::runtime) early.slices.duration[s] = 300;
  Trace merged = walk();
  merged.kernels[0].external_id = 8;
  trace::OpDetail op;
  op.external_id = 7;
  merged.ops.push_back(op);
  slice(merged, SliceKind::op, "aten::empty", 0, 200, 400, 1);
  ASSERT_TRUE(merge_recording(early, "CUPTI 13.0", merged));
  trace::Problems problems;
  trace::link(merged, problems);
  EXPECT_EQ(problems.count_of(trace::ProblemKind::external_id_mismatch), 1u);
}

TEST(MergeRecording, FewerKernelsThanTheWalkIsTold) {
  Trace merged = walk();
  Trace none;
  EXPECT_EQ(merge_recording(none, "CUPTI 13.0", merged).error(), "CUPTI recorded 0 of the 1 kernels of this run");
}

}  // namespace
}  // namespace warpwalk::cuda
