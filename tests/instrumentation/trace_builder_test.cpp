#include "instrumentation/trace_builder.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/equal.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t t0 = 1'700'000'000 * second;  // start of the recordings in this file

struct Made {
  trace::Trace trace;
  RecordingSummary account;

  trace::SliceId find(std::string_view name, int nth = 0) const {
    for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
      if (trace.name(s) == name && nth-- == 0) return s;
    return trace::no_slice;
  }
  std::string extra(trace::SliceId s) const { return std::string(trace.text(trace.slices.extra[s])); }
};

Made make(const std::vector<Row>& rows) {
  TraceBuilder maker;
  maker.add(Begin{4711, 130001, t0, "/usr/bin/python3 train.py --lr 3"});
  for (const Row& row : rows) maker.add(row);
  Made made;
  made.trace = maker.finish(made.account);
  return made;
}

KernelRow kernel(std::uint64_t start, std::uint64_t end, std::uint32_t stream, std::uint32_t correlation) {
  KernelRow row;
  row.start = t0 + start, row.end = t0 + end;
  row.name = 1, row.context = 1, row.stream = stream, row.correlation = correlation;
  row.grid = {264, 1, 1}, row.block = {96, 1, 1};
  row.registers = 32, row.static_shared = 100, row.dynamic_shared = 24;
  return row;
}

CallRow timed_call(std::uint64_t start, std::uint64_t end, std::uint32_t correlation, std::uint32_t thread = 4711) {
  CallRow row;
  row.start = t0 + start, row.end = t0 + end;
  row.cbid = 211, row.name = 2, row.thread = thread, row.correlation = correlation;
  return row;
}

DeviceRow h200() {
  DeviceRow row;
  row.name = 3, row.sms = 132, row.warp_size = 32, row.max_warps_per_sm = 64, row.compute_major = 9;
  return row;
}

const std::vector<Row> names = {Name{1, "_Z5scalePf"}, Name{2, "cudaLaunchKernel_v7000"}, Name{3, "NVIDIA H200"},
                                Name{4, "NCCL"}};

std::vector<Row> with_names(std::vector<Row> rows) {
  rows.insert(rows.begin(), names.begin(), names.end());
  return rows;
}

// The start of a slice, in nanoseconds since t0.
std::int64_t start_of(const Made& made, trace::SliceId s) {
  return made.trace.slices.start[s] + made.trace.base_time_ns - static_cast<std::int64_t>(t0);
}

TEST(TraceBuilder, AKernelItsLaunchAndItsOp) {
  KernelRow row = kernel(5000, 6500, 13, 77);
  row.queued = t0 + 1000, row.submitted = t0 + 4400;
  row.local_bytes = 8, row.cluster = {2, 1, 1};
  // The device, the priority and the thread name come after the rows that need them.
  const Made made = make({Row(names[0]), Row(names[1]), row, timed_call(900, 3000, 77),
                          PushRow{t0 + 500, 4711, 0, "aten::mul, seq = 3, op_id = 9, sizes = [[264, 96], []]"},
                          PopRow{t0 + 3500, 4711, 0}, StreamRow{1, 13, -5}, Row(names[2]), h200(),
                          ThreadRow{4711, "python3"}, End{t0 + 9000, 0}});
  const trace::Trace& trace = made.trace;
  const trace::SliceId k = made.find("scale(float*)");
  ASSERT_NE(k, trace::no_slice);
  EXPECT_EQ(start_of(made, k), 5000);
  EXPECT_EQ(trace.slices.duration[k], 1500);
  const trace::KernelDetail& detail = trace.kernels[trace.slices.detail[k]];
  EXPECT_EQ(detail.queued - trace.slices.start[k], -4000);
  EXPECT_EQ(detail.submitted - trace.slices.start[k], -600);
  EXPECT_EQ(detail.shared_bytes, 124);
  EXPECT_EQ(detail.priority, -5);
  EXPECT_EQ(detail.blocks_per_sm, 2.0);
  EXPECT_EQ(detail.warps_per_sm, 6.0);
  EXPECT_EQ(detail.graph_id, trace::absent);
  EXPECT_EQ(made.extra(k), "\"local memory per thread\": 8, \"cluster\": [2, 1, 1]");
  const trace::SliceId launch = trace::launch_of(trace, k);
  ASSERT_NE(launch, trace::no_slice);
  EXPECT_EQ(trace.name(launch), "cudaLaunchKernel");
  const trace::SliceId op = trace::op_of(trace, k);
  ASSERT_NE(op, trace::no_slice);
  EXPECT_EQ(trace.name(op), "aten::mul");
  const trace::OpDetail& op_detail = trace.ops[trace.slices.detail[op]];
  EXPECT_EQ(op_detail.sequence, 3);
  EXPECT_EQ(trace.text(op_detail.input_dims), "[[264, 96], []]");
  const trace::Track& thread = trace.tracks[trace.slices.track[launch]];
  EXPECT_EQ(trace.text(thread.name), "thread 4711 (python3)");
  EXPECT_EQ(trace.text(thread.process_name), "python3");
  EXPECT_EQ(trace.text(trace.tracks[trace.slices.track[k]].name), "stream 13");
  EXPECT_EQ(trace.devices.at(0).max_threads_per_sm, 2048);
  EXPECT_EQ(trace.records.time_origin(), trace::Origin::measured);
  EXPECT_EQ(trace.records.sources.at(0).by, "CUPTI 13.0, by warpwalk record");
  EXPECT_TRUE(made.account.closed);
}

