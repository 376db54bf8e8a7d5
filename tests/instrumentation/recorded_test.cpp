// Recordings of the programs in programs/ on an H200 (driver 580, CUPTI 13.0), as written by the injected library. The
// expected contents follow from the sources of the programs.
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/trace/link.h"
#include "instrumentation/recorded/read_recording.h"
#include "tests/app/program.h"

namespace warpwalk::instrumentation {
namespace {

RecordingResult recorded(const std::string& name) {
  return read_recording(WARPWALK_SOURCE_DIR "/tests/instrumentation/data/" + name + ".recording");
}

std::map<std::string, int> counts(const trace::Trace& trace, trace::SliceKind kind) {
  std::map<std::string, int> out;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == kind) ++out[std::string(trace.name(s))];
  return out;
}

using Counts = std::map<std::string, int>;

// Every piece of GPU work has a launch and starts after the launch starts.
void expect_linked(const trace::Trace& trace) {
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s) {
    if (!trace::is_gpu_work(trace.slices.kind[s])) continue;
    const trace::SliceId launch = trace::launch_of(trace, s);
    ASSERT_NE(launch, trace::no_slice) << trace.name(s);
    EXPECT_LT(trace.slices.start[launch], trace.slices.start[s]);
  }
}

TEST(Recorded, CopiesAndKernelsOnTwoStreams) {
  const RecordingResult read = recorded("streams");
  ASSERT_FALSE(read.error);
  EXPECT_TRUE(read.account.closed);
  const trace::Trace& trace = read.trace;
  EXPECT_EQ(counts(trace, trace::SliceKind::kernel), (Counts{{"(anonymous namespace)::scale(float*, int, float)", 8}}));
  EXPECT_EQ(counts(trace, trace::SliceKind::memcpy),
            (Counts{{"Memcpy DtoH (Device -> Pinned)", 8}, {"Memcpy HtoD (Pinned -> Device)", 8}}));
  EXPECT_EQ(counts(trace, trace::SliceKind::memset), (Counts{{"Memset (Device)", 2}}));
  EXPECT_EQ(counts(trace, trace::SliceKind::annotation), (Counts{{"round", 4}}));
  EXPECT_EQ(counts(trace, trace::SliceKind::runtime)["cudaLaunchKernel"], 8);
  EXPECT_EQ(counts(trace, trace::SliceKind::runtime)["cudaMemcpyAsync"], 16);
  expect_linked(trace);
  std::set<std::int64_t> streams, priorities;
  for (const trace::KernelDetail& kernel : trace.kernels) {
    EXPECT_EQ(kernel.grid, (std::array<std::int32_t, 3>{4096, 1, 1}));
    EXPECT_EQ(kernel.block, (std::array<std::int32_t, 3>{256, 1, 1}));
    EXPECT_EQ(kernel.shared_bytes, 1024);
    EXPECT_LT(kernel.queued, kernel.submitted);
    streams.insert(kernel.stream);
    priorities.insert(kernel.priority);
  }
  EXPECT_EQ(streams.size(), 2u);
  EXPECT_EQ(priorities, (std::set<std::int64_t>{-5, 0}));
  for (const trace::TransferDetail& transfer : trace.transfers) EXPECT_EQ(transfer.bytes, 4 << 20);
  // The second stream waits for an event recorded on the first.
  int waits = 0;
  for (const trace::SyncDetail& sync : trace.syncs) {
    if (trace.text(sync.kind) != "Stream Wait Event") continue;
    ++waits;
    EXPECT_EQ(sync.stream, *streams.rbegin());
    EXPECT_EQ(sync.wait_on_stream, *streams.begin());
    EXPECT_LT(sync.wait_on_record, sync.correlation);
  }
  EXPECT_EQ(waits, 1);
  ASSERT_EQ(trace.devices.size(), 1u);
  EXPECT_EQ(trace.text(trace.devices[0].name), "NVIDIA H200");
  EXPECT_EQ(trace.devices[0].sms, 132);
  EXPECT_EQ(trace.devices[0].max_threads_per_sm, 2048);
  EXPECT_EQ(trace.devices[0].compute_major, 9);
}

TEST(Recorded, AGraphLaunchedTenTimes) {
  const RecordingResult read = recorded("graph");
  ASSERT_FALSE(read.error);
  const trace::Trace& trace = read.trace;
  EXPECT_EQ(counts(trace, trace::SliceKind::kernel), (Counts{{"(anonymous namespace)::add_one(float*, int)", 30}}));
  EXPECT_EQ(counts(trace, trace::SliceKind::runtime)["cudaGraphLaunch"], 10);
  EXPECT_EQ(counts(trace, trace::SliceKind::memset), (Counts{{"Memset (Device)", 10}}));
  expect_linked(trace);
  std::set<std::int64_t> nodes;
  for (const trace::KernelDetail& kernel : trace.kernels) {
    EXPECT_NE(kernel.graph_id, trace::absent);
    nodes.insert(kernel.graph_node);
  }
  EXPECT_EQ(nodes.size(), 3u);
}

TEST(Recorded, AProgramThatAborted) {
  const RecordingResult read = recorded("abort");
  ASSERT_FALSE(read.error);
  EXPECT_EQ(read.account.signal, 6u);
  EXPECT_TRUE(read.account.closed);
  EXPECT_EQ(counts(read.trace, trace::SliceKind::kernel), (Counts{{"(anonymous namespace)::write(int*)", 20}}));
  expect_linked(read.trace);
}

TEST(Recorded, PyTorchNamesItsOps) {
  const RecordingResult read = recorded("relu");
  ASSERT_FALSE(read.error);
  const trace::Trace& trace = read.trace;
  EXPECT_EQ(counts(trace, trace::SliceKind::op),
            (Counts{{"aten::matmul", 1}, {"aten::mm", 1}, {"aten::relu", 1}, {"aten::clamp_min", 1}}));
  EXPECT_EQ(counts(trace, trace::SliceKind::annotation), (Counts{{"the walk", 1}}));
  std::map<std::string, std::string> dims;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == trace::SliceKind::op)
      dims[std::string(trace.name(s))] = trace.text(trace.ops[trace.slices.detail[s]].input_dims);
  EXPECT_EQ(dims["aten::mm"], "[[256, 128], [128, 64]]");
  EXPECT_EQ(dims["aten::relu"], "[[256, 64]]");
  std::set<std::string> ops_with_kernels;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.slices.kind[s] == trace::SliceKind::kernel)
      if (const trace::SliceId op = trace::op_of(trace, s); op != trace::no_slice)
        ops_with_kernels.insert(std::string(trace.name(op)));
  EXPECT_EQ(ops_with_kernels, (std::set<std::string>{"aten::mm", "aten::clamp_min"}));
  expect_linked(trace);
}

TEST(Recorded, DamagedItIsReadAsFarAsItGoes) {
  const testing::Folder folder;
  std::mt19937 random(3);
  for (const char* const name : {"streams", "graph", "relu"}) {
    const std::string whole =
        testing::text_of(std::string(WARPWALK_SOURCE_DIR "/tests/instrumentation/data/") + name + ".recording");
    for (int round = 0; round < 60; ++round) {
      std::string damaged = whole;
      for (int n = 0; n < 4; ++n) damaged[8 + random() % (damaged.size() - 8)] = static_cast<char>(random());
      const RecordingResult read = read_recording(folder.file("damaged", damaged));
      ASSERT_FALSE(read.error);
      EXPECT_LE(read.trace.slices.size(), whole.size());
    }
  }
}

}  // namespace
}  // namespace warpwalk::instrumentation
