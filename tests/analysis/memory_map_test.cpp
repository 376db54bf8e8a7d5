// The memory's history against arithmetic of its own.
#include "core/analysis/memory/memory_map.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"
#include "tests/traces/warehouse_trace.h"

namespace warpwalk::analysis {
namespace {

using RangeState = MemoryRange::State;

constexpr std::int64_t ns_per_us = 1000;
const MemorySpace gpu0{true, 0};

// Microseconds of SmallTrace as ns since the trace's base.
std::int64_t ns_at(double time) { return static_cast<std::int64_t>((1000 + time) * ns_per_us); }

std::vector<MemoryRange> all_ranges(const MemoryMap& map) {
  std::vector<MemoryRange> out;
  for (const MemoryStrip& strip : map.strips) out.insert(out.end(), strip.ranges.begin(), strip.ranges.end());
  return out;
}

TEST(CachingRules, AreThoseOfPyTorch) {
  using namespace caching_rules;
  EXPECT_EQ(rounded(0), 512);
  EXPECT_EQ(rounded(1), 512);
  EXPECT_EQ(rounded(512), 512);
  EXPECT_EQ(rounded(513), 1024);
  EXPECT_TRUE(is_small(mib));
  EXPECT_FALSE(is_small(mib + 512));
  EXPECT_EQ(segment_for(512), 2 * mib);
  EXPECT_EQ(segment_for(mib), 2 * mib);
  EXPECT_EQ(segment_for(mib + 512), 20 * mib);
  EXPECT_EQ(segment_for(10 * mib - 512), 20 * mib);
  EXPECT_EQ(segment_for(10 * mib), 10 * mib);
  EXPECT_EQ(segment_for(10 * mib + 512), 12 * mib);
}

// cudaFree gives a piece back, and the next may begin within its addresses.
TEST(MemoryMap, WhatTheDriverGaveIsHeldUntilItIsReturned) {
  MemoryTrace made;
  made.small.call("cudaLaunchKernel", 0, 5, 1).kernel("k", 10, 90, 1);
  made.driver(10, first_address, 4 * mib).driver(20, first_address + 4 * mib, mib).driver(30, first_address, -4 * mib);
  made.driver(40, first_address + mib, mib)
      .driver(50, first_address, 8 * mib, 1)
      .driver(55, first_address + 16 * mib, mib, 0, "Pinned");
  const Trace trace = made.read();
  struct Moment {
    double time;
    std::int64_t held;
    std::vector<std::uint64_t> addresses;
  };
  for (const auto& [time, held, addresses] :
       {Moment{5, 0, {}}, Moment{10, 4 * mib, {first_address}},
        Moment{25, 5 * mib, {first_address, first_address + 4 * mib}}, Moment{30, mib, {first_address + 4 * mib}},
        Moment{60, 2 * mib, {first_address + mib, first_address + 4 * mib}}}) {
    const MemoryMap map = memory_map(trace, gpu0, ns_at(time));
    EXPECT_EQ(map.source, MemoryMap::Source::driver);
    EXPECT_EQ(map.allocated, held) << time;
    EXPECT_EQ(map.reserved, trace::absent);
    EXPECT_EQ(map.peak_allocated, 5 * mib);
    EXPECT_EQ(map.blocks, addresses.size()) << time;
    ASSERT_EQ(map.strips.size(), addresses.size()) << time;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      EXPECT_EQ(map.strips[i].address, addresses[i]);
      EXPECT_EQ(map.strips[i].ranges.size(), 1u);
    }
    EXPECT_EQ(memory_totals(trace, map, ns_at(25)).allocated, 5 * mib);
  }
  EXPECT_EQ(memory_map(trace, {true, 1}, ns_at(60)).allocated, 8 * mib);
  EXPECT_EQ(memory_totals(trace, memory_map(trace, {true, 1}, ns_at(0)), ns_at(60)).allocated, 8 * mib);
  EXPECT_EQ(memory_map(trace, {false, 0}, ns_at(60)).source, MemoryMap::Source::none);
}

TEST(MemoryMap, APoolThatGrowsHasNoDip) {
  Trace trace;
  trace.begin_ns = ns_at(0);
  trace.end_ns = ns_at(1000);
  for (const auto& [time, bytes] : {std::pair{10, 4}, {500, -4}, {500, 8}, {900, -8}})
    trace.driver_memory.push_back({ns_at(time), first_address, bytes * mib, 0});
  const MemoryMap map = memory_map(trace, gpu0, ns_at(600));
  ASSERT_EQ(map.points.size(), 3u);
  EXPECT_EQ(map.points[1].allocated_low, 8 * mib);
  EXPECT_EQ(map.points[2].allocated, 0);
  EXPECT_EQ(map.allocated, 8 * mib);
  EXPECT_EQ(map.blocks, 1u);
  EXPECT_EQ(memory_map(trace, gpu0, ns_at(5)).allocated, 0);
}

// More addresses than an allocator's history is followed at.
TEST(MemoryMap, EveryPieceOfTheDriversIsCounted) {
  Trace trace;
  constexpr int pieces = 20000;
  for (int i = 0; i < pieces; ++i)
    trace.driver_memory.push_back({ns_at(i), first_address + std::uint64_t(i) * 4096, 4096, 0});
  for (int i = 0; i < pieces / 2; ++i)
    trace.driver_memory.push_back({ns_at(pieces + i), first_address + std::uint64_t(i) * 4096, -4096, 0});
  const MemoryMap map = memory_map(trace, gpu0, ns_at(2 * pieces));
  EXPECT_EQ(map.blocks, pieces / 2u);
  EXPECT_EQ(map.allocated, pieces / 2 * 4096);
  EXPECT_EQ(map.seen, map.allocated);
}

TEST(MemoryMap, ABlockIsThereFromItsAllocationToItsFree) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100);
  const Trace trace = made.memory(10, first_address, 4 * mib, 4 * mib, 20 * mib)
                          .memory(50, first_address, -4 * mib, 0, 20 * mib)
                          .read();
  const MemoryMap before = memory_map(trace, gpu0, ns_at(5));
  EXPECT_TRUE(before.before_first);
  EXPECT_EQ(before.allocated, 0);
  EXPECT_TRUE(all_ranges(before).empty());
  const MemoryMap during = memory_map(trace, gpu0, ns_at(10));
  EXPECT_FALSE(during.before_first);
  EXPECT_EQ(during.allocated, 4 * mib);
  ASSERT_EQ(all_ranges(during).size(), 1u);
  EXPECT_EQ(all_ranges(during)[0].state, RangeState::block);
  EXPECT_EQ(all_ranges(during)[0].since, ns_at(10));
  EXPECT_EQ(during.seen, 4 * mib);
  const MemoryMap after = memory_map(trace, gpu0, ns_at(50));
  ASSERT_EQ(all_ranges(after).size(), 1u);
  EXPECT_EQ(all_ranges(after)[0].state, RangeState::cached);
  EXPECT_EQ(all_ranges(after)[0].bytes, 4 * mib);
  EXPECT_EQ(after.reserved, 20 * mib);
  EXPECT_EQ(after.blocks, 0u);
  // The strips are the same at every moment.
  EXPECT_EQ(before.strips[0].address, after.strips[0].address);
  EXPECT_EQ(before.strips[0].bytes, after.strips[0].bytes);
}