TEST(TraceBuilder, OneGraphLaunchOwnsManyKernels) {
  std::vector<Row> rows = with_names({timed_call(100, 200, 5)});
  for (int n = 0; n < 3; ++n) {
    KernelRow row = kernel(1000 + 100 * n, 1050 + 100 * n, 7, 5);
    row.graph = 2, row.graph_node = 100 + n;
    rows.push_back(row);
  }
  const Made made = make(rows);
  EXPECT_EQ(made.trace.launched.size(), 3u);
  for (const trace::KernelDetail& detail : made.trace.kernels) {
    EXPECT_EQ(detail.graph_id, 2);
    EXPECT_NE(detail.launch, trace::no_slice);
  }
}

TEST(TraceBuilder, StreamsDevicesAndThreadsAreTracksOfTheirOwn) {
  KernelRow other = kernel(10, 20, 7, 3);
  other.device = 1;
  const Made made = make(
      with_names({kernel(10, 20, 7, 1), kernel(10, 20, 13, 2), other, timed_call(1, 2, 1), timed_call(1, 2, 2, 4800)}));
  std::vector<std::string> tracks;
  for (const trace::Track& track : made.trace.tracks)
    tracks.push_back((track.gpu ? "gpu " : "cpu ") + std::string(made.trace.text(track.pid)) + " " +
                     std::string(made.trace.text(track.tid)));
  EXPECT_EQ(tracks, (std::vector<std::string>{"cpu 4711 4711", "cpu 4711 4800", "gpu 0 7", "gpu 0 13", "gpu 1 7"}));
}

TEST(TraceBuilder, WhatNeverEndedIsSaid) {
  KernelRow running = kernel(100, 0, 7, 1);
  running.end = 0;
  KernelRow untimed = kernel(0, 0, 7, 2);
  untimed.start = untimed.end = 0;
  const Made made =
      make(with_names({running, untimed, PushRow{t0 + 50, 4711, 0, "epoch"}, PushRow{t0 + 60, 4711, 0, "step"},
                       PopRow{t0 + 400, 4711, 0}, RangeStartRow{t0 + 70, 9, 4711, 0, "load"}}));
  EXPECT_EQ(made.account.unfinished, 3u);
  EXPECT_FALSE(made.account.closed);
  const trace::SliceId epoch = made.find("epoch");
  EXPECT_EQ(made.trace.slices.duration[epoch], 350);  // until the last recorded time
  EXPECT_EQ(made.extra(epoch), "\"warpwalk unfinished\": true");
  EXPECT_EQ(made.extra(made.find("step")), "");
  EXPECT_EQ(made.extra(made.find("load")), "\"warpwalk unfinished\": true");
  const trace::SliceId never = made.find("scale(float*)");  // the untimed one comes first
  EXPECT_EQ(made.trace.slices.start[never], 0);
  EXPECT_EQ(made.trace.slices.duration[never], 0);
}

TEST(TraceBuilder, RangesOfTwoDomainsNestEachOnTheirOwn) {
  const Made made = make(with_names({PushRow{t0 + 10, 1, 0, "outer"}, PushRow{t0 + 20, 1, 4, "ncclAllReduce::x"},
                                     PopRow{t0 + 30, 1, 0}, PopRow{t0 + 40, 1, 4}, PopRow{t0 + 50, 1, 4}}));
  EXPECT_EQ(made.trace.slices.duration[made.find("outer")], 20);
  const trace::SliceId nccl = made.find("ncclAllReduce::x");
  EXPECT_EQ(made.trace.slices.duration[nccl], 20);
  EXPECT_EQ(made.trace.slices.kind[nccl], trace::SliceKind::annotation);
  EXPECT_EQ(made.extra(nccl), "\"domain\": \"NCCL\"");
}

