// A walk without the GPU's times, and CUPTI's record of the process that made it.
#include "instrumentation/cuda/merge_recording.h"

#include <gtest/gtest.h>

#include "core/trace/link.h"

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

/// One launch within an annotation from 100 to 9000 of a walk that began at 1,000,000.
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

/// The same launch twice, the second in the walk's time, with a copy and a cudaMalloc beside it; the record began at
/// 900,000.
Trace record() {
  Trace trace;
  tracks(trace);
  trace.base_time_ns = 900'000;
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
  ASSERT_FALSE(merge_recording(record(), merged));
  const SliceId kernel = find(merged, SliceKind::kernel, "relu");
  EXPECT_EQ(merged.slices.start[kernel], 5000) << "105,000 of the record";
  EXPECT_EQ(merged.slices.duration[kernel], 1200);
  const trace::KernelDetail& detail = merged.kernels[merged.slices.detail[kernel]];
  EXPECT_EQ(detail.correlation, 52);
  EXPECT_EQ(detail.queued, 4100);
  EXPECT_EQ(detail.record, 0);
  EXPECT_EQ(merged.records.kernels[0].registers, 28u);
  EXPECT_EQ(merged.text(merged.tracks[1].tid), "13");
  const SliceId launch = find(merged, SliceKind::runtime, "cudaLaunchKernel");
  EXPECT_EQ(merged.slices.start[launch], 1200);
  EXPECT_EQ(merged.slices.duration[launch], 2500);
}

TEST(MergeRecording, WhatElseHappenedThenIsAdded) {
  Trace merged = walk();
  ASSERT_FALSE(merge_recording(record(), merged));
  EXPECT_EQ(merged.slices.start[find(merged, SliceKind::runtime, "cudaMalloc")], 500);
  EXPECT_EQ(merged.slices.start[find(merged, SliceKind::memcpy, "Memcpy DtoH")], 7000);
  EXPECT_EQ(merged.calls.size(), 2u) << "not the cudaMalloc before the walk";
  trace::Problems problems;
  trace::link(merged, problems);
  const SliceId kernel = find(merged, SliceKind::kernel, "relu");
  EXPECT_EQ(merged.name(merged.kernels[merged.slices.detail[kernel]].launch), "cudaLaunchKernel");
}

TEST(MergeRecording, FewerKernelsThanTheWalkIsTold) {
  Trace merged = walk();
  Trace none;
  EXPECT_EQ(merge_recording(none, merged), "CUPTI recorded 0 of the 1 kernels of this run");
}

}  // namespace
}  // namespace warpwalk::cuda