TEST(MemoryMap, WhatIsFreedAndNeverSeenHandedOutWasThereBefore) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100);
  const Trace trace = made.memory(10, first_address, 512, 4 * mib + 512, 22 * mib)
                          .memory(50, first_address + 8 * mib, -4 * mib, 512, 22 * mib)
                          .read();
  const MemoryMap map = memory_map(trace, gpu0, ns_at(20));
  EXPECT_EQ(map.blocks, 2u);
  EXPECT_EQ(map.seen, 4 * mib + 512);
  const auto ranges = all_ranges(map);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[1].since, before_record);
  EXPECT_EQ(ranges[1].address, static_cast<std::uint64_t>(first_address + 8 * mib));
}

TEST(MemoryMap, ASegmentIsKnownWhereReservedGrowsByTheRule) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100);
  const Trace trace = made.memory(10, first_address, 512, 512, 2 * mib)
                          .memory(20, first_address + 64 * mib, 4 * mib, 4 * mib + 512, 22 * mib)
                          .memory(30, first_address + 128 * mib, 4 * mib, 8 * mib + 512, 29 * mib)
                          .read();
  const MemoryMap map = memory_map(trace, gpu0, ns_at(40));
  ASSERT_EQ(map.strips.size(), 3u);
  EXPECT_FALSE(map.strips[0].segment);  // nothing before it says by how much reserved grew
  EXPECT_TRUE(map.strips[0].small);
  EXPECT_EQ(map.strips[0].bytes, 2 * mib);
  EXPECT_TRUE(map.strips[1].segment);
  EXPECT_EQ(map.strips[1].bytes, 20 * mib);
  EXPECT_FALSE(map.strips[2].segment) << "7 MiB is no size of a segment: several things happened at once";
}

