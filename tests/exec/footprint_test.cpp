// The result does not depend on the number of host threads, even if blocks access each other's data.
#include "core/gpu/exec/memory/footprint.h"

#include <cstring>

#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

using gpu::Footprint;
using gpu::Memory;
using gpu::Snapshots;

/// Two regions of 1 KB, one of them read-only.
struct TwoRegions {
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1024, 7), constants = std::vector<std::uint8_t>(1024);
  Memory memory;
  TwoRegions() {
    memory.add({0x1000, 1024, bytes.data(), nullptr, false, "bytes"});
    memory.add({0x9000, 1024, constants.data(), nullptr, true, "constants"});
  }
};

TEST(FootprintTest, OnlyWhatMeetsContradicts) {
  using Kind = Footprint::Kind;
  struct Pair {
    Kind a, b;
    bool contradicts;
  };
  const Pair pairs[] = {{Kind::read, Kind::read, false},   {Kind::read, Kind::write, true},
                        {Kind::write, Kind::write, true},  {Kind::atomic, Kind::atomic, false},
                        {Kind::atomic, Kind::read, true},  {Kind::write, Kind::atomic, true},
                        {Kind::atomic, Kind::write, true}, {Kind::write, Kind::read, true}};
  for (const Pair& pair : pairs) {
    TwoRegions of;
    Snapshots snapshots(of.memory);
    Footprint one(of.memory, snapshots), other(of.memory, snapshots);
    one.before_access(0, 120, 16, pair.a);
    other.before_access(0, 136, 4, pair.b);  // the next word
    EXPECT_FALSE(Footprint::conflict({&one, &other}));
    other.before_access(0, 132, 4, pair.b);
    EXPECT_EQ(Footprint::conflict({&one, &other}), pair.contradicts);
  }
}

TEST(FootprintTest, AThreadDoesNotContradictItselfAndConstantsNobody) {
  TwoRegions of;
  Snapshots snapshots(of.memory);
  Footprint one(of.memory, snapshots), other(of.memory, snapshots);
  one.before_access(0, 0, 1024, Footprint::Kind::write);
  one.before_access(0, 0, 1024, Footprint::Kind::read);
  other.before_access(1, 0, 1024, Footprint::Kind::read);
  one.before_access(1, 0, 1024, Footprint::Kind::read);
  EXPECT_FALSE(Footprint::conflict({&one, &other}));
}

TEST(FootprintTest, SnapshotsBringBackWhatWasThereBeforeTheFirstWrite) {
  TwoRegions of;
  Snapshots snapshots(of.memory);
  snapshots.before_access(0, 5, 1, Footprint::Kind::write);
  of.bytes[5] = 1;
  snapshots.before_access(0, 6, 1, Footprint::Kind::write);
  of.bytes[6] = 2;
  Footprint all(of.memory, snapshots);
  all.before_access(0, 4, 4, Footprint::Kind::write);
  of.bytes[100] = 3;  // by the program, on the host
  snapshots.restore({&all});
  EXPECT_EQ(of.bytes[100], 3);
  of.bytes[100] = 7;
  EXPECT_EQ(of.bytes, std::vector<std::uint8_t>(1024, 7));
}

/// Each thread adds the corresponding word of the next block to its own, in place. The result depends on the order of
/// the blocks, but no atomic indicates that.
constexpr std::string_view in_place = R"(
  .reg .b32 %i, %n, %b, %d, %a, %c;
  .reg .b64 %p, %q;
  mov.u32 %i, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %d, %ntid.x;
  mad.lo.u32 %i, %b, %d, %i;
  add.u32 %n, %i, %d;
  rem.u32 %n, %n, 4096;
  mul.wide.u32 %p, %i, 4;
  add.u64 %p, %p, %y;
  mul.wide.u32 %q, %n, 4;
  add.u64 %q, %q, %y;
  ld.global.u32 %a, [%p];
  ld.global.u32 %c, [%q];
  add.u32 %a, %a, %c;
  add.u32 %a, %a, %b;
  st.global.u32 [%p], %a;
)";

TEST(AnyNumberOfThreads, BlocksThatReadEachOthersWorkGiveWhatTheirOrderGives) {
  const PtxLaunch launch{
      .body = in_place, .grid = {64, 1, 1}, .block = {64, 1, 1}, .buffer_bytes = 16384, .sanitize = false};
  const PtxOutcome one = run_ptx(launch);
  ASSERT_EQ(one.error, "");
  // Expected: block b reads the initial value of block b + 1 (0); the last block reads the result of block 0
  // (0 + 0 + 0).
  std::vector<std::uint32_t> want(4096);
  for (std::uint32_t i = 0; i < 4096; ++i) want[i] = want[i] + want[(i + 64) % 4096] + i / 64;
  std::vector<std::uint32_t> got(4096);
  std::memcpy(got.data(), one.y.data(), one.y.size());
  EXPECT_EQ(got, want);
  for (const int threads : {2, 3, 8}) {
    PtxLaunch again = launch;
    again.threads = threads;
    const PtxOutcome outcome = run_ptx(again);
    EXPECT_EQ(outcome.y, one.y) << threads << " threads";
    EXPECT_EQ(outcome.simulation.counters.global_load_sectors, one.simulation.counters.global_load_sectors);
    EXPECT_EQ(outcome.simulation.counters.warps, one.simulation.counters.warps);
  }
}

TEST(AnyNumberOfThreads, ManyBlocksThatWriteOneWordLeaveTheLastOnes) {
  const PtxLaunch launch{.body = R"(
    .reg .b32 %b;
    mov.u32 %b, %ctaid.x;
    st.global.u32 [%y], %b;
  )",
                         .grid = {500, 1, 1},
                         .sanitize = false};
  for (const int threads : {1, 2, 8}) {
    PtxLaunch again = launch;
    again.threads = threads;
    const PtxOutcome outcome = run_ptx(again);
    ASSERT_EQ(outcome.error, "");
    std::uint32_t last = 0;
    std::memcpy(&last, outcome.y.data(), 4);
    EXPECT_EQ(last, 499u) << threads << " threads";
  }
}

}  // namespace
}  // namespace warpwalk::testing
