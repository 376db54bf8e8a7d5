// Races on global memory in small kernels. tests/run checks them on all of tests/bugs and tests/cases.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

/// Computes %t (thread), %b (block) and %mine, the address of the thread's word.
constexpr std::string_view indices = R"(
  .reg .b32 %t, %b, %n, %i, %v, %w; .reg .b64 %mine; .reg .pred %p, %q;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %i, %b, %n, %t;
  mul.wide.u32 %mine, %i, 4;
  add.u64 %mine, %mine, %y;
)";

PtxOutcome run_blocks(std::string_view body, std::uint32_t blocks, std::uint32_t threads, int host_threads = 1) {
  PtxLaunch launch;
  const std::string text = std::string(indices) + std::string(body);
  launch.body = text;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  launch.buffer_bytes = 1 << 16;
  launch.threads = host_threads;
  return run_ptx(launch);
}

TEST(GlobalRace, NamesBothThreadsBlocksAndLines) {
  const std::string_view body = R"(
    setp.ne.u32 %p, %t, 3;
    @%p bra end;
    .loc 1 5 1
    st.global.u32 [%y+8], %b;
  end:
  )";
  const PtxOutcome outcome = run_blocks(body, 3, 32);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(
      outcome.reports(),
      Reports{"global_race:5: thread (3,0,0) of block (1,0,0) writes buffer `y` at byte 8, which thread (3,0,0) of "
              "block (0,0,0) writes at line 5: the two accesses are not ordered; if both change the value, use an "
              "atomic operation; if one waits for the other, it needs a flag, with __threadfence() on both sides "
              "(1 more like it)"});
  ASSERT_EQ(outcome.simulation.findings.size(), 1u);
  EXPECT_EQ(outcome.simulation.findings[0].other_line, 5u);
  for (const int threads : {2, 4}) EXPECT_EQ(run_blocks(body, 3, 32, threads).reports(), outcome.reports());
}

TEST(GlobalRace, ByDefaultNothingIsChecked) {
  PtxLaunch launch;
  launch.body = ".reg .b32 %t; mov.u32 %t, %tid.x; st.global.u32 [%y], %t;";
  launch.sanitize = false;
  EXPECT_EQ(run_ptx(launch).reports(), Reports{});
  launch.sanitize = true;
  EXPECT_EQ(run_ptx(launch).reports().size(), 1u);
}

// Every thread writes a word of its own page of the shadow memory, and word 0.
TEST(GlobalRace, BeyondTheMemoryForItTheResultIsCalledIncomplete) {
  PtxLaunch launch;
  launch.body = R"(
    .reg .b32 %t; .reg .b64 %at;
    mov.u32 %t, %tid.x;
    .loc 1 5 1
    st.global.u32 [%y], %t;
    mad.wide.u32 %at, %t, 1024, %y;
    st.global.u32 [%at+4], %t;
  )";
  launch.buffer_bytes = 1 << 16;
  const PtxOutcome whole = run_ptx(launch);
  EXPECT_TRUE(whole.simulation.sanitized_all);
  ASSERT_EQ(whole.reports().size(), 1u);
  launch.global_race_bytes = 1 << 16;
  const PtxOutcome part = run_ptx(launch);
  EXPECT_FALSE(part.simulation.sanitized_all);
  EXPECT_EQ(part.reports(), whole.reports()) << "what fits is checked";
  launch.sanitize = false;
  EXPECT_TRUE(run_ptx(launch).simulation.sanitized_all);
}

TEST(GlobalRace, AChainOfBlocksPassesOnWhatItKnows) {
  // Block b waits for flag b - 1, adds to a common word, and sets flag b. CHANGE: the fence before or after.
  const std::string body = R"(
    .reg .b64 %flag;
    setp.ne.u32 %p, %t, 0;
    @%p bra end;
    mul.wide.u32 %flag, %b, 4;
    add.u64 %flag, %flag, %y;
    setp.eq.u32 %p, %b, 0;
    @%p bra go;
  wait: ld.volatile.global.u32 %v, [%flag+1020];
    setp.eq.u32 %q, %v, 0;
    @%q bra wait;
    BEFORE
  go: .loc 1 20 1
    ld.global.u32 %v, [%y];
    add.u32 %v, %v, 1;
    st.global.u32 [%y], %v;
    AFTER
    st.volatile.global.u32 [%flag+1024], 1;
  end:
  )";
  const auto with = [&](const char* before, const char* after) {
    std::string text = body;
    text.replace(text.find("BEFORE"), 6, before);
    text.replace(text.find("AFTER"), 5, after);
    return run_blocks(text, 300, 32);
  };
  const PtxOutcome fine = with("membar.gl;", "membar.gl;");
  ASSERT_EQ(fine.error, "");
  EXPECT_EQ(fine.reports(), Reports{});
  EXPECT_EQ(fine.y[0] + 256 * fine.y[1], 300);
  EXPECT_EQ(with("membar.sys;", "fence.acq_rel.gpu;").reports(), Reports{});
  EXPECT_EQ(with("membar.gl;", "").reports().size(), 1u);
  EXPECT_EQ(with("membar.gl;", "membar.cta;").reports().size(), 1u) << "a fence for the block is not enough";
  const PtxOutcome reader = with("", "membar.gl;");
  ASSERT_EQ(reader.reports().size(), 1u);
  EXPECT_THAT(reader.reports()[0], HasSubstr("has no __threadfence() behind it"));
}

