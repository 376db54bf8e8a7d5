// Thread block clusters and cooperative grids: what a launch may ask for, and what the kernels see.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using Size = std::array<std::uint32_t, 3>;

std::vector<std::uint32_t> words(const PtxOutcome& outcome) {
  std::vector<std::uint32_t> all(outcome.y.size() / 4);
  std::memcpy(all.data(), outcome.y.data(), all.size() * 4);
  return all;
}

/// Sums 1 from each thread of the cluster in the shared memory of rank 0, and writes the sum per block.
constexpr std::string_view count_threads =
    ".shared .u32 sum;\n.reg .b32 %r<8>;\n.reg .b64 %q<4>;\n.reg .pred %p<3>;\n"
    "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@!%p1 st.shared.u32 [sum], 0;\n"
    "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
    "mapa.shared::cluster.u32 %r2, sum, 0;\n"
    "red.shared::cluster.add.u32 [%r2], 1;\n"
    "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
    "ld.shared::cluster.u32 %r3, [%r2];\n"
    "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
    "mov.u32 %r4, %ctaid.x;\nmul.wide.u32 %q1, %r4, 4;\nadd.u64 %q1, %q1, %y;\n@!%p1 st.global.u32 [%q1], %r3;\n";

PtxOutcome counted(Size grid, std::optional<Size> cluster, std::string_view directives = "") {
  PtxLaunch launch{.body = count_threads};
  launch.grid = grid;
  launch.cluster = cluster;
  launch.directives = directives;
  return run_ptx(launch);
}

TEST(Cluster, ItsSizeComesFromTheLaunchOrTheKernel) {
  EXPECT_EQ(words(counted({4, 1, 1}, Size{4, 1, 1}))[3], 128u);
  EXPECT_EQ(words(counted({4, 1, 1}, Size{2, 1, 1}))[3], 64u);
  EXPECT_EQ(words(counted({4, 1, 1}, {}, ".reqnctapercluster 2, 1, 1"))[3], 64u);
  // Without clusters, each block is one of its own.
  const PtxOutcome alone = counted({4, 1, 1}, {});
  EXPECT_EQ(words(alone)[3], 32u);
  EXPECT_TRUE(alone.reports().empty());
}

TEST(Cluster, ALaunchThatAGpuRejectsIsRefused) {
  EXPECT_EQ(counted({5, 1, 1}, Size{2, 1, 1}).error,
            "cluster.x is 2, but grid.x is 5; the grid must be a multiple of the cluster size");
  EXPECT_EQ(counted({32, 1, 1}, Size{16, 1, 1}).error,
            "the cluster has 16 blocks; the limit is 8 unless the launch allows a non-portable cluster size");
  EXPECT_EQ(counted({32, 1, 1}, Size{32, 1, 1}).error,
            "the cluster has 32 blocks; the limit is 8, or 16 with a non-portable cluster size");
  EXPECT_EQ(counted({4, 1, 1}, Size{2, 1, 1}, ".reqnctapercluster 4, 1, 1").error,
            "`k` must be launched with clusters of (4,1,1) blocks (.reqnctapercluster)");
  EXPECT_EQ(counted({4, 1, 1}, Size{4, 1, 1}, ".explicitcluster .maxclusterrank 2").error,
            "the cluster has 4 blocks; `k` was compiled for at most 2 (.maxclusterrank)");
  EXPECT_EQ(counted({4, 1, 1}, {}, ".explicitcluster").error,
            "`k` must be launched with a cluster size (.explicitcluster)");
}

TEST(Cluster, WaitingWithoutArrivingIsReported) {
  PtxLaunch launch{.body = "barrier.cluster.wait;\n"};
  launch.cluster = Size{1, 1, 1};
  EXPECT_THAT(run_ptx(launch).reports(), ::testing::ElementsAre(HasSubstr("barrier:0: thread (0,0,0)")));
}

TEST(Cluster, ThreadsThatEndedAreNotWaitedFor) {
  PtxLaunch launch{.body =
                       ".reg .b32 %r<3>;\n.reg .pred %p;\nmov.u32 %r1, %cluster_ctarank;\n"
                       "setp.eq.u32 %p, %r1, 1;\n@%p exit;\n"
                       "barrier.cluster.arrive;\nbarrier.cluster.wait;\nst.global.u32 [%y], 7;\n"};
  launch.grid = {2, 1, 1};
  launch.cluster = Size{2, 1, 1};
  const PtxOutcome outcome = run_ptx(launch);
  EXPECT_TRUE(outcome.reports().empty());
  EXPECT_EQ(words(outcome)[0], 7u);
}

TEST(Cluster, AccessesOfDifferentBlocksRaceWithoutABarrier) {
  const std::string_view body =
      ".shared .u32 x;\n.reg .b32 %r<4>;\n.reg .pred %p;\nmov.u32 %r1, %cluster_ctarank;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\nmapa.shared::cluster.u32 %r2, x, 0;\n"
      "mov.u32 %r3, %tid.x;\nadd.u32 %r3, %r3, %r1;\nsetp.eq.u32 %p, %r3, %r1;\n"
      "@%p st.shared::cluster.u32 [%r2], %r3;\n"
      "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  PtxLaunch launch{.body = body};
  launch.grid = {2, 1, 1};
  launch.cluster = Size{2, 1, 1};
  EXPECT_THAT(run_ptx(launch).reports(),
              ::testing::ElementsAre(::testing::AllOf(HasSubstr("shared_race"), HasSubstr("of block (0,0,0)"),
                                                      HasSubstr("cluster.sync()"))));
}

TEST(Cooperative, AllBlocksMustBeResident) {
  PtxLaunch launch{.body = "st.global.u32 [%y], 1;\n"};
  launch.block = {1024, 1, 1};
  launch.grid = {265, 1, 1};
  launch.cooperative = true;
  EXPECT_EQ(run_ptx(launch).error,
            "too many blocks in cooperative launch: the grid has 265, but at most 264 are resident at once (2 per SM x "
            "132 SMs)");
  launch.grid = {264, 1, 1};
  EXPECT_EQ(run_ptx(launch).error, "");
}

TEST(Cooperative, OnlyACooperativeGridHasAWorkspace) {
  PtxLaunch launch{.body =
                       ".reg .b32 %r<3>;\nmov.u32 %r1, %envreg1;\nmov.u32 %r2, %envreg2;\n"
                       "or.b32 %r1, %r1, %r2;\nst.global.u32 [%y], %r1;\n"};
  EXPECT_EQ(words(run_ptx(launch))[0], 0u);
  launch.cooperative = true;
  EXPECT_NE(words(run_ptx(launch))[0], 0u);
}

}  // namespace
}  // namespace warpwalk::testing
