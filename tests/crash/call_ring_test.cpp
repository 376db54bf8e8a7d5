// The calls of armed programs: files that were recorded on an H200, and files made here.
#include "core/crash/call_ring.h"

#include <algorithm>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "core/crash/core_dump.h"
#include "tests/crash/sample.h"

namespace warpwalk::crash {
namespace {

/// A file with these parts.
std::string file_of(std::vector<RingEntry> calls, std::vector<RingAllocation> allocations,
                    std::vector<RingFrame> frames, std::string_view texts) {
  RingHeader header;
  header.signature = ring_signature;
  header.entry_bytes = sizeof(RingEntry);
  header.entries = static_cast<std::uint32_t>(calls.size());
  header.allocations = static_cast<std::uint32_t>(allocations.size());
  header.frames = static_cast<std::uint32_t>(frames.size());
  header.text_bytes = texts.size();
  std::string file;
  const auto add = [&](const void* from, std::size_t bytes) { file.append(static_cast<const char*>(from), bytes); };
  add(&header, sizeof header);
  add(calls.data(), calls.size() * sizeof(RingEntry));
  add(allocations.data(), allocations.size() * sizeof(RingAllocation));
  add(frames.data(), frames.size() * sizeof(RingFrame));
  return file.append(texts);
}

RingEntry call_of(std::uint64_t number, std::uint32_t stack = 0) {
  RingEntry call;
  call.number = number;
  call.stack = stack;
  return call;
}

// The newest calls overwrite the oldest ones, so that the file is in another order.
TEST(CallRing, CallsAreInTheOrderInWhichTheyWereMade) {
  const std::string file = file_of({call_of(5), call_of(6), call_of(3), call_of(0), call_of(4)}, {}, {}, {});
  const auto ring = CallRing::read(file);
  ASSERT_TRUE(ring) << ring.error();
  std::vector<std::uint64_t> numbers;
  for (const RingEntry& call : ring->calls()) numbers.push_back(call.number);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{3, 4, 5, 6}));
}

TEST(CallRing, StacksBeginWithTheInnermostFrame) {
  using std::string_view_literals::operator""sv;
  const std::string file = file_of({call_of(1, 3)}, {}, {{0, 0}, {0, 1}, {1, 7}, {2, 10}}, "\0outer\0in\0last"sv);
  const auto ring = CallRing::read(file);
  ASSERT_TRUE(ring) << ring.error();
  EXPECT_EQ(ring->stack(3), (std::vector<std::string_view>{"last", "in", "outer"}));
  EXPECT_TRUE(ring->stack(0).empty());
  EXPECT_TRUE(ring->stack(9).empty());
}

TEST(CallRing, FramesInACircleEnd) {
  const std::string file = file_of({call_of(1, 2)}, {}, {{0, 0}, {2, 0}, {1, 0}}, {});
  const auto ring = CallRing::read(file);
  ASSERT_TRUE(ring) << ring.error();
  EXPECT_EQ(ring->stack(2).size(), 2u);
}

TEST(CallRing, TheNearestAllocation) {
  const auto at = [](std::uint64_t address, std::uint64_t bytes, std::uint64_t allocated, std::uint64_t released) {
    return RingAllocation{address, bytes, allocated, released, 0, 0, 0, 0};
  };
  const std::string file = file_of({}, {at(1000, 100, 1, 2), at(1000, 50, 3, 0), at(2000, 10, 4, 5), {}}, {}, {});
  const auto ring = CallRing::read(file);
  ASSERT_TRUE(ring) << ring.error();
  EXPECT_EQ(ring->allocations().size(), 3u);
  EXPECT_EQ(ring->allocation_near(1000, 0)->allocated, 3u);  // one that is still there
  EXPECT_EQ(ring->allocation_near(1060, 0)->allocated, 1u);  // only what was released covers it
  EXPECT_EQ(ring->allocation_near(2015, 100)->allocated, 4u);
  EXPECT_EQ(ring->allocation_near(2015, 5), nullptr);
  EXPECT_EQ(ring->allocation_near(995, 5)->allocated, 3u);
}

// Every length of a whole file: none is read beyond its end.
TEST(CallRing, ACutFileIsRefused) {
  const std::string file = file_of({call_of(1)}, {{1, 1, 1, 0, 0, 0, 0, 0}}, {{}}, "text");
  for (std::size_t length = 0; length < file.size(); ++length)
    EXPECT_FALSE(CallRing::read(file.substr(0, length))) << length;
  ASSERT_TRUE(CallRing::read(file));
  std::string other = file;
  other[0] = 'X';
  EXPECT_FALSE(CallRing::read(other));
  other = file;
  std::memset(other.data() + 12, 0xff, 4);  // RingHeader::entries
  EXPECT_FALSE(CallRing::read(other));
}

