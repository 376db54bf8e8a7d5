// Infinite loops are reported early; long finite loops are not reported.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

PtxOutcome run_unchecked(std::string_view body) { return run_ptx({.body = body, .sanitize = false}); }

void expect_endless(const PtxOutcome& outcome, std::uint32_t line) {
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.simulation.findings.size(), 1u);
  EXPECT_EQ(outcome.simulation.findings[0].kind, gpu::FindingKind::runaway);
  EXPECT_EQ(outcome.simulation.findings[0].source_line, line);
  EXPECT_TRUE(outcome.simulation.stopped);
  EXPECT_LT(outcome.simulation.counters.warp_instructions, 100'000'000u) << "it took too long to see";
}

TEST(Endless, ALoopThatNothingCanEnd) {
  expect_endless(run_unchecked(R"(
    .reg .b32 %r;
    mov.u32 %r, 0;
    .loc 1 3 1
  again: add.u32 %r, %r, 1;
    st.global.u32 [%y], %r;
    .loc 1 4 1
    bra.uni again;
  )"),
                 4);
}

TEST(Endless, ACounterThatComesRoundWhileOthersRunOn) {
  expect_endless(run_unchecked(R"(
    .reg .b32 %k, %sum; .reg .pred %p;
    mov.u32 %k, 0;
    mov.u32 %sum, 0;
    .loc 1 7 1
  again: add.u32 %k, %k, 1;
    and.b32 %k, %k, 255;
    add.u32 %sum, %sum, %k;
    setp.lt.u32 %p, %k, 300;
    @%p bra again;
    st.global.u32 [%y], %sum;
  )"),
                 7);
}

TEST(Endless, OnlySomeLanesAreInIt) {
  expect_endless(run_unchecked(R"(
    .reg .b32 %t, %k; .reg .pred %p, %q;
    mov.u32 %t, %tid.x;
    mov.u32 %k, %t;
    .loc 1 5 1
  again: and.b32 %k, %k, 1;
    setp.ne.u32 %p, %k, 0;
    @%p bra again;
    st.global.u32 [%y], %k;
  )"),
                 5);
}

TEST(Endless, ALongLoopComesToItsEnd) {
  // A counter that runs for 300,000 iterations, next to a bit that repeats every two iterations.
  const PtxOutcome outcome = run_unchecked(R"(
    .reg .b32 %k, %flip; .reg .pred %p, %q;
    mov.u32 %k, 0;
    mov.u32 %flip, 0;
  again: xor.b32 %flip, %flip, 1;
    setp.eq.u32 %q, %flip, 0;
    @%q bra even;
    add.u32 %k, %k, 1;
  even: setp.lt.u32 %p, %k, 300000;
    @%p bra again;
    st.global.u32 [%y], %k;
  )");
  ASSERT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.simulation.findings.empty()) << outcome.reports()[0];
  EXPECT_EQ(outcome.y[0] | outcome.y[1] << 8 | outcome.y[2] << 16, 300000);
}

TEST(Endless, ACounterInMemoryThatIsCountedNowAndThenIsNone) {
  // The registers repeat every 16 iterations; the value in memory that decides the loop grows once in each period.
  const PtxOutcome outcome = run_unchecked(R"(
    .reg .b32 %k, %v, %one; .reg .pred %p, %q;
    mov.u32 %k, 0;
  again: add.u32 %k, %k, 1;
    and.b32 %k, %k, 15;
    mov.u32 %v, 0;
    setp.ne.u32 %q, %k, 7;
    @%q bra skip;
    ld.global.u32 %v, [%y];
    add.u32 %v, %v, 1;
    st.global.u32 [%y], %v;
  skip: setp.lt.u32 %p, %v, 400000;
    @%p bra again;
  )");
  ASSERT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.simulation.findings.empty()) << outcome.reports()[0];
}

// A tiled matrix product that never increments its tile counter. The sum changes in every iteration.
constexpr std::string_view sums_between_barriers = R"(
    .reg .b32 %tile, %tiles, %t, %at; .reg .f32 %x, %sum; .reg .pred %p; .shared .align 4 .b8 s[1024];
    mov.u32 %t, %tid.x;
    mov.u32 %at, s;
    mad.lo.u32 %at, %t, 4, %at;
    mov.f32 %sum, 0f00000000;
    mov.u32 %tile, 0;
    .loc 1 3 1
  again: st.shared.f32 [%at], %sum;
    .loc 1 4 1
    bar.sync 0;
    ld.shared.f32 %x, [%at];
    add.f32 %sum, %sum, 0f3f800000;
    fma.rn.f32 %sum, %x, 0f3f000000, %sum;
    bar.sync 0;
    setp.lt.u32 %p, %tile, 16;
    .loc 1 6 1
    @%p bra again;
    st.global.f32 [%y], %sum;
  )";

