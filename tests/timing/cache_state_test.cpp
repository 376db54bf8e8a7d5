#include "core/gpu/timing/launch/cache_state.h"

#include <gtest/gtest.h>

#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

using timed::h200;
using timed::load;
using timed::time;

constexpr std::uint64_t mega = std::uint64_t{1} << 20, line_bytes = 128, base = std::uint64_t{1} << 34;
constexpr std::uint8_t whole = 15;
constexpr CacheState::Transfer from_host(std::uint64_t address, std::uint64_t bytes) {
  return {address, bytes, true, true};
}
constexpr CacheState::Transfer memset_of(std::uint64_t address, std::uint64_t bytes) {
  return {address, bytes, true, false};
}

CacheState empty(const Device& device = h200()) { return std::move(*CacheState::make(device)); }

/// Reads lines as a kernel of one SM does, and returns the counts.
struct Reads {
  std::uint64_t looked_up = 0, hits = 0, from_memory = 0, written = 0;
};
Reads read(CacheState& state, std::uint64_t address, std::uint64_t bytes, std::uint16_t sm = 0) {
  L2 l2 = state.l2(true);
  l2.begin_launch();
  for (std::uint64_t line = address / line_bytes; line < (address + bytes) / line_bytes; ++line)
    l2.serve({.time = 1e4, .line = line, .sm = sm, .sectors = whole});
  const Reads reads{l2.counters().sectors, l2.counters().hits, l2.memory().sectors_read(),
                    l2.memory().sectors_written()};
  l2.end_launch();
  state.keep(std::move(l2));
  return reads;
}

// 8 MB are 262,144 sectors. Those whose home is in the SM's partition are looked up once; the others are looked up
// twice the first time, and then have a copy beside the SM.
TEST(CacheState, ASecondLaunchFindsWhatTheFirstHasRead) {
  CacheState state = empty();
  const Reads first = read(state, base, 8 * mega), second = read(state, base, 8 * mega);
  constexpr std::uint64_t sectors = 8 * mega / 32;
  EXPECT_EQ(first.from_memory, sectors);
  EXPECT_EQ(first.hits, 0u);
  EXPECT_EQ(first.looked_up, sectors + sectors / 2);
  EXPECT_EQ(second.from_memory, 0u);
  EXPECT_EQ(second.looked_up, sectors);
  EXPECT_EQ(second.hits, sectors);
  // An SM of the other partition: half of the lines have their home there, the others come from this one.
  const Reads other = read(state, base, 8 * mega, 6);
  EXPECT_EQ(other.from_memory, 0u);
  EXPECT_EQ(other.looked_up, sectors + sectors / 2);
  EXPECT_EQ(other.hits, sectors);
}

// The least recently used lines go first, so of 200 MB that are read in order nothing is left when they are read again.
TEST(CacheState, ASecondLaunchFindsNothingOfWhatIsMuchLargerThanL2) {
  Device small = h200();
  small.l2_bytes.value = *small.l2_bytes / 64;  // and 200 MB / 64
  CacheState state = empty(small);
  constexpr std::uint64_t bytes = 200 * mega / 64;
  read(state, base, bytes);
  const Reads second = read(state, base, bytes);
  EXPECT_EQ(second.from_memory, bytes / 32);
  EXPECT_EQ(second.hits, 0u);
}

// tests/cuda/microbench/recordings/carried.csv, with what is left after reading in order: of 64 MB, 62.6 % are in L2,
// and nearly all of the last quarter; of 128 MB, 32.3 %.
TEST(CacheState, OfALargeBufferTheEndIsLeft) {
  const auto percent = [&](std::uint64_t megabytes) {
    Device small = h200();
    small.l2_bytes.value = *small.l2_bytes / 16;
    CacheState state = empty(small);
    const std::uint64_t bytes = megabytes * mega / 16;
    L2 l2 = state.l2(true);
    l2.begin_launch();
    for (std::uint64_t line = 0; line < bytes / line_bytes; ++line)  // blocks of four lines on SMs of both partitions
      l2.serve({.line = base / line_bytes + line, .sm = std::uint16_t(line / 4 * 7 % 132), .sectors = whole});
    l2.end_launch();
    state.keep(std::move(l2));
    std::uint64_t hits = 0;
    for (std::uint64_t part = 0; part < 64;
         ++part) {  // from the end, so that reading changes nothing that is looked at
      CacheState again = state;
      const std::uint64_t at = base + bytes / 64 * part;
      hits += line_bytes / 32 * 16 - read(again, at, 16 * line_bytes).from_memory;
    }
    return 100.0 * static_cast<double>(hits) / (64 * 16 * line_bytes / 32);
  };
  EXPECT_NEAR(percent(64), 62.6, 6);
  EXPECT_NEAR(percent(128), 32.3, 5);
}