TEST(GlobalRace, VolatileAccessesDoNotRaceWithOneAnother) {
  EXPECT_EQ(run_blocks("st.volatile.global.u32 [%y], %i; ld.volatile.global.u32 %v, [%y];", 4, 64).reports(),
            Reports{});
  EXPECT_EQ(run_blocks("st.relaxed.gpu.global.u32 [%y], %i; ld.relaxed.gpu.global.u32 %v, [%y];", 4, 64).reports(),
            Reports{});
  EXPECT_EQ(run_blocks("st.relaxed.cta.global.u32 [%y], %i;", 1, 64).reports(), Reports{});
  const PtxOutcome narrow = run_blocks("st.relaxed.cta.global.u32 [%y], %i;", 2, 64);
  ASSERT_EQ(narrow.reports().size(), 1u);
  EXPECT_THAT(narrow.reports()[0], HasSubstr("atomic only for its own block"));
  const PtxOutcome mixed = run_blocks("st.volatile.global.u32 [%y], %i; bar.sync 0; ld.global.u32 %v, [%y];", 2, 64);
  ASSERT_FALSE(mixed.reports().empty());
  EXPECT_THAT(mixed.reports()[0], HasSubstr("is atomic or volatile"));
}

TEST(GlobalRace, ReadsOfTheSameWordByManyBlocksAreRememberedForAWriter) {
  // Every block reads the word; then one thread of the last block, which has read it too, writes it.
  const PtxOutcome outcome = run_blocks(R"(
    ld.global.u32 %v, [%y];
    bar.sync 0;
    setp.ne.u32 %p, %i, 1023;
    @%p bra end;
    .loc 1 8 1
    st.global.u32 [%y], 7;
  end:
  )",
                                        16, 64);
  ASSERT_EQ(outcome.reports().size(), 1u);
  EXPECT_TRUE(outcome.reports()[0].starts_with("global_race:8: thread (63,0,0) of block (15,0,0) writes"))
      << outcome.reports()[0];
}

TEST(GlobalRace, WordsBytesAndVectorsOverlap) {
  // Block 0 stores 16 bytes; block 1 reads the byte at OFFSET.
  const auto at = [](int offset) {
    return run_blocks(R"(
      .reg .b32 %z;
      setp.ne.u32 %p, %t, 0;
      @%p bra end;
      setp.eq.u32 %q, %b, 0;
      mov.u32 %z, 77;
      @%q st.global.v4.u32 [%y+16], {%z, %z, %z, %z};
      @!%q ld.global.u8 %v, [%y+)" +
                          std::to_string(offset) + "];\nend:\n",
                      2, 32)
        .reports()
        .size();
  };
  EXPECT_EQ(at(15), 0u);
  EXPECT_EQ(at(16), 1u);
  EXPECT_EQ(at(27), 1u);
  EXPECT_EQ(at(31), 1u);
  EXPECT_EQ(at(32), 0u);
}

TEST(GlobalRace, ACopyOfABlockIsNoRaceWithItsOwnWords) {
  EXPECT_EQ(
      run_blocks("st.global.u32 [%mine], %i; ld.global.u32 %v, [%mine]; st.global.u32 [%mine], %v;", 4, 96).reports(),
      Reports{});
}

TEST(GlobalRace, APrintedStringIsNoEntryOfTheTableOfAccesses) {
  const PtxOutcome outcome =
      run_ptx({.body = R"(
    .reg .b64 %f, %none; .reg .b32 %r;
    mov.u64 %f, text;
    cvta.global.u64 %f, %f;
    mov.u64 %none, 0;
    { .param .b64 p0; .param .b64 p1; .param .b32 back;
      st.param.b64 [p0], %f; st.param.b64 [p1], %none;
      call.uni (back), vprintf, (p0, p1);
      ld.param.b32 %r, [back]; }
  )",
               .variables = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);"
                            ".global .align 1 .b8 text[4] = {104, 105, 10, 0};"});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
  EXPECT_EQ(outcome.simulation.printed.substr(0, 3), "hi\n");
}

}  // namespace
}  // namespace warpwalk::testing