TEST(EndlessBarrier, ALoopAroundABarrier) {
  for (const std::uint32_t threads : {32u, 256u}) {
    expect_endless(run_ptx({.body = R"(
      .loc 1 3 1
    again: bar.sync 0;
      .loc 1 4 1
      bra again;
    )",
                            .block = {threads, 1, 1},
                            .sanitize = false}),
                   4);
    expect_endless(run_ptx({.body = sums_between_barriers, .block = {threads, 1, 1}, .sanitize = false}), 6);
  }
}

TEST(EndlessBarrier, ALongLoopAroundABarrierComesToItsEnd) {
  const PtxOutcome outcome = run_ptx({.body = R"(
    .reg .b32 %k, %flip; .reg .pred %p;
    mov.u32 %k, 0;
    mov.u32 %flip, 0;
  again: xor.b32 %flip, %flip, 1;
    bar.sync 0;
    add.u32 %k, %k, %flip;
    setp.lt.u32 %p, %k, 200000;
    @%p bra again;
    st.global.u32 [%y], %k;
  )",
                                      .block = {64, 1, 1},
                                      .sanitize = false});
  ASSERT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.simulation.findings.empty()) << outcome.reports()[0];
  EXPECT_EQ(outcome.y[0] | outcome.y[1] << 8 | outcome.y[2] << 16, 200000);
}

// A counter decides which half of a buffer is used, but not whether the loop ends.
TEST(EndlessBarrier, OtherBranchesOfTheLoopMayChange) {
  expect_endless(run_ptx({.body = R"(
    .reg .b32 %k, %half, %tile, %t, %at; .reg .pred %p, %q; .shared .align 4 .b8 s[512];
    mov.u32 %t, %tid.x;
    mov.u32 %at, s;
    mad.lo.u32 %at, %t, 4, %at;
    mov.u32 %k, 0;
    mov.u32 %tile, 0;
    .loc 1 3 1
  again: add.u32 %k, %k, 1;
    and.b32 %half, %k, 1;
    setp.ne.u32 %q, %half, 0;
    @%q bra odd;
    st.shared.u32 [%at], %k;
    bra.uni meet;
  odd: st.shared.u32 [%at+256], %k;
  meet: bar.sync 0;
    mov.u32 %half, 0;
  inner: add.u32 %half, %half, 1;
    setp.lt.u32 %q, %half, %k;
    setp.lt.and.u32 %q, %half, 3, %q;
    @%q bra inner;
    setp.lt.u32 %p, %tile, 16;
    .loc 1 6 1
    @%p bra again;
    st.global.u32 [%y], %k;
  )",
                          .block = {64, 1, 1},
                          .sanitize = false,
                          .operation_limit = 100'000'000}),
                 6);
}

// Loops that end, because a branch inside decides when the condition changes, or whether it is tested.
TEST(EndlessBarrier, ABranchInsideDecidesTheEnd) {
  const auto ends = [](std::string_view body) {
    const std::string text = R"(
      .reg .b32 %k, %n, %v; .reg .pred %p, %q;
      mov.u32 %k, 0;
      mov.u32 %n, 0;
    again: add.u32 %k, %k, 1;
      bar.sync 0;
    )" + std::string(body) + R"(
    end: st.global.u32 [%y], %k;
    )";
    const PtxOutcome outcome = run_ptx({.body = text, .block = {64, 1, 1}, .sanitize = false});
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.simulation.findings.empty()) << outcome.reports()[0];
    EXPECT_EQ(outcome.y[0] | outcome.y[1] << 8 | outcome.y[2] << 16, 60000);
  };
  // The count that the condition tests begins late.
  ends(R"(
      setp.lt.u32 %q, %k, 59991;
      @%q bra skip;
      add.u32 %n, %n, 1;
    skip: setp.lt.u32 %p, %n, 10;
      @%p bra again;
  )");
  // The branch that leaves is seldom reached, and its own condition never changes.
  ends(R"(
      setp.ne.u32 %q, %k, 60000;
      @%q bra again;
      setp.eq.u32 %p, %n, 0;
      @%p bra end;
      bra.uni again;
  )");
  // An inner loop of changing length adds up what the condition tests.
  ends(R"(
      mov.u32 %v, 0;
      setp.lt.u32 %q, %k, 59997;
      @%q bra test;
    inner: add.u32 %n, %n, 1;
      add.u32 %v, %v, 1;
      setp.lt.u32 %q, %v, 25;
      @%q bra inner;
    test: setp.lt.u32 %p, %n, 100;
      @%p bra again;
  )");
  // Through two steps: the inner branch depends on a value that another branch changes.
  ends(R"(
      setp.lt.u32 %q, %k, 60000;
      @%q bra first;
      add.u32 %n, %n, 5;
    first: mov.u32 %v, 0;
      setp.lt.u32 %q, %n, 5;
      @%q bra second;
      mov.u32 %v, 1;
    second: setp.eq.u32 %p, %v, 0;
      @%p bra again;
  )");
}

