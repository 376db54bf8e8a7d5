// Instructions of sm_90 and sm_90a in PTX besides those whose results of an H200 are recorded (warp_group_test,
// tensor_copy_test).
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

std::uint32_t word_at(const PtxOutcome& outcome, std::size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, outcome.y.data() + 4 * index, 4);
  return word;
}

/// Registers, the lane's number in %lane, and an mbarrier `bar` that expects `arrivals`.
std::string prologue(int arrivals) {
  return fmt::format(
      ".reg .b32 %r<20>; .reg .b64 %q<8>; .reg .pred %p<4>; .reg .b32 %lane; .reg .b16 %h<2>;\n"
      "mov.u32 %lane, %tid.x;\nsetp.eq.u32 %p0, %lane, 0;\n"
      "@%p0 mbarrier.init.shared::cta.b64 [bar], {};\nfence.mbarrier_init.release.cluster;\nbar.sync 0;\n",
      arrivals);
}

const std::string wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n@!%p1 bra W;\n";

const std::string shared = ".shared .align 128 .b8 data[4096];\n.shared .align 8 .b64 bar;\n";

TEST(AsynchronousPtx, EachLaneIssuesItsOwnBulkCopy) {
  const PtxOutcome outcome = run_ptx({.body = prologue(1) +
                                              "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 512;\n"
                                              "bar.sync 0;\nmul.wide.u32 %q1, %lane, 16;\nadd.u64 %q2, %y, %q1;\n"
                                              "st.global.u32 [%q2+4], %lane;\nfence.proxy.async;\nbar.sync 0;\n"
                                              "mov.u32 %r1, data;\nmad.lo.u32 %r1, %lane, 16, %r1;\n"
                                              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                              "[%r1], [%q2], 16, [bar];\n" +
                                              wait +
                                              "ld.shared.u32 %r2, [%r1+4];\nadd.u32 %r2, %r2, 100;\n"
                                              "st.shared.u32 [%r1], %r2;\nfence.proxy.async.shared::cta;\n"
                                              "cp.async.bulk.global.shared::cta.bulk_group [%q2+1024], [%r1], 16;\n"
                                              "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\n",
                                      .variables = shared});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(word_at(outcome, 256 + 4 * lane), 100 + lane);
}

TEST(AsynchronousPtx, ABulkCopyIsAMultipleOf16Bytes) {
  const PtxOutcome outcome =
      run_ptx({.body = prologue(1) + "mov.u32 %r1, 24;\n"
                                     "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%y], [data], %r1;\n",
               .variables = shared});
  ASSERT_EQ(outcome.error, "");
  ASSERT_FALSE(outcome.reports().empty());
  EXPECT_NE(outcome.reports()[0].find("bulk-copies 24 bytes, which is not a multiple of 16"), std::string::npos);
}

TEST(AsynchronousPtx, SharedMemoryIsReducedIntoSharedMemory) {
  const PtxOutcome outcome =
      run_ptx({.body = prologue(1) +
                       "mov.u32 %r1, data;\nmad.lo.u32 %r1, %lane, 4, %r1;\nst.shared.u32 [%r1], %lane;\n"
                       "st.shared.u32 [%r1+128], 1000;\nfence.proxy.async;\nbar.sync 0;\n"
                       "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n"
                       "@%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
                       "[data+128], [data], 128, [bar];\n" +
                       wait +
                       "ld.shared.u32 %r2, [%r1+128];\nmul.wide.u32 %q1, %lane, 4;\nadd.u64 %q1, %y, %q1;\n"
                       "st.global.u32 [%q1], %r2;\n",
               .variables = shared});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(word_at(outcome, lane), 1000 + lane);
}

// Block 0 of the cluster stores and adds to the memory of block 1, which waits for the bytes: 32 * (16 + 8 + 4).
TEST(AsynchronousPtx, StoresAndSumsInAnotherBlockOfTheCluster) {
  const PtxOutcome outcome = run_ptx(
      {.body =
           prologue(1) +
           "mov.u32 %r9, data;\nmad.lo.u32 %r10, %lane, 16, %r9;\nadd.u32 %r11, %r9, 1024;\n"
           "mad.lo.u32 %r11, %lane, 8, %r11;\n@%p0 st.shared.u32 [data+2048], 7;\n"
           "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 896;\n"
           "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
           "mov.u32 %r1, %cluster_ctarank;\nsetp.eq.u32 %p2, %r1, 1;\n@%p2 bra.uni waits;\n"
           "mov.u32 %r2, bar;\nmapa.shared::cluster.u32 %r2, %r2, 1;\nmapa.shared::cluster.u32 %r3, %r10, 1;\n"
           "mapa.shared::cluster.u32 %r4, %r11, 1;\nadd.u32 %r5, %r9, 2048;\nmapa.shared::cluster.u32 %r5, %r5, 1;\n"
           "add.u32 %r6, %lane, 1;\ncvt.u64.u32 %q1, %lane;\nshl.b64 %q1, %q1, 32;\n"
           "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r3], {%lane, %r6, 3, %lane}, [%r2];\n"
           "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r4], %q1, [%r2];\n"
           "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r5], %r6, [%r2];\n"
           "bra.uni done;\nwaits:\n" +
           wait +
           "ld.shared.v4.u32 {%r12, %r13, %r14, %r15}, [%r10];\nadd.u32 %r12, %r12, %r13;\n"
           "add.u32 %r12, %r12, %r14;\nadd.u32 %r12, %r12, %r15;\nld.shared.u32 %r16, [%r11+4];\n"
           "ld.shared.u32 %r17, [data+2048];\nmul.wide.u32 %q2, %lane, 16;\nadd.u64 %q2, %y, %q2;\n"
           "st.global.v4.u32 [%q2], {%r12, %r16, %r17, 0};\ndone:\n"
           "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n",
       .variables = shared,
       .grid = {2, 1, 1},
       .cluster = {{2, 1, 1}}});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(word_at(outcome, 4 * lane), 3 * lane + 4);
    EXPECT_EQ(word_at(outcome, 4 * lane + 1), lane);
    EXPECT_EQ(word_at(outcome, 4 * lane + 2), 7U + 32 * 33 / 2);
  }
}

