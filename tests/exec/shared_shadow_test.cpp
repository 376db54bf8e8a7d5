// The happens-before order in a block of two warps: threads 0-31 and 32-63.
#include "core/gpu/exec/shadow/shared_shadow.h"

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

class Shadow : public ::testing::Test {
 protected:
  Touch touch(std::uint32_t thread, bool copy = false) {
    return shadow_.make_touch(thread, 0, false, copy ? AccessedBy::copy : AccessedBy::thread);
  }
  SharedShadow shadow_{64, 2};
};

TEST_F(Shadow, AThreadIsInOrderWithItselfAlone) {
  const Touch before = touch(5);
  EXPECT_TRUE(shadow_.happens_before(before, 5));
  EXPECT_FALSE(shadow_.happens_before(before, 6));
  EXPECT_FALSE(shadow_.happens_before(before, 37));
}

TEST_F(Shadow, ABarrierOrdersThoseThatMeet) {
  const Touch before = touch(5);
  shadow_.synchronize_warps(0b01);
  EXPECT_TRUE(shadow_.happens_before(before, 6));
  EXPECT_FALSE(shadow_.happens_before(before, 37));
  shadow_.synchronize_warps(0b11);
  EXPECT_TRUE(shadow_.happens_before(before, 37));
  EXPECT_FALSE(shadow_.happens_before(touch(5), 37));
}

TEST_F(Shadow, LanesThatMeetAreOrdered) {
  const Touch before = touch(5);
  shadow_.synchronize_lanes(0, 0b1100000);  // 5 and 6
  EXPECT_TRUE(shadow_.happens_before(before, 6));
  EXPECT_FALSE(shadow_.happens_before(before, 7));
  EXPECT_FALSE(shadow_.happens_before(touch(5), 6));
}

TEST_F(Shadow, WhoArrivesIsWaitedForButDoesNotWait) {
  const Touch producer = touch(0), consumer = touch(32);
  shadow_.arrive(0, 3);
  shadow_.synchronize_warps(0b10);
  shadow_.wait_for_arrivers(0b10, 3);
  EXPECT_TRUE(shadow_.happens_before(producer, 40));
  EXPECT_FALSE(shadow_.happens_before(consumer, 0));
}

TEST_F(Shadow, AFlagOrdersOnlyWithFencesOnBothSides) {
  const Touch before = touch(0);
  shadow_.release(0, 8, false);
  shadow_.acquire(1, 8, false);
  shadow_.fence(1);
  EXPECT_FALSE(shadow_.happens_before(before, 32)) << "the writer had no fence";
  shadow_.fence(0);
  shadow_.release(0, 8, false);
  shadow_.acquire(1, 8, false);
  EXPECT_FALSE(shadow_.happens_before(before, 32)) << "the reader has none yet";
  shadow_.fence(1);
  EXPECT_TRUE(shadow_.happens_before(before, 32));
  EXPECT_FALSE(shadow_.happens_before(touch(0), 32)) << "what comes after the flag";
}

TEST_F(Shadow, ReleaseAndAcquireNeedNoFence) {
  const Touch before = touch(0);
  shadow_.release(0, 8, true);
  shadow_.acquire(1, 12, true);
  EXPECT_FALSE(shadow_.happens_before(before, 32)) << "another place";
  shadow_.acquire(1, 8, true);
  EXPECT_TRUE(shadow_.happens_before(before, 32));
}

TEST_F(Shadow, ALockAmongLanesOfAWarpOrdersThem) {
  const Touch before = touch(0);
  shadow_.fence(0);
  shadow_.release(0, 8, false);
  shadow_.acquire(0, 8, false);
  EXPECT_FALSE(shadow_.happens_before(before, 1));
  shadow_.fence(0);
  EXPECT_TRUE(shadow_.happens_before(before, 1));
}

