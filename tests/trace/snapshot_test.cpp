// Memory snapshots: pickles that Python wrote (make_pickles.py) and PyTorch recorded, whole, cut off and hostile.
#include <map>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/writer.h"
#include "core/trace/snapshot/memory_snapshot.h"
#include "tests/trace/equal.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

constexpr std::uint64_t base = 0x7F0000000000;

std::filesystem::path file_of(std::string_view name) {
  return fmt::format("{}/tests/trace/data/{}", WARPWALK_SOURCE_DIR, name);
}
std::string pickle(std::string_view name) { return read_file(file_of(fmt::format("pickles/{}.pickle", name))); }

void expect_the_small_one(const ReadResult& read) {
  ASSERT_FALSE(read.error) << *read.error;
  const Trace& trace = read.trace;
  const auto snapshot = memory_snapshot(trace);
  ASSERT_TRUE(snapshot);
  ASSERT_EQ(snapshot->segments.size(), 2u);
  const MemorySnapshot::Segment& first = snapshot->segments[0];
  EXPECT_EQ(first.address, base);
  EXPECT_EQ(first.bytes, 2097152);
  EXPECT_TRUE(first.small);
  EXPECT_FALSE(first.expandable);
  ASSERT_EQ(first.blocks.size(), 3u);
  EXPECT_EQ(first.blocks[0].requested, 1000);
  EXPECT_EQ(first.blocks[0].state, MemorySnapshot::State::allocated);
  EXPECT_EQ(first.blocks[1].address, base + 1024);
  EXPECT_EQ(first.blocks[1].state, MemorySnapshot::State::awaiting_free);
  EXPECT_EQ(first.blocks[2].state, MemorySnapshot::State::inactive);
  EXPECT_EQ(first.blocks[2].bytes, 2095616);
  const MemorySnapshot::Segment& second = snapshot->segments[1];
  EXPECT_EQ(second.device, 1);
  EXPECT_EQ(second.stream, -5);
  EXPECT_TRUE(second.expandable);
  EXPECT_FALSE(second.small);
  const auto& stack = snapshot->stacks.at(first.blocks[0].stack);
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(snapshot->frames.at(stack[0]).name, "step");
  EXPECT_EQ(snapshot->frames.at(stack[0]).file, "train.py");
  EXPECT_EQ(snapshot->frames.at(stack[0]).line, 12);
  EXPECT_EQ(snapshot->frames.at(stack[1]).name, "<module>");
  const std::map<std::string, std::string> settings(snapshot->settings.begin(), snapshot->settings.end());
  EXPECT_EQ(settings, (std::map<std::string, std::string>{{"expandable_segments", "False"},
                                                          {"max_split_size", "-1"},
                                                          {"garbage_collection_threshold", "0.5"},
                                                          {"last", "None"}}));
  // Three allocations, one whole free, one free that waits for another stream, and a refused request.
  ASSERT_EQ(trace.memory.size(), 6u);
  const std::int64_t times[] = {1, 5000, 6000, 7000, 9000, 11000};
  const std::int64_t bytes[] = {1000, 100, 700, -700, -100, std::int64_t{1} << 33};
  const std::int64_t allocated[] = {1000, 1100, 1800, 1100, 1000, 1000};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(trace.memory[i].time, times[i]) << i;
    EXPECT_EQ(trace.memory[i].bytes, bytes[i]) << i;
    EXPECT_EQ(trace.memory[i].allocated, allocated[i]) << i;
    EXPECT_EQ(trace.memory[i].reserved, 2097152) << i;
    EXPECT_EQ(trace.memory[i].out_of_memory, i == 5) << i;
  }
  EXPECT_EQ(trace.base_time_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ(snapshot_event(trace, trace.memory[3]).action, "free_requested");
  EXPECT_EQ(snapshot_event(trace, trace.memory[5]).device_free, 12345);
  EXPECT_EQ(snapshot_event(trace, trace.memory[5]).stack, first.blocks[0].stack);
  ASSERT_EQ(snapshot->changes.size(), 1u);
  EXPECT_EQ(snapshot->changes[0].bytes, 2097152);
}

TEST(Snapshot, EveryProtocolIsRead) {
  for (const int protocol : {2, 3, 4, 5}) {
    SCOPED_TRACE(protocol);
    const std::string bytes = pickle(fmt::format("protocol_{}", protocol));
    const ReadResult read = read_trace_text(bytes);
    expect_the_small_one(read);
    EXPECT_TRUE(read.problems.rows().empty());
    expect_the_small_one(read_trace_text(gzipped(bytes)));
  }
  expect_the_small_one(read_trace_text(pickle("numbers")));
}

TEST(Snapshot, TheSizeOfTheWindowDoesNotMatter) {
  const std::string bytes = pickle("many");
  const ReadResult whole = read_trace_text(bytes);
  ASSERT_FALSE(whole.error);
  EXPECT_EQ(whole.trace.memory.size(), 2506u);
  for (const std::size_t window : {1u, 7u, 100u, 4096u}) {
    ReadOptions options;
    options.window_bytes = window;
    const ReadResult pieces = read_trace_text(bytes, options);
    EXPECT_FALSE(equal(pieces.trace, whole.trace)) << window;
  }
}

TEST(Snapshot, CodeIsRefusedAndNotRun) {
  for (const std::string_view name : {"calls_2", "calls_4"}) {
    ::testing::internal::CaptureStdout();
    const ReadResult read = read_trace_text(pickle(name), {}, "x.pickle");
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    ASSERT_TRUE(read.error) << name;
    EXPECT_EQ(read.error->find("x.pickle: the pickle would call Python code ("), 0u) << *read.error;
    EXPECT_THAT(*read.error, ::testing::Not(::testing::HasSubstr("\n")));
    EXPECT_EQ(read.events, 0u);
    EXPECT_TRUE(read.trace.memory.empty());
  }
}