/// D of one thread after a product of ones, whose elements are 32, with 5 in D before.
std::uint32_t product_of_ones(const std::string& scale) {
  const PtxOutcome outcome = run_ptx(
      {.body = ".reg .b32 %r<8>; .reg .b64 %q<8>; .reg .pred %p<4>;\nmov.u32 %r0, %tid.x;\n"
               "mov.u32 %r1, data;\nmad.lo.u32 %r2, %r0, 16, %r1;\nmov.u32 %r3, 0x01010101;\n"
               "st.shared.v4.b32 [%r2], {%r3, %r3, %r3, %r3};\nst.shared.v4.b32 [%r2+2048], {%r3, %r3, %r3, %r3};\n"
               "fence.proxy.async;\nbar.sync 0;\nsetp.ge.u32 %p0, %r0, 0;\nsetp.lt.u32 %p1, %r0, 0;\n"
               "shr.u32 %r4, %r1, 4;\ncvt.u64.u32 %q0, %r4;\nor.b64 %q0, %q0, 0x1000080000;\n"  // 128 and 256 bytes
               "mov.u32 %r4, 5;\nmov.u32 %r5, 5;\nmov.u32 %r6, 5;\nmov.u32 %r7, 5;\n"
               "setmaxnreg.inc.sync.aligned.u32 240;\nwgmma.fence.sync.aligned;\n"
               "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%r4,%r5,%r6,%r7}, %q0, %q0, " +
               scale +
               ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
               "mul.wide.u32 %q1, %r0, 16;\nadd.u64 %q1, %y, %q1;\nst.global.v4.u32 [%q1], {%r4,%r5,%r6,%r7};\n",
       .variables = shared,
       .block = {128, 1, 1}});
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
  if (!outcome.error.empty()) return 0;
  for (std::size_t i = 1; i < 512; ++i) EXPECT_EQ(word_at(outcome, i), word_at(outcome, 0)) << scale;
  return word_at(outcome, 0);
}

TEST(AsynchronousPtx, ScaleDSaysWhetherDIsAdded) {
  EXPECT_EQ(product_of_ones("%p0"), 37U);
  EXPECT_EQ(product_of_ones("!%p0"), 32U);
  EXPECT_EQ(product_of_ones("%p1"), 32U);
  EXPECT_EQ(product_of_ones("1"), 37U);
  EXPECT_EQ(product_of_ones("0"), 32U);
}

// A copy of fewer bytes than its size may lie at the end of a buffer.
TEST(AsynchronousPtx, APartialCopyReadsNoMoreThanItsBytes) {
  const auto copy = [](int at, int bytes) {
    return run_ptx({.body = fmt::format(".reg .b32 %s<3>;\nst.global.u32 [%y+56], 7;\nst.global.u32 [%y+48], 5;\n"
                                        "st.global.u32 [%y+52], 6;\nmov.u32 %s1, {};\n"
                                        "cp.async.ca.shared.global [data], [%y+{}], 16, %s1;\n"
                                        "cp.async.wait_all;\nld.shared.u32 %s2, [data+8];\n"
                                        "st.global.u32 [%y], %s2;\nld.shared.u32 %s2, [data+12];\n"
                                        "st.global.u32 [%y+4], %s2;\n",
                                        bytes, at),
                    .variables = ".shared .align 16 .b8 data[16];\n",
                    .block = {1, 1, 1},
                    .buffer_bytes = 60});
  };
  const PtxOutcome outcome = copy(48, 12);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
  EXPECT_EQ(word_at(outcome, 0), 7U);
  EXPECT_EQ(word_at(outcome, 4), 0U);
  const PtxOutcome outside = copy(48, 13);
  ASSERT_FALSE(outside.reports().empty());
  EXPECT_NE(outside.reports()[0].find("out_of_bounds"), std::string::npos);
}

TEST(AsynchronousPtx, HintsAndFencesAreAccepted) {
  const PtxOutcome outcome = run_ptx({.body = "prefetch.tensormap [%y];\ncp.async.bulk.prefetch.L2.global [%y], 64;\n"
                                              "cp.async.bulk.prefetch.tensor.1d.L2.global [%y, {0}];\n"
                                              "fence.proxy.async;\nfence.proxy.tensormap::generic.release.gpu;\n"
                                              "fence.proxy.tensormap::generic.acquire.gpu [%y], 128;\n"
                                              "griddepcontrol.wait;\ngriddepcontrol.launch_dependents;\n"});
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports{});
}

TEST(AsynchronousPtx, AProductNeedsAWholeWarp) {
  const PtxOutcome outcome = run_ptx({.body = ".reg .b32 %r<2>; .reg .pred %p0;\nmov.u32 %r0, %tid.x;\n"
                                              "setp.lt.u32 %p0, %r0, 3;\n@%p0 bra few;\nret;\nfew:\n"
                                              "wgmma.fence.sync.aligned;\n",
                                      .block = {128, 1, 1}});
  ASSERT_EQ(outcome.error, "");
  ASSERT_FALSE(outcome.reports().empty());
  EXPECT_EQ(outcome.reports()[0].find("barrier:"), 0U) << outcome.reports()[0];
}

}  // namespace
}  // namespace warpwalk::testing