// The same recording: 98 % of 1 MB are found in L2 after a copy from the host, 46 % of 8 MB, 12 % of 32 MB: a sixteenth
// of L2, one line per set, in their home alone. Of the 32 MB, the model finds 9 %: it loses more of them while it reads
// what comes before.
TEST(CacheState, ACopyFromTheHostLeavesASixteenthOfL2) {
  const auto found = [](std::uint64_t bytes) {
    CacheState state = empty();
    state.begin_transfer();
    state.pass(from_host(base, bytes));
    const Reads reads = read(state, base, bytes);
    EXPECT_EQ(reads.hits, bytes / 32 - reads.from_memory);
    return 100.0 - 100.0 * static_cast<double>(reads.from_memory) / static_cast<double>(bytes / 32);
  };
  EXPECT_GT(found(mega), 85);
  EXPECT_NEAR(found(8 * mega), 45.6, 6);
  EXPECT_NEAR(found(32 * mega), 12.3, 4);
}

// It changes what is in L2 already, and drops the copies beside SMs of the other partition.
TEST(CacheState, ACopyFromTheHostKeepsWhatIsInL2) {
  CacheState state = empty();
  read(state, base, 8 * mega);
  state.begin_transfer();
  state.pass(from_host(base, 8 * mega));
  const Reads after = read(state, base, 8 * mega);
  EXPECT_EQ(after.from_memory, 0u);
  EXPECT_EQ(after.looked_up, 8 * mega / 32 * 3 / 2);
  state.pass({base, 8 * mega, false, true});  // a copy to the host changes nothing
  EXPECT_EQ(read(state, base, 8 * mega).looked_up, 8 * mega / 32);
}

TEST(CacheState, AMemsetAndACopyWithinTheDeviceLeaveTheirLines) {
  CacheState state = empty();
  state.begin_transfer();
  state.pass(memset_of(base, 4 * mega));
  EXPECT_EQ(read(state, base, 4 * mega).from_memory, 0u);
  state.begin_transfer();
  state.copy_within(base + 32 * mega, base + 64 * mega, 4 * mega);
  EXPECT_EQ(read(state, base + 32 * mega, 4 * mega).from_memory, 0u);
  EXPECT_EQ(read(state, base + 64 * mega, 4 * mega).from_memory, 0u);
}

// What a memset has written goes to memory when other lines take its place, and then only.
TEST(CacheState, WhatIsWrittenIsWrittenBackLater) {
  Device small = h200();
  small.l2_bytes.value = *small.l2_bytes / 64;
  CacheState state = empty(small);
  state.begin_transfer();
  state.pass(memset_of(base, mega / 8));
  EXPECT_EQ(read(state, base, mega / 8).written, 0u);
  EXPECT_EQ(read(state, base + 64 * mega, 8 * mega).written, mega / 8 / 32);
  EXPECT_EQ(read(state, base + 64 * mega, 8 * mega).written, 0u);
}

TEST(CacheState, ForgetsMemoryOfTheHost) {
  CacheState state = empty();
  read(state, base, mega);
  state.drop({{base + 1000 * line_bytes, base + 1003 * line_bytes + 1}, {base + 2 * mega, base + 3 * mega}});
  EXPECT_EQ(read(state, base, mega).from_memory, 4 * 4u);
}

// 16,384 elements of 4 bytes in each of a, b and c.
const std::filesystem::path carried_buffers = "validate/reference/timed/vecadd_16384.json";
constexpr std::uint64_t carried_bytes = 65536;

run::LoadedLaunch cached_vecadd() {
  run::LoadedLaunch loaded = load(carried_buffers);
  for (std::uint64_t i = 0; i < 3; ++i) loaded.launch.buffers[i].address = base + (i << 20);
  return loaded;
}
LaunchTiming time_from(CacheState& state, int threads = 1) {
  run::LoadedLaunch loaded = cached_vecadd();
  TimingOptions options;
  options.state = &state;
  options.threads = threads;
  return time(loaded, options);
}

