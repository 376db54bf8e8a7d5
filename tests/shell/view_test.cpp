#include "app/document/view.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using document::places_of;
using document::stepped;
using document::view_of_link;

TEST(View, CommandIsQuotedForAShell) {
  View view;
  view.file = "/tmp/it's here.json";
  view.scene = "map";
  view.moment = {story::Moment::Kind::beat, 3, 1};
  view.follow = "kernel:12";
  EXPECT_EQ(command_for(view, "dark"), "warpwalk '/tmp/it'\\''s here.json' --scene map --at b3 --follow kernel:12");
}

TEST(View, CommandOfATimeReadsBackAsTheSameMoment) {
  View view;
  view.file = "a.json";
  view.moment = {story::Moment::Kind::time, 12345, 1};
  EXPECT_EQ(command_for(view, "dark"), "warpwalk a.json --scene boardroom --at 12.345us");
  EXPECT_EQ(*story::parse_moment("12.345us"), view.moment);
}

TEST(View, CommandHoldsWhatWasSet) {
  View view;
  view.file = "a.json";
  view.controls.set("sm.registers", 64);
  view.naming = story::Naming::hardware;
  EXPECT_EQ(command_for(view, "light"),
            "warpwalk a.json --scene boardroom --at b1 --set sm.registers=64 --names hardware --theme light");
}

TEST(View, CommandOfRanksNamesTheirFolderAndTheRank) {
  View view;
  view.file = "runs/step 12/rank3.json";
  view.ranks = {"runs/step 12"};
  view.rank = 3;
  view.scene = "map";
  EXPECT_EQ(command_for(view, "dark"), "warpwalk 'runs/step 12' --rank 3 --scene map --at b1");
  view.ranks = {"a.json", "b.json"};
  view.rank = analysis::any_rank;
  EXPECT_EQ(command_for(view, "dark"), "warpwalk a.json b.json --scene map --at b1");
}

TEST(View, ALinkReadsBackAsTheSameView) {
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    View view;
    view.file = i % 2 == 0 ? "/tmp/plain.json" : "/tmp/a=b&file=c & d.json";
    view.scene = i % 3 == 0 ? "map" : "boardroom";
    view.follow = i % 5 == 0 ? "" : "kernel:" + std::to_string(random() % 1000);
    view.naming = static_cast<story::Naming>(random() % 3);
    view.moment = i % 4 == 0 ? story::Moment{story::Moment::Kind::time, static_cast<std::int64_t>(random()), 1}
                             : story::Moment{story::Moment::Kind::beat, 1 + static_cast<std::int64_t>(random() % 9), 1};
    if (i % 7 == 0) view.controls.set("sm.registers", static_cast<double>(random() % 256));
    if (i % 5 == 0) view.compare = "/tmp/100 %25/a&file=b/other.json";
    if (i % 6 == 0) {
      view.ranks = {"/tmp/runs & more", "/tmp/100 %25/rank=1.json"};
      view.rank = i % 12 == 0 ? analysis::any_rank : i;
    }
    if (i % 11 == 0) view.controls.set("launch.grid", 0.1 * static_cast<double>(random() % 256));
    EXPECT_EQ(view_of_link(link_of(view)), view) << link_of(view);
  }
  for (const char* wrong : {"", "x", "scene=map", "scene=attic&file=x", "at=never&file=x", "file=", "what=1&file=x",
                            "set=x&file=y", "names=x&file=y", "rank=x&file=y", "rank=-2&file=y"})
    EXPECT_FALSE(view_of_link(wrong)) << wrong;
}

class Samples : public ::testing::TestWithParam<const char*> {};

// n steps forward and n back lead to the same place, from every place, for every n within the walk.
TEST_P(Samples, SteppingOnAndBackReturns) {
  const trace::ReadResult read = trace::read_trace(walk_file(GetParam()));
  ASSERT_FALSE(read.error);
  const story::Walk walk = story::default_walk(read.trace);
  const auto places = static_cast<std::int64_t>(places_of(read.trace, walk).size());
  ASSERT_GT(places, 5);
  const auto settled = [](View view) {
    view.moment.phase = 1;
    return view;
  };
  View start;
  start.file = walk_file(GetParam());
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto at = static_cast<std::int64_t>(random() % static_cast<unsigned>(places));
    const auto n = static_cast<std::int64_t>(random() % static_cast<unsigned>(places - at));
    const View here = settled(stepped(start, at, read.trace, walk));
    const View there = settled(stepped(here, n, read.trace, walk));
    EXPECT_EQ(settled(stepped(there, -n, read.trace, walk)), here) << at << " " << n;
  }
}

