// The sanitizer on small kernels. tests/run checks it on all of tests/bugs.
#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/exec/check/finding_text.h"
#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

constexpr std::string_view one_word = ".shared .align 4 .b32 word;";

TEST(Sanitizer, ALineOfAHeaderIsThatOfTheKernelThatIncludesIt) {
  // Line 9 of the kernel calls a function of line 2, which calls a function of a header, which calls another one there.
  const PtxOutcome outcome = run_ptx({.body = R"(
    .loc 1 9 1
    .loc 1 2 5, function_name L0, inlined_at 1 9 1
    .loc 2 80 3, function_name L1, inlined_at 1 2 5
    .loc 2 40 3, function_name L2, inlined_at 2 80 3
    st.global.u32 [%y+4096], 1;
  )",
                                      .files = ".file 2 \"header.hpp\"\n"});
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.simulation.findings.size(), 1u);
  EXPECT_EQ(outcome.simulation.findings[0].source_line, 2u);
  EXPECT_EQ(outcome.simulation.findings[0].source_file, "kernel.cu");
}

TEST(Sanitizer, TheSameValueFromTwoWarpsIsNoRaceAndAnotherIs) {
  const std::string_view body = R"(
    .reg .b32 %t;
    mov.u32 %t, %tid.x;
    .loc 1 3 1
    VALUE
    st.shared.u32 [word], %t;
  )";
  std::string same(body), different(body);
  same.replace(same.find("VALUE"), 5, "mov.u32 %t, 5;");
  different.replace(different.find("VALUE"), 5, "shr.u32 %t, %t, 5;");
  const PtxOutcome fine = run_ptx({.body = same, .variables = one_word, .block = {64, 1, 1}});
  ASSERT_EQ(fine.error, "");
  EXPECT_EQ(fine.reports(), Reports{});
  const PtxOutcome wrong = run_ptx({.body = different, .variables = one_word, .block = {64, 1, 1}});
  ASSERT_EQ(wrong.reports().size(), 1u);
  EXPECT_TRUE(
      wrong.reports()[0].starts_with("shared_race:3: thread (32,0,0) of block (0,0,0) writes `word`, which thread "
                                     "(31,0,0) writes at line 3"))
      << wrong.reports()[0];
  EXPECT_THAT(wrong.reports()[0], ::testing::HasSubstr("__syncthreads()"));
}

// CUDA's __syncthreads() makes visible what the threads that have not exited wrote.
TEST(Sanitizer, ARaceWithAWarpThatHasExitedNamesTheExit) {
  const std::string_view leaves = R"(
    .reg .b32 %t; .reg .pred %p;
    mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 32;
    FIRST
    @!%p st.shared.u32 [word], %t;
    @!%p exit;
    bar.sync 0;
    ld.shared.u32 %t, [word];
  )";
  const auto reports = [&](std::string_view first) {
    std::string body(leaves);
    body.replace(body.find("FIRST"), 5, first);
    return run_ptx({.body = body, .variables = one_word, .block = {33, 1, 1}}).reports();
  };
  const Reports without = reports("");
  ASSERT_EQ(without.size(), 1u);
  EXPECT_THAT(without[0], ::testing::HasSubstr("that thread exits before the barrier between them"));
  // It ends early in the simulation, but the race is with an access before the first barrier.
  const Reports before = reports("@%p ld.shared.u32 %t, [word];");
  ASSERT_FALSE(before.empty());
  EXPECT_THAT(before[0], ::testing::HasSubstr("is a __syncthreads() missing between them?"));
}

TEST(Sanitizer, ABarrierThatHalfAWarpSkipsIsReportedInEveryForm) {
  for (const char* const form : {"bar.sync 0;", "barrier.sync 0;", "barrier.sync.aligned 0;", "barrier.cta.sync 0;"}) {
    const std::string body = fmt::format(R"(
      .reg .b32 %t; .reg .pred %p;
      mov.u32 %t, %tid.x; and.b32 %t, %t, 1; setp.eq.u32 %p, %t, 1;
      @%p bra out;
      .loc 1 4 1
      {}
    out:
    )",
                                         form);
    const PtxOutcome outcome = run_ptx({.body = body});
    ASSERT_EQ(outcome.error, "") << form;
    ASSERT_EQ(outcome.reports().size(), 1u) << form;
    EXPECT_TRUE(outcome.reports()[0].starts_with("barrier:4:")) << outcome.reports()[0];
  }
}

// Without .aligned, the lanes of a warp may come to different instructions.
TEST(Sanitizer, ABarrierThatIsNotAlignedMayBeReachedInTwoPlaces) {
  const std::string_view body = R"(
    .reg .b32 %t; .reg .pred %p;
    mov.u32 %t, %tid.x; and.b32 %t, %t, 1; setp.eq.u32 %p, %t, 1;
    @%p bra other;
    barrier.sync 0;
    bra out;
  other: barrier.sync 0;
  out:
  )";
  EXPECT_EQ(run_ptx({.body = body}).reports(), Reports{});
}