// Another warp may end the loop: the flag is in memory, and nothing is proved.
TEST(EndlessBarrier, AnotherWarpEndsIt) {
  const PtxOutcome outcome = run_ptx({.body = R"(
    .reg .b32 %k, %t, %v, %at; .reg .pred %p, %q; .shared .align 4 .b8 s[4];
    mov.u32 %at, s;
    mov.u32 %t, %tid.x;
    setp.ne.u32 %q, %t, 40;
    mov.u32 %k, 0;
    st.shared.u32 [%at], %k;
    bar.sync 0;
  again: @%q bra skip;
    add.u32 %k, %k, 1;
    st.shared.u32 [%at], %k;
  skip: bar.sync 0;
    ld.shared.u32 %v, [%at];
    bar.sync 0;
    setp.lt.u32 %p, %v, 100000;
    @%p bra again;
  )",
                                      .block = {64, 1, 1},
                                      .sanitize = false});
  ASSERT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.simulation.findings.empty()) << outcome.reports()[0];
}

// Such a loop looks at memory again and again, as one that waits for another thread does, but it changes it itself.
TEST(Endless, ALoopThatCountsInMemoryComesToItsEnd) {
  const std::string_view loops[] = {R"(
    .reg .b32 %r; .reg .pred %p;
  again: atom.global.add.u32 %r, [%y], 1;
    setp.lt.u32 %p, %r, 70000;
    @%p bra again;
  )",
                                    R"(
    .reg .b32 %r; .reg .pred %p;
  again: ld.volatile.global.u32 %r, [%y];
    add.u32 %r, %r, 1;
    st.volatile.global.u32 [%y], %r;
    setp.lt.u32 %p, %r, 70000;
    @%p bra again;
  )"};
  for (const std::string_view loop : loops) {
    const PtxOutcome outcome = run_ptx({.body = loop, .sanitize = false});
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.simulation.findings.empty()) << outcome.simulation.findings[0].message;
    EXPECT_FALSE(outcome.simulation.stopped);
  }
}

// A thread polls a lock that is never released, with an exchange that does not change memory.
TEST(Endless, ALoopThatLeavesMemoryAsItIsIsADeadlock) {
  const PtxOutcome outcome = run_ptx({.body = R"(
    .reg .b32 %r; .reg .pred %p;
    st.global.u32 [%y], 1;
  again: atom.global.exch.b32 %r, [%y], 1;
    setp.ne.u32 %p, %r, 0;
    @%p bra again;
  )",
                                      .sanitize = false});
  ASSERT_EQ(outcome.simulation.findings.size(), 1u);
  EXPECT_EQ(outcome.simulation.findings[0].kind, gpu::FindingKind::deadlock);
}

TEST(Endless, WithoutProofTheLimitEndsIt) {
  const PtxOutcome outcome = run_ptx({.body = R"(
    .reg .b32 %v; .reg .pred %p;
    .loc 1 3 1
  again: ld.global.u32 %v, [%y];
    add.u32 %v, %v, 2;
    st.global.u32 [%y], %v;
    setp.ne.u32 %p, %v, 7;
    @%p bra again;
  )",
                                      .sanitize = false,
                                      .operation_limit = 1'000'000});
  ASSERT_EQ(outcome.reports().size(), 1u);
  EXPECT_THAT(outcome.reports()[0], ::testing::HasSubstr("more than 1000000 operations, the limit per block"));
  EXPECT_LT(outcome.simulation.counters.warp_instructions, 1'200'000u);
}

// A sum in shared memory decides the loop, so nothing is proved; all warps wait at the barrier when the limit is
// reached.
TEST(EndlessBarrier, WithoutProofTheLimitEndsItToo) {
  const PtxOutcome outcome = run_ptx({.body = R"(
    .reg .b32 %v, %at; .reg .pred %p; .shared .align 4 .b8 s[4];
    mov.u32 %at, s;
    .loc 1 3 1
  again: bar.sync 0;
    ld.shared.u32 %v, [%at];
    bar.sync 0;
    add.u32 %v, %v, 2;
    st.shared.u32 [%at], %v;
    setp.ne.u32 %p, %v, 7;
    @%p bra again;
  )",
                                      .block = {96, 1, 1},
                                      .sanitize = false,
                                      .operation_limit = 1'000'000});
  ASSERT_EQ(outcome.reports().size(), 1u);
  EXPECT_THAT(outcome.reports()[0], ::testing::HasSubstr("the limit per block (warpwalk simulate --limit"));
}