// The same on the first route, which leaves beats out and goes through every scene.
TEST_P(Samples, SteppingOnAndBackReturnsOnTheFirstRoute) {
  const trace::ReadResult read = trace::read_trace(walk_file(GetParam()));
  ASSERT_FALSE(read.error);
  const story::Walk walk = story::default_walk(read.trace);
  const std::vector<document::Place> route = places_of(read.trace, walk, true);
  const auto places = static_cast<std::int64_t>(route.size());
  EXPECT_LT(route.size(), places_of(read.trace, walk).size());
  EXPECT_EQ(route.front(), (document::Place{&story::scenes().front(), 1}));
  for (const story::Scene& scene : story::scenes())
    EXPECT_NE(std::ranges::find(route, &scene, &document::Place::scene), route.end()) << scene.name;
  View start;
  start.file = walk_file(GetParam());
  start.first_route = true;
  for (std::int64_t at = 0; at < places; ++at)
    for (std::int64_t n = 0; at + n < places; ++n) {
      View here = stepped(start, at, read.trace, walk);
      here.moment.phase = 1;
      EXPECT_EQ(here.moment.value, route[static_cast<std::size_t>(at)].beat);
      View back = stepped(stepped(here, n, read.trace, walk), -n, read.trace, walk);
      back.moment.phase = 1;
      EXPECT_EQ(back, here) << at << " " << n;
    }
}

TEST_P(Samples, SteppingStopsAtBothEnds) {
  const trace::ReadResult read = trace::read_trace(walk_file(GetParam()));
  const story::Walk walk = story::default_walk(read.trace);
  const View first = stepped({}, -5, read.trace, walk);
  EXPECT_EQ(first.scene, story::scenes().front().name);
  EXPECT_EQ(first.moment.value, 1);
  const View last = stepped({}, 1000, read.trace, walk);
  EXPECT_EQ(last.scene, story::scenes().back().name);
  EXPECT_EQ(stepped(last, 1, read.trace, walk).moment.value, last.moment.value);
}

TEST_P(Samples, ScenesAreSteppedByTheirFirstBeats) {
  const trace::ReadResult read = trace::read_trace(walk_file(GetParam()));
  const story::Walk walk = story::default_walk(read.trace);
  View view = stepped({}, 2, read.trace, walk);  // the third beat of the first scene
  view = scene_stepped(view, -1, read.trace, walk);
  EXPECT_EQ(view.moment.value, 1);
  view = scene_stepped(view, 1, read.trace, walk);
  EXPECT_EQ(view.scene, story::scenes()[1].name);
  EXPECT_EQ(view.moment.value, 1);
  EXPECT_EQ(scene_stepped(view, -1, read.trace, walk).scene, story::scenes()[0].name);
  // From a beat that goes deeper, back to the first place of its own scene.
  for (const document::Place& place : places_of(read.trace, walk, true)) {
    View deeper = view;
    deeper.scene = place.scene->name;
    deeper.first_route = true;
    const std::vector<int> first = story::first_route(*place.scene, read.trace, walk);
    deeper.moment = {story::Moment::Kind::beat, first.front() + 1, 1};
    if (std::ssize(place.scene->beats(read.trace, walk)) <= first.front()) continue;
    const View back = scene_stepped(deeper, -1, read.trace, walk);
    EXPECT_EQ(back.scene, place.scene->name);
    EXPECT_EQ(back.moment.value, first.front());
  }
}

TEST_P(Samples, ALabIsSteppedByItselfAndLeftToItsScene) {
  const trace::ReadResult read = trace::read_trace(walk_file(GetParam()));
  const story::Walk walk = story::default_walk(read.trace);
  for (const story::Scene& lab : story::labs()) {
    View view;
    view.scene = lab.name;
    const auto beats = static_cast<std::int64_t>(lab.beats(read.trace, walk).size());
    const View last = stepped(view, 1000, read.trace, walk);
    EXPECT_EQ(last.scene, lab.name);
    EXPECT_EQ(last.moment.value, beats);
    EXPECT_EQ(stepped(last, 1 - beats, read.trace, walk).moment.value, 1);
    for (const int way : {-1, 1}) EXPECT_EQ(scene_stepped(last, way, read.trace, walk).scene, lab.opens_from);
  }
}

INSTANTIATE_TEST_SUITE_P(Walks, Samples, ::testing::Values("relu_matmul", "two_streams", "mlp_train"));

}  // namespace
}  // namespace warpwalk::shell
