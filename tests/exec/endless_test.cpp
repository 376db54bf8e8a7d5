// Infinite loops are reported early; long finite loops are not reported.
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

PtxOutcome run(std::string_view body) { return run_ptx({.body = body, .sanitize = false}); }

void expect_endless(const PtxOutcome& outcome, std::uint32_t line) {
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.simulation.findings.size(), 1u);
  EXPECT_EQ(outcome.simulation.findings[0].kind, gpu::FindingKind::runaway);
  EXPECT_EQ(outcome.simulation.findings[0].source_line, line);
  EXPECT_TRUE(outcome.simulation.stopped);
  EXPECT_LT(outcome.simulation.counters.warp_instructions, 100'000'000u) << "it took too long to see";
}

TEST(Endless, ALoopThatNothingCanEnd) {
  expect_endless(run(R"(
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
  expect_endless(run(R"(
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
  expect_endless(run(R"(
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
  const PtxOutcome outcome = run(R"(
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
  const PtxOutcome outcome = run(R"(
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

}  // namespace
}  // namespace warpwalk::testing
