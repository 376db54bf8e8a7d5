#include "core/analysis/time/track_activity.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

TEST(LanesToShow, AreThoseFollowedAndThenTheBusiest) {
  const Trace& trace = sample("two_streams");
  const Walk walk = default_walk(trace);
  const std::vector<TrackActivity> tracks = track_activities(trace);
  ASSERT_GE(tracks.size(), 3u);
  const std::vector<std::size_t> all = tracks_to_show(tracks, trace, walk, 100);
  EXPECT_EQ(all.size(), tracks.size());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  const std::vector<std::size_t> two = tracks_to_show(tracks, trace, walk, 2);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(tracks[two[0]].track, trace.slices.track[walk.launch]);
  EXPECT_EQ(tracks[two[1]].track, trace.slices.track[walk.kernel]);
  // Without anything followed only the time counts.
  const std::vector<std::size_t> one = tracks_to_show(tracks, trace, Walk{}, 1);
  for (const TrackActivity& activity : tracks) EXPECT_LE(activity.busy.back(), tracks[one.front()].busy.back());
}

}  // namespace
}  // namespace warpwalk::analysis