TEST(Snapshot, AnotherPickleIsNamed) {
  const ReadResult read = read_trace_text(pickle("other"), {}, "x.pickle");
  ASSERT_TRUE(read.error);
  EXPECT_EQ(*read.error,
            "x.pickle: is a Python pickle without segments and device_traces; give a file written by "
            "torch.cuda.memory._dump_snapshot");
}

TEST(Snapshot, WhatIsWholeIsKeptWhereverTheFileIsCutOff) {
  const std::string bytes = pickle("many");
  const ReadResult whole = read_trace_text(bytes);
  std::size_t before = 0, salvaged = 0;
  for (std::size_t end = 2; end < bytes.size(); end += 97) {
    const ReadResult part = read_trace_text(std::string_view(bytes).substr(0, end), {}, "x");
    if (part.error) {
      EXPECT_EQ(part.events, 0u);
      EXPECT_THAT(*part.error, ::testing::HasSubstr("cut off"));
      EXPECT_EQ(salvaged, 0u) << "nothing is lost again";
      continue;
    }
    ++salvaged;
    EXPECT_EQ(part.problems.count_of(ProblemKind::truncated), 1u);
    ASSERT_GE(part.trace.memory.size(), before) << end;
    before = part.trace.memory.size();
    ASSERT_TRUE(memory_snapshot(part.trace));
  }
  EXPECT_GT(salvaged, bytes.size() / 97 / 2);
  EXPECT_GT(before, 2400u);
}

TEST(Snapshot, ItIsWrittenAndReadAgain) {
  for (const std::string_view name : {"full.pickle.gz", "expandable.pickle.gz", "pickles/many.pickle"}) {
    const ReadResult read = read_trace(file_of(name));
    ASSERT_FALSE(read.error) << *read.error;
    const ReadResult again = read_trace_text(write_trace_text(read.trace));
    EXPECT_FALSE(equal(again.trace, read.trace)) << name;
    EXPECT_TRUE(has_memory_snapshot(again.trace));
  }
}

// tests/ops/allocator/snapshots.py: four weights of 24 MiB, then batches of 64 MiB until 401 MiB are full.
TEST(Snapshot, OneThatPyTorchRecorded) {
  constexpr std::int64_t mib = 1 << 20;
  const ReadResult read = read_trace(file_of("full.pickle.gz"));
  ASSERT_FALSE(read.error) << *read.error;
  const MemorySnapshot snapshot = memory_snapshot(read.trace).value();
  ASSERT_EQ(snapshot.segments.size(), 8u);
  std::int64_t bytes = 0;
  for (const auto& segment : snapshot.segments) bytes += segment.bytes;
  EXPECT_EQ(bytes, 4 * 24 * mib + 4 * 64 * mib);
  ASSERT_EQ(read.trace.memory.size(), 9u);
  EXPECT_TRUE(read.trace.memory[8].out_of_memory);
  EXPECT_EQ(read.trace.memory[8].bytes, 64 * mib);
  EXPECT_EQ(read.trace.memory[8].allocated, 352 * mib);
  const auto& stack = snapshot.stacks.at(snapshot_event(read.trace, read.trace.memory[0]).stack);
  EXPECT_EQ(snapshot.frames.at(stack.at(0)).name, "bytes_of");
  EXPECT_EQ(snapshot.frames.at(stack.at(1)).name, "load_weights");
}

TEST(Snapshot, ReadingStopsAtTheCapAndOnRequest) {
  ReadOptions options;
  options.memory_cap_bytes = 1 << 16;
  options.window_bytes = 4096;
  const ReadResult capped = read_trace_text(pickle("many"), options);
  EXPECT_TRUE(capped.error || capped.problems.count_of(ProblemKind::memory_cap) == 1);
  ReadOptions cancel;
  cancel.window_bytes = 4096;
  int calls = 0;
  cancel.on_progress = [&](const ReadProgress&) { return ++calls < 20; };
  const ReadResult cancelled = read_trace_text(pickle("many"), cancel);
  EXPECT_TRUE(cancelled.error || cancelled.problems.count_of(ProblemKind::cancelled) == 1);
  EXPECT_EQ(calls, 20);
}

TEST(Snapshot, HostileOpcodesEndInALine) {
  const std::string start = "\x80\x04";
  for (const std::string& tail : std::vector<std::string>{"",
                                                          "u.",
                                                          "}u.",
                                                          "(u.",
                                                          "a.",
                                                          "]a.",
                                                          "(a.",
                                                          "e.",
                                                          "(e.",
                                                          "s.",
                                                          "t.",
                                                          "\x85.",
                                                          "0.",
                                                          "1.",
                                                          "2.",
                                                          "(2.",
                                                          "h\x05.",
                                                          "j\xff\xff\xff\xff.",
                                                          "}r\xff\xff\xff\xff.",
                                                          "(((((.",
                                                          "\xff",
                                                          "}(K\x01u.",
                                                          std::string("\x8d\xff\xff\xff\xff\xff\xff\xff\x7f", 9),
                                                          "\x8b\xff\xff\xff\xff"}) {
    const ReadResult read = read_trace_text(start + tail, {}, "x");
    ASSERT_TRUE(read.error) << tail;
    EXPECT_THAT(*read.error, ::testing::Not(::testing::HasSubstr("\n")));
  }
  // A list that contains itself, a million times.
  std::string self = start + "]\x94";
  for (int i = 0; i < 1000000; ++i) self += std::string_view("h\0a", 3);
  EXPECT_TRUE(read_trace_text(self + ".", {}, "x").error);
}

}  // namespace
}  // namespace warpwalk::trace::test