TEST(TraceBuilder, PayloadsBelongToTheRangeAroundThem) {
  const auto field = [](std::uint32_t key, std::uint32_t kind, std::uint64_t value, std::string_view text = {},
                        std::uint64_t range = 0) { return PayloadRow{1, 6, range, key, kind, value, text}; };
  const Made made = make(
      with_names({Name{6, "a library"}, Name{7, "rows"}, Name{8, "share"}, Name{9, "kind"},
                  PushRow{t0 + 10, 1, 6, "outer"}, field(7, PayloadRow::signed_number, static_cast<std::uint64_t>(-3)),
                  PushRow{t0 + 20, 1, 6, "inner"}, field(8, PayloadRow::real_number, 0x3fe0000000000000),
                  PopRow{t0 + 30, 1, 6}, field(9, PayloadRow::words, 0, "left \"join\""), PopRow{t0 + 40, 1, 6},
                  RangeStartRow{t0 + 50, 77, 1, 6, "apart"}, field(7, PayloadRow::unsigned_number, 5, {}, 77),
                  field(7, PayloadRow::unsigned_number, 6, {}, 78), RangeEndRow{t0 + 60, 77},
                  field(7, PayloadRow::unsigned_number, 7)}));
  EXPECT_EQ(made.extra(made.find("outer")), R"("domain": "a library", "rows": -3, "kind": "left \"join\"")");
  EXPECT_EQ(made.extra(made.find("inner")), R"("domain": "a library", "share": 0.5)");
  EXPECT_EQ(made.extra(made.find("apart")), R"("domain": "a library", "rows": 5)");
}

TEST(TraceBuilder, ARankIsNamedAndSaid) {
  const Made made = make(with_names({RankRow{1, 2}, ClockRow{"4b1d"}, kernel(10, 20, 7, 1), timed_call(1, 2, 1)}));
  EXPECT_EQ(made.account.rank, (ProcessRank{1, 2}));
  for (const trace::Track& track : made.trace.tracks) EXPECT_EQ(made.trace.text(track.process_name), "rank 1 python3");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : made.trace.metadata) metadata.emplace(made.trace.text(key), made.trace.text(value));
  EXPECT_EQ(metadata["distributedInfo"], R"({"rank": 1, "world_size": 2})") << "no NCCL, so no backend is known";
  EXPECT_THAT(metadata["warpwalk_recording"], ::testing::HasSubstr(R"("clock": "CLOCK_REALTIME, boot 4b1d")"));
  EXPECT_FALSE(make({RankRow{2, 2}}).account.rank) << "a damaged row";
}

TEST(TraceBuilder, LossesAndTroublesAdd) {
  const Made made =
      make({LossRow{3, 0, 1}, LossRow{4, 10, 0}, ErrorRow{7, 0, "memsets are not recorded: \"why\""}, End{t0 + 1, 11}});
  EXPECT_EQ(made.account.dropped, 7u);
  EXPECT_EQ(made.account.unwritten, 10u);
  EXPECT_EQ(made.account.unknown, 1u);
  EXPECT_EQ(made.account.signal, 11u);
  EXPECT_EQ(made.account.warnings, std::vector<std::string>{"memsets are not recorded: \"why\""});
  ASSERT_EQ(made.trace.metadata.size(), 1u);
  const std::string_view json = made.trace.text(made.trace.metadata[0].second);
  EXPECT_THAT(json, ::testing::HasSubstr("\"dropped_records\": 7"));
  EXPECT_THAT(json, ::testing::HasSubstr("memsets are not recorded: \\\"why\\\""));
  EXPECT_EQ(make({ErrorRow{39, 1, "CUPTI is busy"}}).account.fatal_error, "CUPTI is busy");
}

TEST(TraceBuilder, ExternalNumbersReachCallsAndWork) {
  const Made made =
      make(with_names({ExternalRow{990, 3, 5}, kernel(10, 20, 7, 5), timed_call(1, 2, 5), timed_call(3, 4, 6)}));
  EXPECT_EQ(made.trace.kernels[0].external_id, 990);
  std::vector<std::int64_t> of_calls;
  for (const trace::CallDetail& detail : made.trace.calls) of_calls.push_back(detail.external_id);
  EXPECT_EQ(std::count(of_calls.begin(), of_calls.end(), 990), 1);
}