TEST(MemoryMap, WhatIsGivenBackIsNotSaidToBeCached) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100);
  const Trace trace = made.memory(10, first_address, 4 * mib, 4 * mib, 20 * mib)
                          .memory(20, first_address, -4 * mib, 0, 20 * mib)
                          .memory(30, first_address + 64 * mib, 4 * mib, 4 * mib, 10 * mib)
                          .read();
  EXPECT_EQ(all_ranges(memory_map(trace, gpu0, ns_at(25))).size(), 1u);
  const auto after = all_ranges(memory_map(trace, gpu0, ns_at(35)));
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].state, RangeState::block);
}

TEST(MemoryMap, AFreedBlockIsReusedInPieces) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100);
  const Trace trace = made.memory(10, first_address, 8 * mib, 8 * mib, 20 * mib)
                          .memory(20, first_address, -8 * mib, 0, 20 * mib)
                          .memory(30, first_address + 2 * mib, 2 * mib, 2 * mib, 20 * mib)
                          .read();
  const auto ranges = all_ranges(memory_map(trace, gpu0, ns_at(40)));
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].state, RangeState::cached);
  EXPECT_EQ(ranges[0].bytes, 2 * mib);
  EXPECT_EQ(ranges[1].state, RangeState::block);
  EXPECT_EQ(ranges[2].state, RangeState::cached);
  EXPECT_EQ(ranges[2].bytes, 4 * mib);
}

TEST(MemoryMap, OtherMemoriesAreNotMixedIn) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100);
  const Trace trace = made.memory(10, first_address, 512, 512, 2 * mib)
                          .memory(20, first_address, 1024, 1024, 2 * mib, 10, 1, 1)
                          .memory(30, 4096, 64, 64, 0, 10, 0)
                          .read();
  EXPECT_EQ(memory_map(trace, gpu0, ns_at(40)).allocated, 512);
  EXPECT_EQ(memory_map(trace, {true, 1}, ns_at(40)).allocated, 1024);
  const MemoryMap cpu = memory_map(trace, {false, 0}, ns_at(40));
  EXPECT_EQ(cpu.allocated, 64);
  EXPECT_EQ(cpu.reserved, trace::absent);
  EXPECT_EQ(memory_map(trace, {true, 7}, ns_at(40)).source, MemoryMap::Source::none);
}

TEST(MemoryMap, AgainstAPlainListOfBlocksOnTheRecordedWalk) {
  const Trace& trace = sample("mlp_train");
  std::size_t compared = 0;
  for (std::int64_t time = trace.begin_ns; time <= trace.end_ns; time += (trace.end_ns - trace.begin_ns) / 97) {
    std::map<std::int64_t, std::int64_t> alive;
    std::int64_t allocated = trace::absent;
    for (const trace::MemoryEvent& event : trace.memory) {
      if (event.device_type != 1 || event.time > time) continue;
      allocated = event.allocated;
      if (event.bytes > 0)
        alive[event.address] = event.bytes;
      else
        alive.erase(event.address);
    }
    // Blocks of before the record whose free is still to come.
    std::map<std::int64_t, bool> visited;
    for (const trace::MemoryEvent& event : trace.memory)
      if (event.device_type == 1 && visited.emplace(event.address, true).second && event.bytes < 0 && event.time > time)
        alive[event.address] = -event.bytes;
    std::int64_t seen = 0;
    for (const auto& [address, bytes] : alive) seen += bytes;
    const MemoryMap map = memory_map(trace, gpu0, time);
    EXPECT_EQ(map.blocks, alive.size()) << time;
    EXPECT_EQ(map.seen, seen) << time;
    if (allocated != trace::absent) {
      EXPECT_EQ(map.allocated, allocated);
      ++compared;
    }
  }
  EXPECT_GT(compared, 50u);
}

