// What the threads of hanging programs wait for: the source of each in tests/crash/programs says why.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/crash/sample.h"

namespace warpwalk::crash {
namespace {

using Warps = std::vector<std::uint32_t>;

/// The only wait of this kind; a failure if there is none, or several.
const Wait* only_wait(const Sample& sample, WaitKind kind) {
  EXPECT_EQ(std::ranges::count(sample.waits, kind, &Wait::kind), 1) << name_of(kind);
  const auto found = std::ranges::find(sample.waits, kind, &Wait::kind);
  return found == sample.waits.end() ? nullptr : &*found;
}

TEST(Waits, WarpThatIsMissingAtABarrier) {
  for (const char* const name : {"barrier", "barrier_light"}) {
    const Sample sample(name);
    EXPECT_FALSE(sample.crash);
    const Wait* const barrier = only_wait(sample, WaitKind::barrier);
    ASSERT_NE(barrier, nullptr);
    EXPECT_EQ(barrier->barrier, 0u);
    EXPECT_EQ(barrier->warps, (Warps{0, 1, 3}));
    EXPECT_EQ(barrier->missing_warps, Warps{2});
    EXPECT_EQ(barrier->blocks, 2u);
    EXPECT_EQ(barrier->threads, 192u);
    const Wait* const spin = only_wait(sample, WaitKind::spin);
    ASSERT_NE(spin, nullptr);
    EXPECT_EQ(spin->warps, Warps{2});
    EXPECT_EQ(spin->blocks, 2u);
    EXPECT_EQ(spin->value, 0u);
    ASSERT_TRUE(spin->near);
    EXPECT_EQ(spin->near->argument->ordinal, 0u);
    EXPECT_EQ(spin->near->offset, 0);
  }
}

TEST(Waits, NamedBarriers) {
  const Sample sample("named");
  ASSERT_EQ(sample.waits.size(), 2u);
  for (const Wait& wait : sample.waits) {
    EXPECT_EQ(wait.kind, WaitKind::barrier);
    EXPECT_EQ(wait.expected_threads, 128u);
    EXPECT_EQ(wait.warps, wait.barrier == 1u ? (Warps{0, 1}) : (Warps{2, 3}));
    EXPECT_EQ(wait.missing_warps, wait.barrier == 1u ? (Warps{2, 3}) : (Warps{0, 1}));
  }
  EXPECT_NE(sample.waits[0].barrier, sample.waits[1].barrier);
}

TEST(Waits, Mbarrier) {
  const Sample sample("mbarrier");
  const Wait* const wait = only_wait(sample, WaitKind::mbarrier);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->threads, 64u);
  EXPECT_EQ(wait->warps, (Warps{0, 1}));
  EXPECT_EQ(wait->address, 1024u);
  EXPECT_EQ(wait->mbarrier, (Mbarrier{.phase = 0, .expected = 65, .pending = 1, .pending_bytes = 0}));
}

// Tokens of an H200: the upper fields. Their lower bits, which the token lacks, are those of a barrier of 3 arrivals.
TEST(Waits, StateOfAnMbarrier) {
  constexpr std::uint64_t expected = (std::uint64_t{0xfffff} - 2) << 1;
  const auto state = [&](std::uint64_t upper) { return read_mbarrier(upper << 32 | expected); };
  EXPECT_EQ(state(0x7fffe800), (Mbarrier{0, 3, 3, 0}));
  EXPECT_EQ(state(0xffffe800), (Mbarrier{1, 3, 3, 0}));
  EXPECT_EQ(state(0x7ffff3fe), (Mbarrier{0, 3, 2, 4096}));  // after expect_tx of 4,096 B and one arrival
  EXPECT_EQ(state(0x7ffff3e0), (Mbarrier{0, 3, 2, 65536}));
  EXPECT_EQ(read_mbarrier(std::uint64_t{0x7ffffbfe} << 32 | 0x80000000 | expected), (Mbarrier{0, 3, 1, 3072}));
  EXPECT_EQ(read_mbarrier(std::uint64_t{0x7ffff000} << 32 | 0x08000000 | expected), (Mbarrier{0, 3, 2, -64}));
  EXPECT_EQ(read_mbarrier(0), std::nullopt);
  EXPECT_EQ(read_mbarrier(~std::uint64_t{0}), std::nullopt);
  EXPECT_EQ(state(0x7fff0000), std::nullopt) << "more than it expects";
}

TEST(Waits, LoopThatReadsAValue) {
  const Sample sample("spin");
  const Wait* const wait = only_wait(sample, WaitKind::spin);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->thread.block->block, (Extent3{1, 0, 0}));
  EXPECT_EQ(wait->value, 1u);
  ASSERT_TRUE(wait->near);
  EXPECT_EQ(wait->near->argument->ordinal, 0u);
  EXPECT_EQ(wait->near->offset, 16);
  // The memory of the dump says the same.
  const std::string_view memory = sample.dump.memory_at(*wait->address, 4);
  ASSERT_EQ(memory.size(), 4u);
  EXPECT_EQ(memory[0], 1);
}

TEST(Waits, Lock) {
  for (const char* const name : {"lock", "lock_light"}) {
    const Sample sample(name);
    const Wait* const wait = only_wait(sample, WaitKind::spin);
    ASSERT_NE(wait, nullptr);
    EXPECT_TRUE(wait->access->is_atomic);
    EXPECT_EQ(wait->blocks, 2u);
    EXPECT_EQ(wait->threads, 2u);
    EXPECT_EQ(wait->value, 1u);
    ASSERT_TRUE(wait->near);
    EXPECT_EQ(wait->near->argument->ordinal, 0u);
  }
}

TEST(Waits, LanesOfAWarp) {
  const Sample sample("lanes");
  const Wait* const lanes = only_wait(sample, WaitKind::lanes);
  ASSERT_NE(lanes, nullptr);
  EXPECT_EQ(lanes->lanes, 0x0000ffffu);
  EXPECT_EQ(lanes->missing_lanes, 0xffff0000u);
  EXPECT_EQ(lanes->threads, 32u);  // of both warps
  const Wait* const spin = only_wait(sample, WaitKind::spin);
  ASSERT_NE(spin, nullptr);
  EXPECT_EQ(spin->lanes, 0xffff0000u);
}

}  // namespace
}  // namespace warpwalk::crash
