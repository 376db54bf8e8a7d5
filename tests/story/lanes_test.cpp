#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/facts/track_activity.h"
#include "tests/story/small_trace.h"

namespace warpwalk::story::testing {
namespace {

TEST(LanesToShow, AreThoseFollowedAndThenTheBusiest) {
  const Trace& trace = sample("two_streams");
  const Walk walk = default_walk(trace);
  const std::vector<Lane> lanes = lanes_of(trace);
  ASSERT_GE(lanes.size(), 3u);
  const std::vector<std::size_t> all = lanes_to_show(lanes, trace, walk, 100);
  EXPECT_EQ(all.size(), lanes.size());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  const std::vector<std::size_t> two = lanes_to_show(lanes, trace, walk, 2);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(lanes[two[0]].track, trace.slices.track[walk.launch]);
  EXPECT_EQ(lanes[two[1]].track, trace.slices.track[walk.kernel]);
  // Without anything followed only the time counts.
  const std::vector<std::size_t> one = lanes_to_show(lanes, trace, Walk{}, 1);
  for (const Lane& lane : lanes) EXPECT_LE(lane.busy.back(), lanes[one.front()].busy.back());
}

}  // namespace
}  // namespace warpwalk::story::testing
