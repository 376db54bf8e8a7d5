#include "core/gpu/history/loop.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/gpu/history/sm_window.h"
#include "tests/history/recorded_launch.h"

namespace warpwalk::gpu {
namespace {

// Issues of a warp, one per ten cycles unless told otherwise.
class Issues {
 public:
  Issues& issue(std::initializer_list<std::uint32_t> instructions, std::uint32_t lanes = 0xffffffff) {
    for (const std::uint32_t instruction : instructions) {
      IssuedInstruction& issue = issues_.emplace_back();
      issue.cycle = cycle_;
      issue.instruction = instruction;
      issue.lanes = lanes;
      cycle_ += 10;
    }
    return *this;
  }
  Issues& wait(std::int64_t cycles) {
    cycle_ += cycles;
    return *this;
  }
  const std::vector<IssuedInstruction>& all() const { return issues_; }

 private:
  std::vector<IssuedInstruction> issues_;
  std::int64_t cycle_ = 0;
};

// A loop of a function of a hundred instructions.
Loop loop_of(std::uint32_t first, std::uint32_t last) { return {first, last, {last}, 0, 99}; }

TEST(FindVisits, AWarpThatNeverGoesBackHasNone) {
  EXPECT_TRUE(find_visits({loop_of(1, 3)}, {}).empty());
  EXPECT_TRUE(find_visits({loop_of(1, 3)}, Issues().issue({0, 1, 2, 3, 4, 7, 8}).all()).empty());
}

TEST(FindVisits, APassLastsUntilTheNextBegins) {
  const auto visits =
      find_visits({loop_of(1, 3)}, Issues().issue({0, 1, 2, 3, 1, 2}).wait(5).issue({3, 1, 2, 3, 4}).all());
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].first, 1u);
  EXPECT_EQ(visits[0].last, 3u);
  EXPECT_EQ(visits[0].starts, (std::vector<std::int64_t>{10, 40, 75}));
  EXPECT_EQ(visits[0].end, 105);
  EXPECT_EQ(visits[0].cycles(1), 35);
  EXPECT_EQ(visits[0].cycles(2), 30);
}

TEST(FindVisits, AnInnerLoopIsThereOncePerPassOfTheOuter) {
  const auto visits =
      find_visits({loop_of(1, 3), loop_of(2, 2)}, Issues().issue({0, 1, 2, 2, 2, 3, 1, 2, 2, 3, 4}).all());
  ASSERT_EQ(visits.size(), 3u);
  EXPECT_EQ(visits[0].passes(), 2u) << "the outer one";
  EXPECT_EQ(visits[1].passes(), 3u);
  EXPECT_EQ(visits[2].passes(), 2u);
  EXPECT_EQ(innermost(visits, visits[1].starts[1]), &visits[1]);
  EXPECT_EQ(innermost(visits, visits[0].starts[0]), &visits[0]);
  EXPECT_EQ(innermost(visits, 0), nullptr);
  EXPECT_EQ(innermost(visits, 100), nullptr);
}

// An estimated schedule issues the instructions of a basic block in another order, and some of them several times.
TEST(FindVisits, TheOrderOfIssuesWithinABlockDoesNotMatter) {
  EXPECT_TRUE(find_visits({loop_of(4, 6)}, Issues().issue({0, 2, 1, 0, 0, 3, 7, 8}).all()).empty());
  const auto visits = find_visits({loop_of(1, 4)}, Issues().issue({0, 2, 2, 1, 3, 4, 2, 2, 1, 3, 4, 5}).all());
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].starts, (std::vector<std::int64_t>{10, 60}));
  EXPECT_EQ(visits[0].end, 110);
}

TEST(FindVisits, TheOtherSideOfADivergentBranchIsNoLoop) {
  // Half of the lanes run 5 and 6, then the others 2 and 3, which lie before them.
  EXPECT_TRUE(find_visits({loop_of(2, 6)},
                          Issues().issue({0, 1}).issue({5, 6}, 0xffff).issue({2, 3}, 0xffff0000).issue({7}).all())
                  .empty());
}

TEST(FindVisits, TheWayBackFromASlowPathIsNoLoop) {
  // 11 to 13 are seldom needed and lie behind the rest.
  EXPECT_TRUE(find_visits({loop_of(5, 13)}, Issues().issue({3, 4, 11, 12, 13, 5, 6, 7, 20}).all()).empty());
}

TEST(FindVisits, LanesMayLeaveEarly) {
  const auto visits =
      find_visits({loop_of(1, 2)}, Issues().issue({0, 1, 2}).issue({1, 2}, 0xff).issue({1, 2}, 0x1).issue({3}).all());
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].passes(), 3u);
}

