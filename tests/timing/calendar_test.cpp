#include "core/gpu/timing/calendar.h"

#include <random>

#include <gtest/gtest.h>

#include "core/gpu/timing/resource.h"

namespace warpwalk::gpu {
namespace {

TEST(Calendar, ServesAtOnceWhatComesAlone) {
  Calendar unit;
  EXPECT_EQ(unit.take(100, 4), 100);
  EXPECT_EQ(unit.take(5000, 4), 5000);
}

TEST(Calendar, ARequestFromTheFutureHoldsUpNobodyBefore) {
  Calendar unit;
  unit.take(10000, 16);
  EXPECT_EQ(unit.take(100, 4), 100);
}

TEST(Calendar, WorkOfABusyUnitIsNeitherLostNorDoneTwice) {
  // 1,000 requests of 8 cycles at one time keep the unit busy for 8,000 cycles.
  Calendar unit;
  double last = 0;
  for (int i = 0; i < 1000; ++i) last = std::max(last, unit.take(0, 8));
  EXPECT_GE(last, 7900);
  EXPECT_LE(last, 8000);
}

TEST(Calendar, ABacklogMayBeLongerThanTheWindowsItKeeps) {
  // 200,000 requests of 8 cycles: 1.6 million cycles of work, all asked for within 1,000 cycles.
  Calendar unit;
  double last = 0;
  for (int i = 0; i < 200000; ++i) last = std::max(last, unit.take(i % 1000, 8));
  EXPECT_NEAR(last, 1.6e6, 100);
  EXPECT_EQ(unit.take(2e6, 8), 2e6);
}

TEST(Calendar, ALongRequestTakesSeveralWindows) {
  Calendar unit;
  EXPECT_EQ(unit.take(0, 1000), 0);
  EXPECT_GE(unit.take(0, 1), 999);
}

TEST(Calendar, InOrderItIsAsFastAsAQueue) {
  // Arrivals in order at 80 % of the rate: the mean wait differs by less than a window from that of a queue.
  Calendar unit;
  Resource queue;
  std::mt19937 random(1);
  std::exponential_distribution<double> gap(1 / 5.0);
  double at = 0, waited = 0, queued = 0;
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    at += gap(random);
    waited += unit.take(at, 4) - at;
    queued += queue.take(at, 4) - at;
  }
  EXPECT_NEAR(waited / count, queued / count, 16);
}

}  // namespace
}  // namespace warpwalk::gpu
