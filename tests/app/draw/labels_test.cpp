// The labels of bars: none overlaps another, none crosses another bar, none extends beyond the axis.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "app/pictures/axis.h"

namespace warpwalk::pictures {
namespace {

using Where = LabelPlace::Where;

constexpr float left = 100, right = 1000;

void expect_good_labels(const std::vector<LabelWish>& wishes, const std::vector<LabelPlace>& places, int round) {
  ASSERT_EQ(places.size(), wishes.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const LabelPlace& place = places[i];
    if (place.where == Where::none) continue;
    const float from = place.x, to = place.x + place.width;
    ASSERT_GT(place.width, 0) << round;
    ASSERT_LE(place.width, wishes[i].width) << round;
    ASSERT_GE(from, left) << round;
    ASSERT_LE(to, right) << round;
    switch (place.where) {
      case Where::inside:
        ASSERT_GE(from, wishes[i].left) << round;
        ASSERT_LE(to, wishes[i].right) << round;
        break;
      case Where::after: ASSERT_GT(from, wishes[i].right) << round; break;
      case Where::before: ASSERT_LT(to, wishes[i].left) << round; break;
      case Where::above: ASSERT_TRUE(wishes[i].important) << round; break;
      case Where::none: break;
    }
    const bool above = place.where == Where::above;  // on a line of its own over the bars
    for (std::size_t other = 0; other < places.size(); ++other) {
      if (other == i) continue;
      ASSERT_TRUE(above || to <= wishes[other].left || from >= wishes[other].right)
          << round << ": the label of bar " << i << " crosses bar " << other;
      if (places[other].where == Where::none || (places[other].where == Where::above) != above) continue;
      ASSERT_TRUE(to <= places[other].x || from >= places[other].x + places[other].width)
          << round << ": labels " << i << " and " << other;
    }
  }
}

TEST(Labels, NeverCollideWhateverTheBars) {
  std::mt19937 dice(7);
  const auto within = [&](float low, float high) { return std::uniform_real_distribution<float>(low, high)(dice); };
  std::size_t placed[5] = {};
  for (int round = 0; round < 5000; ++round) {
    std::vector<LabelWish> wishes;
    float at = left + within(0, 200);
    while (at < right) {
      const float width = std::min(round % 3 == 0 ? within(0, 12) : within(0, 250), right - at);
      wishes.push_back({at, at + width, within(0, 220), dice() % 4 == 0});
      at += width + (dice() % 3 == 0 ? 0 : within(0, 160));
    }
    const std::vector<LabelPlace> places = place_labels(wishes, left, right);
    expect_good_labels(wishes, places, round);
    if (HasFatalFailure()) return;
    for (const LabelPlace& place : places) ++placed[static_cast<std::size_t>(place.where)];
  }
  for (const std::size_t count : placed) EXPECT_GT(count, 1000u);  // every kind of place occurred
}

TEST(Labels, InsideWhereTheyFit) {
  const auto places = place_labels({{200, 400, 100, false}}, left, right);
  EXPECT_EQ(places[0].where, Where::inside);
  EXPECT_EQ(places[0].x, 208);
  EXPECT_EQ(places[0].width, 100);
}

TEST(Labels, ElseAfterElseBefore) {
  EXPECT_EQ(place_labels({{200, 210, 100, false}}, left, right)[0].where, Where::after);
  EXPECT_EQ(place_labels({{950, 960, 100, false}}, left, right)[0].where, Where::before);
  const auto between = place_labels({{200, 210, 0, false}, {250, 260, 90, false}, {280, 290, 0, false}}, left, right);
  EXPECT_EQ(between[1].where, Where::none);
}

TEST(Labels, CutInsideAWideBarRatherThanLeftOut) {
  const auto places = place_labels({{left, right, 2000, false}}, left, right);
  EXPECT_EQ(places[0].where, Where::inside);
  EXPECT_EQ(places[0].width, right - left - 16);
  EXPECT_EQ(place_labels({{110, 150, 900, false}}, left, right)[0].where, Where::none);
}

TEST(Labels, ImportantOnesChooseFirst) {
  const std::vector<LabelWish> both = {{200, 205, 80, false}, {300, 305, 80, true}};
  EXPECT_EQ(place_labels(both, 200, 395)[1].where, Where::after);
  // Only one place is free, between the two bars; the more important label gets it.
  for (const bool first : {true, false}) {
    const auto places = place_labels({{200, 205, 80, first}, {300, 305, 80, !first}}, 200, 305);
    EXPECT_EQ(places[0].where, first ? Where::after : Where::none);
    EXPECT_EQ(places[1].where, first ? Where::none : Where::before);
  }
}

TEST(Labels, ImportantOnesGoAboveRatherThanBeCutOrLeftOut) {
  const auto places = place_labels({{200, 260, 90, true}, {262, 300, 90, false}, {302, 305, 90, true}}, 200, 420);
  EXPECT_EQ(places[0].where, Where::above);
  EXPECT_EQ(places[0].width, 90);
  EXPECT_EQ(places[1].where, Where::none);
  EXPECT_EQ(places[2].where, Where::after);
  // From its bar's left end, or further left if the axis requires it; if it is wider than the axis it is cut inside.
  EXPECT_EQ(place_labels({{200, 260, 150, true}, {262, 395, 0, false}}, 200, 395)[0].x, 200);
  EXPECT_EQ(place_labels({{200, 320, 0, false}, {322, 395, 150, true}}, 200, 395)[1].x, 245);
  EXPECT_EQ(place_labels({{200, 395, 999, true}}, 200, 395)[0].where, Where::inside);
  // Two labels above one row do not overlap.
  const auto two = place_labels({{200, 260, 90, true}, {262, 330, 90, true}, {332, 395, 0, false}}, 200, 395);
  EXPECT_EQ(two[0].where, Where::above);
  EXPECT_NE(two[1].where, Where::above);
  for (const bool first : {true, false}) {
    const auto cut = place_labels({{200, 260, 90, !first}, {262, 330, 90, first}}, 200, 332);
    EXPECT_EQ(cut[first ? 1 : 0].where, Where::above);
  }
}

TEST(Labels, NothingToSayTakesNoPlace) {
  EXPECT_EQ(place_labels({{200, 400, 0, true}}, left, right)[0].where, Where::none);
  EXPECT_TRUE(place_labels({}, left, right).empty());
}

}  // namespace
}  // namespace warpwalk::pictures