// Runs 64 blocks that write their index. `stops` ends block 2, for which %p is true, after a while, so that blocks
// behind it have run before that is known.
void expect_same_for_any_threads(std::string_view stops, gpu::FindingKind kind) {
  const auto ran = [&](int threads) {
    const std::string body = R"(
    .reg .b32 %b, %t, %v; .reg .b64 %at; .reg .pred %p, %q;
    mov.u32 %b, %ctaid.x;
    mov.u32 %t, %tid.x;
    setp.eq.u32 %p, %b, 2;
    mov.u32 %v, 0;
    @!%p bra begin;
  count: add.u32 %v, %v, 1;
    setp.lt.u32 %q, %v, 200000;
    @%q bra count;
  begin:
)" + std::string(stops) + R"(
    mad.wide.u32 %at, %b, 4, %y;
    st.global.u32 [%at], %b;
)";
    return run_ptx({.body = body, .grid = {64, 1, 1}, .block = {64, 1, 1}, .threads = threads, .sanitize = false});
  };
  const PtxOutcome one = ran(1);
  ASSERT_EQ(one.error, "");
  ASSERT_TRUE(one.simulation.stopped);
  ASSERT_EQ(one.simulation.findings.size(), 1u);
  EXPECT_EQ(one.simulation.findings[0].kind, kind);
  EXPECT_EQ(one.simulation.counters.blocks, 3u);
  std::vector<std::uint8_t> written(4096);
  written[4] = 1;
  EXPECT_EQ(one.y, written) << "blocks 0 and 1 alone";
  for (const int threads : {2, 5, 16}) {
    const PtxOutcome more = ran(threads);
    EXPECT_EQ(more.reports(), one.reports());
    EXPECT_EQ(more.y, one.y);
    EXPECT_EQ(more.simulation.counters.warp_instructions, one.simulation.counters.warp_instructions);
    EXPECT_EQ(more.simulation.counters.thread_instructions, one.simulation.counters.thread_instructions);
    EXPECT_EQ(more.simulation.counters.blocks, one.simulation.counters.blocks);
    EXPECT_EQ(more.simulation.counters.warps, one.simulation.counters.warps);
  }
}

TEST(Endless, AStoppedLaunchLeavesTheSameForAnyNumberOfThreads) {
  expect_same_for_any_threads("again: @%p bra again;", gpu::FindingKind::runaway);
}

TEST(Endless, AStoppedLaunchWithADeadlockLeavesTheSameForAnyNumberOfThreads) {
  // The two warps wait at different barriers.
  expect_same_for_any_threads(R"(
    @!%p bra on;
    setp.lt.u32 %q, %t, 32;
    @%q bar.sync 1, 64;
    @!%q bar.sync 2, 64;
  on:
  )",
                              gpu::FindingKind::deadlock);
  // A barrier for more threads than there are.
  expect_same_for_any_threads("@%p bar.sync 1, 128;", gpu::FindingKind::deadlock);
}

// The blocks wait as in a grid.sync() that one block does not reach.
TEST(Endless, ACooperativeLaunchNamesTheBlocksThatDoNotCome) {
  const auto waits_for_blocks = [](bool cooperative) {
    return run_ptx({.body = R"(
      .reg .b32 %b, %v; .reg .pred %p;
      mov.u32 %b, %ctaid.x; setp.ge.u32 %p, %b, 2;
      @%p bra out;
    again:
      ld.volatile.global.u32 %v, [%y]; setp.eq.u32 %p, %v, 0;
      @%p bra again;
    out:
    )",
                    .grid = {4, 1, 1},
                    .cooperative = cooperative})
        .reports();
  };
  const Reports alone = waits_for_blocks(false), together = waits_for_blocks(true);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_THAT(alone[0], ::testing::HasSubstr("but no remaining thread can change it (31 more like it)"));
  ASSERT_EQ(together.size(), 1u);
  EXPECT_THAT(together[0], ::testing::HasSubstr("but no remaining thread can change it: block (2,0,0) and 1 more have "
                                                "ended, and grid.sync() waits for all 4 blocks (31 more like it)"));
}

}  // namespace
}  // namespace warpwalk::testing