TEST(CacheState, ALaunchOfAProgramStartsWhereTheOneBeforeHasEnded) {
  CacheState state = empty();
  run::LoadedLaunch alone = cached_vecadd();
  const LaunchTiming cold = time(alone), first = time_from(state), second = time_from(state);
  EXPECT_EQ(first.caches, CacheStart::carried);
  EXPECT_EQ(first.dram_read_bytes, cold.dram_read_bytes);
  EXPECT_EQ(first.l2_hits, cold.l2_hits);
  EXPECT_EQ(second.dram_read_bytes, 0u);
  // Each warp reads two lines and writes one. Blocks run on the same SMs again, beside their copies.
  EXPECT_EQ(second.l2_hits, second.l2_sectors);
  EXPECT_EQ(second.l1_hits, first.l1_hits) << "L1 is empty at the start of every kernel";
  EXPECT_LT(second.cycles, first.cycles - 100);
  timed::expect_cycles_add_up(second);
}

TEST(CacheState, TheNumberOfHostThreadsDoesNotMatter) {
  CacheState one = empty(), four = empty();
  timed::expect_same(time_from(one), time_from(four, 4));
  timed::expect_same(time_from(one), time_from(four, 4));
}

TEST(CacheState, ASavedStateGivesTheSameCycles) {
  CacheState state = empty();
  state.begin_transfer();
  state.pass(from_host(base, 40000));
  state.pass(memset_of(base + 2 * mega, 1000));
  read(state, base + 64 * mega, 40 * mega);  // fills L2
  time_from(state);
  state.begin_transfer();
  state.pass(memset_of(base + mega, 1000));
  const CacheState before = state;
  const LaunchTiming timing = time_from(state);
  const std::vector<std::uint8_t> saved = before.saved(state);
  auto restored = CacheState::restored(h200(), saved);
  ASSERT_TRUE(restored);
  timed::expect_same(timing, time_from(*restored));
  // Only the sets that 3 * 64 KB use; there is no more of L2 than 491,520 lines.
  EXPECT_LT(saved.size(), 60000u);
}

// Also sectors of which a kernel has written a part, which L2 completes from memory later.
TEST(CacheState, ASavedStateHasWhatIsWrittenInPart) {
  CacheState state = empty();
  L2 l2 = state.l2(true);
  l2.begin_launch();
  for (std::uint64_t line = 0; line < 100; ++line)
    l2.serve({.line = base / line_bytes + line,
              .sm = std::uint16_t(line),
              .kind = MemoryRequest::Kind::store,
              .sectors = 1,
              .words = 1});
  l2.end_launch();
  state.keep(std::move(l2));
  const CacheState before = state;
  const Reads reads = read(state, base, 100 * line_bytes);
  auto restored = CacheState::restored(h200(), before.saved(state));
  ASSERT_TRUE(restored);
  const Reads again = read(*restored, base, 100 * line_bytes);
  EXPECT_EQ(reads.from_memory, 100 * 4u);
  EXPECT_EQ(again.from_memory, reads.from_memory);
  EXPECT_EQ(again.hits, reads.hits);
}

TEST(CacheState, RefusesWhatIsNotSavedOfThisGpu) {
  CacheState state = empty();
  const CacheState before = state;
  read(state, base, mega);
  const CacheState filled = state;
  read(state, base, mega);
  const std::vector<std::uint8_t> saved = filled.saved(state);
  EXPECT_TRUE(CacheState::restored(h200(), saved));
  EXPECT_TRUE(CacheState::restored(h200(), before.saved(state)));
  Device other = h200();
  other.l2_bytes.value = *other.l2_bytes / 2;
  EXPECT_FALSE(CacheState::restored(other, saved));
  EXPECT_FALSE(CacheState::restored(h200(), {}));
  for (std::size_t i = 0; i < saved.size(); i += 11) {
    std::vector<std::uint8_t> damaged = saved;
    damaged[i] ^= 0x55;
    CacheState::restored(h200(), damaged);  // refuses it, or not; never more
    damaged.resize(i);
    EXPECT_FALSE(CacheState::restored(h200(), damaged)) << i;
  }
}

}  // namespace
}  // namespace warpwalk::gpu