TEST(CallRing, AKernelOfAGraphIsThatOfItsLastLaunchBeforeAnError) {
  std::vector<RingEntry> calls = {call_of(1), call_of(2), call_of(3), call_of(4)};
  for (RingEntry& call : calls) call.kind = static_cast<std::uint32_t>(RingCall::graph_launch);
  calls[2].result = 700;
  const std::string file = file_of(calls, {}, {}, {});
  const auto ring = CallRing::read(file);
  ASSERT_TRUE(ring) << ring.error();
  const GridLaunch launch = launch_of(*ring, DumpGrid(), "kernel");
  ASSERT_NE(launch.call, nullptr);
  EXPECT_EQ(launch.call->number, 2u);
  EXPECT_TRUE(launch.of_graph);
  // The kernel was launched alone, too, as the third launch.
  calls[0].kind = static_cast<std::uint32_t>(RingCall::launch);
  calls[0].ordinal = 3;
  const std::string other_file = file_of(calls, {}, {}, {});
  const auto other = CallRing::read(other_file);
  ASSERT_TRUE(other) << other.error();
  DumpGrid grid;
  grid.id = 6;
  EXPECT_TRUE(launch_of(*other, grid, "").of_graph);
  grid.id = 3;
  EXPECT_EQ(launch_of(*other, grid, "").call->number, 1u);
}

// The program runs ahead of its GPU: the same kernel was launched again before the failure was noticed.
TEST(CallRing, TheLaunchIsToldByTheNumberOfTheGrid) {
  std::vector<RingEntry> calls;
  for (std::uint64_t number = 1; number <= 4; ++number) {
    calls.push_back(call_of(number));
    calls.back().kind = static_cast<std::uint32_t>(RingCall::launch);
    calls.back().ordinal = 10 * number;
  }
  calls[1].grid = {2, 1, 1};
  const std::string file = file_of(calls, {}, {}, {});
  const auto ring = CallRing::read(file);
  ASSERT_TRUE(ring) << ring.error();
  DumpGrid grid;
  grid.id = 31;
  EXPECT_EQ(launch_of(*ring, grid, "").call->number, 3u);
  EXPECT_EQ(launch_of(*ring, grid, "").alike, 3u);
  grid.id = 20;  // the launch of this number has another shape
  EXPECT_EQ(launch_of(*ring, grid, "").call->number, 1u);
}

// Bytes that are changed at random: whatever can be read can be asked, too.
TEST(CallRing, ADamagedFileIsReadOrRefused) {
  std::vector<RingEntry> calls = {call_of(1, 1), call_of(2, 2)};
  for (RingEntry& call : calls) call.kind = static_cast<std::uint32_t>(RingCall::launch);
  const std::string whole = file_of(calls, {{1, 1, 1, 0, 0, 0, 0, 0}}, {{0, 0}, {0, 1}, {1, 2}}, "a text");
  std::mt19937 random(1);
  std::size_t readable = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string file = whole;
    for (int change = 0; change < 4; ++change) file[random() % file.size()] = static_cast<char>(random());
    const auto ring = CallRing::read(file);
    if (!ring) {
      EXPECT_EQ(ring.error().find('\n'), std::string::npos);
      continue;
    }
    ++readable;
    for (const RingEntry& call : ring->calls()) {
      ring->stack(call.stack);
      ring->text(call.name);
    }
    ring->allocation_near(random(), random());
    launch_of(*ring, DumpGrid(), "");
  }
  EXPECT_GT(readable, 5'000u);
}

// triton_scatter.py: a Triton kernel of a Python program; its 31st launch has an index of 1 << 34.
TEST(CallRing, TheLaunchOfADump) {
  const Sample sample("armed_scatter");
  const std::string bytes = sample_bytes("armed_scatter.calls");
  const auto ring = CallRing::read(bytes);
  ASSERT_TRUE(ring) << ring.error();
  ASSERT_TRUE(sample.crash);
  const GridLaunch launch = launch_of(*ring, *sample.crash->thread.grid, "scatter");
  ASSERT_NE(launch.call, nullptr);
  EXPECT_EQ(ring->text(launch.call->name), "cuLaunchKernelEx");
  EXPECT_EQ(launch.call->grid, (Extent3{40, 1, 1}));
  const auto stack = ring->stack(launch.call->stack);
  ASSERT_FALSE(stack.empty());
  EXPECT_TRUE(
      std::ranges::any_of(stack, [](std::string_view frame) { return frame.ends_with("triton_scatter.py:8 place"); }));
  EXPECT_EQ(launch_of(*ring, *sample.crash->thread.grid, "another").call, nullptr);
}

}  // namespace
}  // namespace warpwalk::crash