TEST(MemoryMap, RecordsKnowTheirSegments) {
  const Trace trace = recorded_walk().read();
  const MemoryMap map = memory_map(trace, gpu0, ns_at(20));
  EXPECT_EQ(map.source, MemoryMap::Source::records);
  EXPECT_EQ(map.allocated, 8192 + 8192 + 16384);
  EXPECT_EQ(map.reserved, 2 * mib);
  ASSERT_EQ(map.strips.size(), 1u);
  EXPECT_TRUE(map.strips[0].segment);
  ASSERT_EQ(map.strips[0].ranges.size(), 3u);
  EXPECT_EQ(map.strips[0].ranges[0].since, before_record);
  EXPECT_EQ(map.strips[0].ranges[2].record, 2u);
  EXPECT_EQ(memory_map(trace, gpu0, ns_at(160)).allocated, 16384);
  EXPECT_EQ(memory_map(recorded_walk(false).read(), gpu0, ns_at(20)).reserved, trace::absent);
}

// Any history, true or nonsense: ranges in order, inside their strips, without overlap where blocks have none.
TEST(MemoryMap, HoldsItsPromisesWhateverTheEvents) {
  std::mt19937 dice(11);
  const auto roll = [&](int sides) { return static_cast<int>(dice() % static_cast<unsigned>(sides)); };
  for (int round = 0; round < 60; ++round) {
    MemoryTrace made;
    made.small.op("aten::mm", 0, 400);
    for (int i = 0; i < 80; ++i) {
      const long address = first_address + roll(40) * (roll(2) == 0 ? 512 : mib);
      const long bytes = (roll(3) == 0 ? mib : 512) * (1 + roll(4));
      made.memory(i * 4, roll(30) == 0 ? -5 : address, roll(2) == 0 ? bytes : -bytes, roll(1000) * 512, roll(20) * mib);
    }
    const Trace trace = made.read();
    for (const double time : {-10.0, 0.0, 77.0, 160.0, 500.0}) {
      const MemoryMap map = memory_map(trace, gpu0, ns_at(time));
      std::uint64_t last = 0;
      for (const MemoryStrip& strip : map.strips) {
        EXPECT_GE(strip.address, last);
        last = strip.end();
        std::uint64_t from = strip.address;
        for (const MemoryRange& range : strip.ranges) {
          EXPECT_GE(range.address, from);
          EXPECT_GT(range.bytes, 0);
          from = range.address;
        }
      }
      for (std::size_t i = 1; i < map.points.size(); ++i) EXPECT_LE(map.points[i - 1].time, map.points[i].time);
    }
  }
}

TEST(MemoryMap, AHundredThousandEvents) {
  Trace trace = SmallTrace().op("aten::mm", 0, 10000).read();
  trace::MemoryEvent event;
  event.device_type = 1;
  event.device = 0;
  event.reserved = 4096 * mib;
  event.allocated = 0;
  std::mt19937 dice(3);
  for (int i = 0; i < 100000; ++i) {
    event.time = trace.begin_ns + i * ((trace.end_ns - trace.begin_ns) / 100000);
    event.address = first_address + static_cast<long>(dice() % 2000) * mib;
    event.bytes = i % 2 == 0 ? mib : -mib;
    event.allocated += event.bytes;
    trace.memory.push_back(event);
  }
  const MemoryMap map = memory_map(trace, gpu0, (trace.begin_ns + trace.end_ns) / 2);
  EXPECT_LE(map.points.size(), max_points);
  EXPECT_EQ(map.not_followed, 0u);
}

}  // namespace
}  // namespace warpwalk::analysis
