// The plane: the way between two pictures, and between two steps of the tour.
#include "core/story/pictures/plane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <regex>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/stages.h"
#include "tests/story/whole_walk.h"
#include "tests/story/words.h"

namespace warpwalk::story {
namespace {

using testing::opening_walk;

PlanePicture random_picture(std::mt19937& rng) {
  const auto number = [&](double from, double to) { return std::uniform_real_distribution(from, to)(rng); };
  PlanePicture picture{{number(-10, 10), number(-10, 10), number(0.1, 1000), number(0.1, 500)}, {}};
  for (int i = 0; i < 8; ++i)
    if (rng() % 3 != 0)
      picture.items.push_back({.id = fmt::format("thing {}", i),
                               .box = {number(-50, 50), number(-50, 50), number(1, 9), number(1, 9)},
                               .text = fmt::format("text {}", rng() % 4),
                               .shown = number(0.1, 1)});
  return picture;
}

TEST(Plane, TheWayBeginsAtOnePictureAndEndsAtTheOther) {
  std::mt19937 rng(7);
  for (int i = 0; i < 200; ++i) {
    const PlanePicture from = random_picture(rng), to = random_picture(rng);
    EXPECT_EQ(between(from, to, 0), from);
    EXPECT_EQ(between(from, to, 1), to);
    EXPECT_EQ(between(from, from, 0.3).items, from.items);
  }
}

TEST(Plane, WhatBothHaveIsThereOnTheWholeWayAndDoesNotJump) {
  std::mt19937 rng(11);
  constexpr int steps = 100;
  for (int i = 0; i < 50; ++i) {
    const PlanePicture from = random_picture(rng), to = random_picture(rng);
    for (const PlaneItem& item : from.items) {
      const PlaneItem* const end = to.find(item.id);
      if (end == nullptr) continue;
      PlaneBox last = item.box;
      for (int step = 1; step <= steps; ++step) {
        const PlanePicture picture = between(from, to, static_cast<double>(step) / steps);
        const PlaneItem* const now = picture.find(item.id);
        ASSERT_NE(now, nullptr);
        EXPECT_GT(now->shown, 0);
        // At most twice the mean speed: the easing's steepest part.
        const double way = std::abs(end->box.x - item.box.x);
        EXPECT_LE(std::abs(now->box.x - last.x), 3.1 * way / steps + 1e-9);
        last = now->box;
      }
    }
  }
}

TEST(Plane, ACameraThatZoomsKeepsOnePointStill) {
  const PlanePicture from{{0, 0, 1000, 450}, {}}, to{{300, 200, 10, 4.5}, {}};
  // The point that has the same place in both cameras.
  const double still = (to.camera.x - from.camera.x) / (1 - to.camera.width / from.camera.width);
  const double share = (still - from.camera.x) / from.camera.width;
  double last = std::numeric_limits<double>::infinity();
  for (double phase = 0.1; phase < 1; phase += 0.1) {
    const PlaneBox camera = between(from, to, phase).camera;
    EXPECT_NEAR((still - camera.x) / camera.width, share, 1e-9);
    EXPECT_LT(camera.width, last);
    last = camera.width;
  }
}

Stage step_at(std::int64_t step, double phase) {
  const testing::Crafted& walk = opening_walk();
  SceneInput input{walk.trace, walk.walk, testing::english(), testing::hardware(), {Moment::Kind::beat, step, phase}};
  input.history = walk.view();
  return testing::stage_of(tour(), input);
}

PlanePicture plane_of(const Stage& stage) { return *std::get<std::shared_ptr<const PlanePicture>>(stage.picture); }

std::vector<Beat> steps() { return tour().beats(opening_walk().trace, opening_walk().walk); }

// Lessons, links and scripts name the steps by these keys.
TEST(TourSteps, AreThoseOfTheStoryInItsOrder) {
  std::vector<std::string> keys;
  for (const Beat& beat : steps()) keys.push_back(beat.key);
  EXPECT_THAT(keys, ::testing::ElementsAre("line", "why", "call", "dispatch", "memory", "compiled", "order", "returns",
                                           "blocks", "placed", "limit", "warps", "issue", "latency", "lanes", "sectors",
                                           "shared", "sum", "edge", "store", "relu", "wait", "receipt", "whole"));
}

TEST(TourSteps, EachBeginsWithThePictureOfTheOneBefore) {
  for (std::int64_t step = 2; step <= static_cast<std::int64_t>(steps().size()); ++step) {
    const PlanePicture before = plane_of(step_at(step - 1, 1)), begins = plane_of(step_at(step, 0));
    EXPECT_EQ(before.camera, begins.camera) << step;
    EXPECT_TRUE(before.items == begins.items) << step;
  }
}

// Two neighbouring pictures share an item for the followed number, so that it moves from one to the other.
// On its way from the CPU to the GPU, the number is in the kernel that was ordered.
TEST(TourSteps, NeighboursShareWhatIsFollowed) {
  const auto followed = [](const PlanePicture& picture) {
    std::set<std::string> ids;
    for (const PlaneItem& item : picture.items)
      if ((item.tone == Tone::followed || item.id == "kernel") && item.shown > 0.5) ids.insert(item.id);
    return ids;
  };
  for (std::int64_t step = 2; step <= static_cast<std::int64_t>(steps().size()); ++step) {
    const std::set<std::string> before = followed(plane_of(step_at(step - 1, 1)));
    const std::set<std::string> after = followed(plane_of(step_at(step, 1)));
    EXPECT_FALSE(before.empty()) << step - 1;
    EXPECT_TRUE(std::ranges::any_of(before, [&](const std::string& id) { return after.contains(id); }))
        << steps()[static_cast<std::size_t>(step - 1)].key << " shares nothing that is followed with the step before";
  }
}

// A figure of the trace or of the simulation has the mark of its origin. Labels of an axis, of offsets and of sectors
// repeat what the marked figure beside them says.
TEST(TourSteps, FiguresSayWhereTheyComeFrom) {
  static const std::regex figure("[0-9] (ns|µs|ms|s|cycles|bytes|KiB|MiB|GiB)\\b|^c\\[.*\\] = -?[0-9]");
  for (std::int64_t step = 1; step <= static_cast<std::int64_t>(steps().size()); ++step) {
    const Stage stage = step_at(step, 1);
    for (const PlaneItem& item : plane_of(stage).items) {
      const bool repeats = item.id.starts_with("tick ") || item.id.starts_with("sector ");
      if (item.shown <= 0 || repeats || !std::regex_search(item.text, figure)) continue;
      EXPECT_TRUE(item.origin) << stage.key << ": " << item.id << ": " << item.text;
    }
  }
}

TEST(TourSteps, IdsAreUniqueInAPicture) {
  for (std::int64_t step = 1; step <= static_cast<std::int64_t>(steps().size()); ++step)
    for (const double phase : {0.2, 0.7, 1.0}) {
      std::set<std::string> ids;
      const Stage stage = step_at(step, phase);
      for (const PlaneItem& item : plane_of(stage).items)
        EXPECT_TRUE(ids.insert(item.id).second) << stage.key << " at " << phase << ": " << item.id;
    }
}

TEST(TourSteps, SayWhereTheyStandAndWhereTheyLead) {
  for (std::int64_t step = 1; step <= static_cast<std::int64_t>(steps().size()); ++step) {
    const Stage stage = step_at(step, 1);
    ASSERT_TRUE(stage.step) << stage.key;
    EXPECT_FALSE(stage.step->chapter.empty()) << stage.key;
    for (const CardLink* const link : {&stage.step->deeper, &stage.step->lab}) {
      if (link->empty()) continue;
      const Scene* const scene = find_scene(link->scene);
      ASSERT_NE(scene, nullptr) << stage.key << ": " << link->scene;
      if (link->beat.empty()) continue;
      const std::vector<Beat> beats = scene->beats(opening_walk().trace, opening_walk().walk);
      EXPECT_TRUE(std::ranges::any_of(beats, [&](const Beat& beat) { return beat.key == link->beat; }))
          << stage.key << ": " << link->scene << " has no beat " << link->beat;
    }
    EXPECT_EQ(transcript(stage).find("(no narration"), std::string::npos) << transcript(stage);
    EXPECT_EQ(stage.title.find('{'), std::string::npos) << stage.title;
    EXPECT_EQ(stage.sentence.find('{'), std::string::npos) << stage.sentence;
  }
}

}  // namespace
}  // namespace warpwalk::story