// One rule for both memories: the order of stores of one value does not matter, and a thread may read what it has stored.
TEST(Sanitizer, AValueThatAllThreadsStoreMayBeReadBack) {
  const std::string_view body = R"(
    .reg .b32 %t, %v; .reg .b64 %at;
    mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 4; add.u64 %at, %at, %y;
    st.MEMORY.u32 [WORD], 5;
    ld.MEMORY.u32 %v, [WORD];
    st.global.u32 [%at+4], %v;
  )";
  for (const auto& [memory, word] : {std::pair("shared", "word"), {"global", "%y"}}) {
    std::string text(body);
    for (const auto& [from, to] : {std::pair("MEMORY", memory), {"MEMORY", memory}, {"WORD", word}, {"WORD", word}})
      text.replace(text.find(from), std::string_view(from).size(), to);
    const PtxOutcome fine = run_ptx({.body = text, .variables = one_word, .block = {64, 1, 1}});
    ASSERT_EQ(fine.error, "");
    EXPECT_EQ(fine.reports(), Reports{}) << memory;
    // A thread that has not stored the value reads it too early.
    text.replace(text.find("st."), 0, ".reg .pred %p; setp.lt.u32 %p, %t, 1; @%p ");
    const PtxOutcome wrong = run_ptx({.body = text, .variables = one_word, .block = {64, 1, 1}});
    ASSERT_EQ(wrong.reports().size(), 1u) << memory;
    EXPECT_THAT(wrong.reports()[0], ::testing::HasSubstr("_race:")) << memory;
  }
}

TEST(Sanitizer, ALockLetsLanesComeToTheBarrierOneByOne) {
  // Every lane takes the lock once, so the lanes leave the loop at different times.
  const PtxOutcome outcome = run_ptx({.body = R"(
    .reg .b32 %old, %v; .reg .pred %p;
  again: atom.global.cas.b32 %old, [%y], 0, 1;
    setp.ne.u32 %p, %old, 0;
    @%p bra again;
    ld.volatile.global.u32 %v, [%y+4];
    add.u32 %v, %v, 1;
    st.volatile.global.u32 [%y+4], %v;
    membar.gl;
    atom.global.exch.b32 %old, [%y], 0;
    bar.sync 0;
  )",
                                      .block = {128, 1, 1}});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
  EXPECT_EQ(outcome.y[4], 128);
}

TEST(Sanitizer, AtomicsReadWhatTheyChange) {
  const PtxOutcome outcome = run_ptx({.body = ".loc 1 4 1\nred.global.add.u32 [%y], 1;\n", .initialized = false});
  ASSERT_EQ(outcome.reports().size(), 1u);
  EXPECT_TRUE(outcome.reports()[0].starts_with("uninitialized:4: thread (0,0,0) of block (0,0,0) reads"));
}

TEST(Sanitizer, FindingsDoNotDependOnHostThreads) {
  // Block 3 of 64 waits at a barrier that no other thread reaches; all blocks write out of bounds.
  const std::string_view body = R"(
    .reg .b32 %b; .reg .b64 %at; .reg .pred %p;
    mov.u32 %b, %ctaid.x;
    mul.wide.u32 %at, %b, 4;
    add.u64 %at, %at, %y;
    .loc 1 3 1
    st.global.u32 [%at+4096], %b;
    setp.ne.u32 %p, %b, 3;
    @%p bra done;
    .loc 1 5 1
    bar.sync 1, 64;
  done: setp.lt.u32 %p, %b, 3;
    @%p bra end;
    .loc 1 7 1
    st.global.u32 [%at+8192], %b;
  end:
  )";
  const PtxOutcome one = run_ptx({.body = body, .grid = {64, 1, 1}, .threads = 1});
  ASSERT_EQ(one.error, "");
  ASSERT_EQ(one.reports().size(), 2u) << "line 7 is reached only by blocks after the one that stops";
  EXPECT_TRUE(one.reports()[0].starts_with("out_of_bounds:3: thread (0,0,0) of block (0,0,0)")) << one.reports()[0];
  EXPECT_TRUE(one.reports()[1].starts_with("deadlock:5: thread (0,0,0) of block (3,0,0)")) << one.reports()[1];
  for (const int threads : {2, 3, 4, 8}) {
    for (int again = 0; again < 5; ++again)
      EXPECT_EQ(run_ptx({.body = body, .grid = {64, 1, 1}, .threads = threads}).reports(), one.reports()) << threads;
  }
}

TEST(Sanitizer, VariablesHaveTheirNamesInTheSource) {
  EXPECT_EQ(gpu::name_in_source("_ZZ3sumE5total"), "total");
  EXPECT_EQ(gpu::name_in_source("_ZZ6kernelPKiPiE4tile"), "tile");
  EXPECT_EQ(gpu::name_in_source("_ZZ1kE1s"), "s");
  EXPECT_EQ(gpu::name_in_source("_ZZ4longE12twelve_bytes"), "twelve_bytes");
  EXPECT_EQ(gpu::name_in_source("squares"), "squares");
  EXPECT_EQ(gpu::name_in_source("_Z"), "_Z");
  EXPECT_EQ(gpu::name_in_source(""), "");
}

}  // namespace
}  // namespace warpwalk::testing