TEST_F(Shadow, ACopyHappensWhenItHasBeenWaitedFor) {
  const Touch first = touch(0, true);
  shadow_.commit_copies(0);
  const Touch second = touch(0, true);
  shadow_.commit_copies(0);
  EXPECT_FALSE(shadow_.happens_before(first, 0)) << "not even its own thread may look";
  shadow_.synchronize_warps(0b11);
  EXPECT_FALSE(shadow_.happens_before(first, 32)) << "a barrier does not wait for copies";
  shadow_.wait_for_copies(0, 1);
  EXPECT_TRUE(shadow_.happens_before(first, 0));
  EXPECT_FALSE(shadow_.happens_before(second, 0));
  EXPECT_FALSE(shadow_.happens_before(first, 32)) << "waited for after the barrier";
  shadow_.synchronize_warps(0b11);
  EXPECT_TRUE(shadow_.happens_before(first, 32));
  EXPECT_FALSE(shadow_.happens_before(second, 32));
}

TEST_F(Shadow, WaitingForAllTakesInCopiesWithoutAGroup) {
  const Touch copy = touch(3, true);
  shadow_.wait_for_all_copies(3);
  EXPECT_TRUE(shadow_.happens_before(copy, 3));
  EXPECT_FALSE(shadow_.happens_before(copy, 4));
  shadow_.synchronize_lanes(0, ~0u);
  EXPECT_TRUE(shadow_.happens_before(copy, 4));
}

TEST_F(Shadow, AnMbarrierThatTracksACopyCompletesItForThoseWhoWaitForIt) {
  constexpr std::uint32_t mbarrier = 64;
  const Touch first = touch(0, true);
  shadow_.track_copies(0, mbarrier, false);
  const Touch second = touch(0, true);
  shadow_.track_copies(0, mbarrier, true);
  shadow_.synchronize_warps(0b11);
  EXPECT_FALSE(shadow_.happens_before(first, 0)) << "arriving is not waiting";
  shadow_.see_phase_completed(1, mbarrier, false);
  EXPECT_TRUE(shadow_.happens_before(first, 32));
  EXPECT_FALSE(shadow_.happens_before(second, 32)) << "of the next phase";
  EXPECT_FALSE(shadow_.happens_before(first, 0)) << "its own thread has not waited";
  shadow_.synchronize_warps(0b11);
  EXPECT_TRUE(shadow_.happens_before(first, 0)) << "ordered after a thread that has waited";
}

// A batch is a part of a group, so the numbers of groups do not change.
TEST_F(Shadow, AnMbarrierEndsNoGroup) {
  const Touch tracked = touch(0, true);
  shadow_.track_copies(0, 64, false);
  const Touch same_group = touch(0, true);
  shadow_.commit_copies(0);
  const Touch next_group = touch(0, true);
  shadow_.commit_copies(0);
  shadow_.wait_for_copies(0, 1);
  EXPECT_TRUE(shadow_.happens_before(tracked, 0));
  EXPECT_TRUE(shadow_.happens_before(same_group, 0));
  EXPECT_FALSE(shadow_.happens_before(next_group, 0));
}

TEST_F(Shadow, AnOldCopyIsForgottenAsDone) {
  const Touch old = touch(0, true);
  for (int i = 0; i < 200; ++i) {
    touch(0, true);
    shadow_.wait_for_all_copies(0);
  }
  EXPECT_TRUE(shadow_.happens_before(old, 0));
  EXPECT_FALSE(shadow_.happens_before(touch(0, true), 0));
}

TEST_F(Shadow, AReadBeforeAnyWriteIsARaceOnlyWithAnUnorderedWriter) {
  shadow_.read_unwritten(touch(0), 16, 0b1111);
  shadow_.read_unwritten(touch(0), 16, 0b1111);
  shadow_.read_unwritten(touch(1), 20, 0b1100);
  ASSERT_EQ(shadow_.unwritten_reads().size(), 2u);
  EXPECT_EQ(shadow_.unwritten_reads()[0].count, 2u);
  EXPECT_EQ(shadow_.unwritten_reads()[1].offset, 22u);
  shadow_.written(touch(32), 17);
  EXPECT_TRUE(shadow_.unwritten_reads()[0].raced);
  shadow_.synchronize_warps(0b11);
  shadow_.written(touch(32), 22);
  EXPECT_FALSE(shadow_.unwritten_reads()[1].raced) << "a barrier lay between";
}

}  // namespace
}  // namespace warpwalk::gpu