TEST(FindVisits, APassGoesOnInAFunctionThatItCalls) {
  const auto visits = find_visits({loop_of(1, 3)}, Issues().issue({0, 1, 2, 100, 101, 3, 1, 2, 100, 101, 3, 4}).all());
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].passes(), 2u);
}

TEST(FindVisits, APassThatIsNotWhollyKnownIsLeftOut) {
  const auto visits = find_visits({loop_of(1, 2)}, Issues().issue({0, 1, 2, 1, 2, 1, 2}).all());
  ASSERT_EQ(visits.size(), 1u);
  EXPECT_EQ(visits[0].passes(), 2u);
  EXPECT_EQ(visits[0].end, 50);
  EXPECT_TRUE(find_visits({loop_of(1, 2)}, Issues().issue({0, 1, 2, 1, 2}).all()).empty())
      << "one whole pass is no loop yet";
  const auto later = find_visits({loop_of(1, 2)}, Issues().issue({2, 1, 2, 1, 2, 3}).all());
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].starts, (std::vector<std::int64_t>{10, 30}));
}

LoopVisit visit_of(std::initializer_list<std::int64_t> lengths) {
  LoopVisit visit;
  for (const std::int64_t length : lengths) {
    visit.starts.push_back(visit.end);
    visit.end += length;
  }
  return visit;
}

TEST(FoldPasses, PassesOfAboutTheSameLengthShareARow) {
  const auto groups = fold_passes(visit_of({500, 100, 104, 98, 300, 100, 100}), {}, 10);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].count, 1u);
  EXPECT_EQ(groups[1].first, 1u);
  EXPECT_EQ(groups[1].count, 3u);
  EXPECT_EQ(groups[1].shortest, 98);
  EXPECT_EQ(groups[1].longest, 104);
  EXPECT_EQ(groups[1].typical, 1u) << "the one of 100 cycles";
  EXPECT_EQ(groups[3].first, 5u);
}

TEST(FoldPasses, OnePassCanStayApart) {
  const auto groups = fold_passes(visit_of({100, 100, 100, 100}), 2, 10);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[1].first, 2u);
  EXPECT_EQ(groups[1].count, 1u);
  EXPECT_EQ(groups[0].count, 2u);
}

TEST(FoldPasses, TheMostAlikeAreFoldedUntilTheyFit) {
  const auto groups = fold_passes(visit_of({100, 200, 400, 800, 1000, 2000}), 2, 3);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[1].first, 2u);
  EXPECT_EQ(groups[2].count, 3u);
  std::size_t passes = 0;
  for (const PassGroup& group : groups) passes += group.count;
  EXPECT_EQ(passes, 6u);
}

// 128 x 128 x 128 in tiles of 16: eight passes of the loop over tiles, whose inner loop is unrolled.
TEST(FindVisits, AMatmulGoesOverItsTiles) {
  const std::filesystem::path file = "validate/reference/timed/matmul16_128x128x128.json";
  timed::Recorded recorded(file, timed::sm_of(file, 0));
  const SmWindow all = watch_window(*recorded.replay, 0, recorded.replay->end());
  ASSERT_FALSE(all.warps.empty());
  const WarpRow& row = all.warps.front();
  const WarpLife life = watch_warp(*recorded.replay, row.place, 0, recorded.replay->end());
  // The window of all warps contains the same instructions of this warp.
  std::vector<std::int64_t> cycles, expected;
  for (const IssuedInstruction& issue : life.issues) cycles.push_back(issue.cycle);
  for (const Issue& issue : all.issues)
    if (issue.what.warp == row.place) expected.push_back(issue.what.cycle);
  EXPECT_EQ(cycles, expected);
  std::int64_t spent = 0, in_window = 0;
  for (const WarpSpan& span : life.row.spans) spent += span.to - span.from;
  for (const WarpSpan& span : row.spans) in_window += span.to - span.from;
  EXPECT_EQ(spent, in_window);
  const std::vector<LoopVisit> loops = find_visits(loops_of(*recorded.again.program), life.issues);
  ASSERT_FALSE(loops.empty());
  const auto longest =
      std::ranges::max_element(loops, {}, [](const LoopVisit& one) { return one.end - one.starts[0]; });
  EXPECT_EQ(longest->passes(), 8u);
  std::int64_t sum = 0;
  for (std::size_t pass = 0; pass < longest->passes(); ++pass) sum += longest->cycles(pass);
  EXPECT_EQ(sum, longest->end - longest->starts[0]);
}

}  // namespace
}  // namespace warpwalk::gpu
