#include "app/panels/strip.h"

#include <random>

#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::panels {
namespace {

TEST(Strip, ZoomKeepsTheMomentUnderThePointer) {
  StripState state = {0, 1000000};
  zoom(state, 0.5, 250000, 1000000);
  EXPECT_DOUBLE_EQ(state.from, 125000);
  EXPECT_DOUBLE_EQ(state.to, 625000);
}

TEST(Strip, NeverShowsWhatIsOutsideTheTrace) {
  std::mt19937 random(3);
  StripState state;
  for (int i = 0; i < 2000; ++i) {
    if (random() % 2 == 0)
      zoom(state, random() % 2 == 0 ? 0.6 : 1.9, state.from + (state.to - state.from) * 0.3, 5000000);
    else
      pan(state, random() % 2 == 0 ? 0.7 : -0.7, 5000000);
    ASSERT_GE(state.from, 0);
    ASSERT_LE(state.to, 5000000);
    ASSERT_GE(state.to - state.from, 199);
  }
}

TEST(Strip, WhatIsChosenIsBroughtIntoViewAndTheZoomKept) {
  constexpr std::int64_t length = 1000000;
  StripState state = {100000, 200000};
  reveal(state, 150000, 160000, length);
  EXPECT_DOUBLE_EQ(state.from, 100000) << "it is in view";
  reveal(state, 500000, 520000, length);
  EXPECT_DOUBLE_EQ(state.from, 460000) << "in the middle";
  EXPECT_DOUBLE_EQ(state.to, 560000);
  reveal(state, 999000, 1000000, length);
  EXPECT_DOUBLE_EQ(state.to, 1000000);
  EXPECT_DOUBLE_EQ(state.from, 900000);
  reveal(state, 200000, 600000, length);  // longer than the stretch: its beginning
  EXPECT_LE(state.from, 200000);
  EXPECT_GT(state.to, 200000);
  EXPECT_DOUBLE_EQ(state.to - state.from, 100000);
  const StripState inside = {300000, 400000};
  state = inside;
  reveal(state, 200000, 600000, length);
  EXPECT_DOUBLE_EQ(state.from, inside.from) << "the whole stretch is part of it";
  StripState whole;
  reveal(whole, 500000, 520000, length);
  EXPECT_DOUBLE_EQ(whole.to, 0) << "the whole trace is shown";
}

// The strip goes to another kernel once; then it stays where a person moves it.
TEST(Strip, FollowsTheChoiceOfTheWindow) {
  shell::Driver driver;
  driver.open(shell::walk_file("mlp_train"));
  const trace::Trace& trace = driver.shell.opened().document->trace();
  const StripState& strip = driver.shell.frame_panels().strip;
  for (int i = 0; i < 40; ++i) driver.press(U'w');  // far into the middle
  driver.press(U'k');
  driver.settle();
  const auto shows = [&](double time) { return time >= strip.from && time <= strip.to; };
  const trace::SliceId kernel = driver.shell.opened().walk.kernel;
  EXPECT_TRUE(shows(static_cast<double>(trace.slices.start[kernel] - trace.begin_ns)));
  EXPECT_LT(strip.to - strip.from, static_cast<double>(trace.end_ns - trace.begin_ns) / 2) << "the zoom is kept";
  for (int i = 0; i < 8; ++i) driver.press(U'a');
  const double moved_to = strip.from;
  driver.frame();
  driver.frame();
  EXPECT_DOUBLE_EQ(strip.from, moved_to);
}

// Busy time by prefix sums, compared with adding it up slice by slice.
TEST(Lanes, BusyTimeIsTheSumOfWhatLiesInside) {
  const trace::ReadResult read = trace::read_trace(shell::walk_file("mlp_train"));
  const auto tracks = analysis::track_activities(read.trace);
  ASSERT_GE(tracks.size(), 3u);  // two threads and a stream
  std::mt19937_64 random(11);
  const std::int64_t length = read.trace.end_ns - read.trace.begin_ns;
  for (const analysis::TrackActivity& activity : tracks) {
    for (int i = 0; i < 300; ++i) {
      std::int64_t a = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(length));
      std::int64_t b = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(length));
      if (a > b) std::swap(a, b);
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < activity.slices.size(); ++k)
        sum += std::max<std::int64_t>(0, std::min(b, activity.ends[k]) - std::max(a, activity.starts[k]));
      ASSERT_EQ(activity.busy_in(a, b), sum) << activity.track << " " << a << " " << b;
    }
  }
}

TEST(Lanes, FindTheSliceUnderAMoment) {
  const trace::ReadResult read = trace::read_trace(shell::walk_file("relu_matmul"));
  const auto tracks = analysis::track_activities(read.trace);
  const analysis::TrackActivity& stream = tracks.back();
  ASSERT_TRUE(stream.gpu);
  ASSERT_EQ(stream.slices.size(), 2u);
  const std::int64_t middle = (stream.starts[0] + stream.ends[0]) / 2;
  EXPECT_EQ(stream.at(middle, 0), stream.slices[0]);
  EXPECT_EQ(stream.at(stream.starts[0] - 100, 0), story::no_slice);
  EXPECT_EQ(stream.at(stream.starts[0] - 100, 200), stream.slices[0]);
}

}  // namespace
}  // namespace warpwalk::panels