TEST(TraceBuilder, CopiesSetsSyncsMemoryOverhead) {
  MemcpyRow copy;
  copy.start = t0 + 10, copy.end = t0 + 110, copy.bytes = 5000, copy.kind = 10, copy.from = copy.to = 3;
  copy.stream = 7, copy.peer = 1, copy.from_device = 0, copy.to_device = 1;
  MemsetRow set;
  set.start = t0 + 200, set.end = t0 + 210, set.bytes = 64, set.memory = 3, set.stream = 7;
  MemoryRow memory;
  memory.time = t0 + 5, memory.address = 1ull << 63, memory.bytes = 512, memory.operation = 1, memory.kind = 3;
  const Made made = make({ContextRow{1, 2, 7}, copy, set, memory, PoolRow{t0 + 6, 1, 2, 3, 4, 1, 0, 0},
                          SyncRow{t0 + 300, t0 + 400, 4, 1, no_id, no_id, 8}, OverheadRow{t0 + 1, t0 + 2, 5u << 16, 0},
                          MarkRow{t0 + 3, 4711, 0, "here"}});
  const trace::SliceId c = made.find("Memcpy PtoP (Device -> Device)");
  ASSERT_NE(c, trace::no_slice);
  EXPECT_EQ(made.trace.transfers[made.trace.slices.detail[c]].bandwidth_gb_s, 50.0);
  EXPECT_EQ(made.extra(c), "\"fromDevice\": 0, \"toDevice\": 1");
  EXPECT_NE(made.find("Memset (Device)"), trace::no_slice);
  const trace::SliceId sync = made.find("Context Sync");
  ASSERT_NE(sync, trace::no_slice);
  EXPECT_EQ(made.trace.syncs[0].stream, -1);
  EXPECT_EQ(made.trace.syncs[0].device, 2);
  EXPECT_NE(made.find("Lazy Function Loading"), trace::no_slice);
  ASSERT_EQ(made.trace.instants.size(), 3u);
  EXPECT_EQ(made.trace.text(made.trace.instants[0].name), "here");
  EXPECT_EQ(made.trace.text(made.trace.instants[1].name), "allocation");
  EXPECT_THAT(made.trace.text(made.trace.instants[1].extra), ::testing::HasSubstr("\"Addr\": 9223372036854775808"));
  EXPECT_EQ(made.trace.text(made.trace.instants[2].name), "pool created");
}

TEST(TraceBuilder, AWaitIsForTheLastRecordOfItsEventBeforeIt) {
  const auto wait = [](std::uint32_t correlation, std::uint32_t event) {
    return SyncRow{t0 + correlation, t0 + correlation + 1, 2, 1, 13, event, correlation};
  };
  const Made made = make({EventRecordRow{1, 7, 5, 10}, EventRecordRow{1, 8, 5, 20}, EventRecordRow{2, 9, 5, 24},
                          wait(15, 5), wait(25, 5), wait(8, 5), wait(26, 6), wait(27, no_id)});
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> waits;
  for (const trace::SyncDetail& sync : made.trace.syncs)
    waits[sync.correlation] = {sync.wait_on_stream, sync.wait_on_record};
  const std::pair<std::int64_t, std::int64_t> none = {trace::absent, trace::absent};
  EXPECT_EQ(waits, (std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>>{
                       {8, none}, {15, {7, 10}}, {25, {8, 20}}, {26, none}, {27, none}}));
}

TEST(TraceBuilder, ReadsBackFromAFileAsItWas) {
  std::vector<Row> rows =
      with_names({h200(), kernel(50, 60, 7, 1), kernel(55, 70, 7, 2), timed_call(1, 20, 1), timed_call(21, 30, 2),
                  PushRow{t0, 4711, 0, "a \"quoted\"\n range"}, PopRow{t0 + 90, 4711, 0},
                  SyncRow{t0 + 40, t0 + 80, 3, 1, 7, no_id, 3}, End{t0 + 100, 0}});
  const Made made = make(rows);
  const trace::ReadResult read = trace::read_trace_text(trace::write_trace_text(made.trace));
  EXPECT_FALSE(read.error);
  EXPECT_EQ(trace::equal(made.trace, read.trace), std::nullopt);
}

TEST(TraceBuilder, NumbersOfNowhereAreNoHarm) {
  KernelRow strange = kernel(10, 20, 7, 5);
  strange.name = 4'000'000'000u;
  strange.start = 1, strange.end = ~std::uint64_t{0};
  const Made made = make({strange, Name{4'100'000'000u, "x"}, PopRow{1, 2, 3}, RangeEndRow{t0, 5}, PopRow{0, 0, 0}});
  EXPECT_EQ(made.trace.kernels.size(), 1u);
  EXPECT_EQ(made.trace.name(0), "");
}

}  // namespace
}  // namespace warpwalk::instrumentation
