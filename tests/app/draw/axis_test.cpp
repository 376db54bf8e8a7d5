#include "app/pictures/axis.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace warpwalk::pictures {
namespace {

bool is_1_2_5(std::int64_t step) {
  while (step % 10 == 0) step /= 10;
  return step == 1 || step == 2 || step == 5;
}

void expect_good_ticks(double from, double to, int limit) {
  const std::vector<std::int64_t> places = ticks(from, to, limit);
  // A span of n steps can hold n + 1 ticks, one at each end.
  ASSERT_LE(places.size(), static_cast<std::size_t>(limit) + 1) << from << " " << to << " " << limit;
  for (const std::int64_t tick : places) {
    EXPECT_GE(static_cast<double>(tick), from);
    EXPECT_LE(static_cast<double>(tick), to);
  }
  if (places.size() < 2) return;
  const std::int64_t step = places[1] - places[0];
  EXPECT_TRUE(is_1_2_5(step)) << step;
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_EQ(places[i] - places[i - 1], step);
  EXPECT_EQ(places[0] % step, 0);
  // No tick is missing, and no finer step would fit.
  EXPECT_LT(static_cast<double>(places.front()) - from, static_cast<double>(step));
  EXPECT_LT(to - static_cast<double>(places.back()), static_cast<double>(step));
}

TEST(Ticks, StandAtRoundTimes) {
  EXPECT_EQ(ticks(0, 100, 5), (std::vector<std::int64_t>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(ticks(-15, 15, 3), (std::vector<std::int64_t>{-10, 0, 10}));
  EXPECT_EQ(ticks(181400, 2025200, 6), (std::vector<std::int64_t>{500000, 1000000, 1500000, 2000000}));
  EXPECT_EQ(ticks(3, 4.5, 10), (std::vector<std::int64_t>{3, 4}));
}

TEST(Ticks, OfAnySpan) {
  std::mt19937_64 dice(1);
  for (int round = 0; round < 3000; ++round) {
    const double span = std::pow(10.0, std::uniform_real_distribution<>(0, 18)(dice));
    const double from = std::uniform_real_distribution<>(-1, 1)(dice) * span;
    expect_good_ticks(from, from + span, 1 + static_cast<int>(dice() % 20));
  }
}

TEST(Ticks, OfTinySpansAreFewAndOfNoneNone) {
  EXPECT_TRUE(ticks(0.2, 0.7, 5).empty());
  EXPECT_EQ(ticks(0.5, 1.5, 5), std::vector<std::int64_t>{1});
  EXPECT_TRUE(ticks(5, 5, 5).empty());
  EXPECT_TRUE(ticks(6, 5, 5).empty());
  EXPECT_TRUE(ticks(0, 100, 0).empty());
  EXPECT_TRUE(ticks(0, std::nan(""), 5).empty());
}

TEST(Ticks, OfTheLongestTraceThereCanBe) {
  expect_good_ticks(-4.6e18, 4.6e18, 8);
  expect_good_ticks(0, 4.6e18, 10);
  const std::vector<std::int64_t> few = ticks(-4.6e18, 4.6e18, 2);
  EXPECT_GE(few.size(), 1u);
  EXPECT_LE(few.size(), 3u);
}

TEST(TickText, HasTheLargestUnitThatNeedsNoDecimals) {
  EXPECT_EQ(tick_text(0, 500), "0");
  EXPECT_EQ(tick_text(500, 500), "500 ns");
  EXPECT_EQ(tick_text(1500, 500), "1,500 ns");
  EXPECT_EQ(tick_text(1800000, 20000), "1,800 µs");
  EXPECT_EQ(tick_text(2000000, 1000000), "2 ms");
  EXPECT_EQ(tick_text(3000000000, 1000000000), "3 s");
  EXPECT_EQ(tick_text(-20000, 10000), "\u221220 µs");
}

TEST(AxisX, MapsItsEndsToItsEnds) {
  const Axis axis = {1000, 3000, 50, 250};
  EXPECT_EQ(axis.x(1000), 50);
  EXPECT_EQ(axis.x(3000), 250);
  EXPECT_EQ(axis.x(2000), 150);
  EXPECT_EQ(axis.x(0), -50);
}

}  // namespace
}  // namespace warpwalk::pictures
