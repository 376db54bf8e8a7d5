#include "core/words/time_column.h"

#include <gtest/gtest.h>

namespace warpwalk::words {
namespace {

TEST(TimeColumn, HasTheUnitOfItsLargestTime) {
  const TimeColumn ms(13'100'000);
  EXPECT_EQ(ms.text(13'100'000), "13.1 ms");
  EXPECT_EQ(ms.text(9'367'500), "9.37 ms");
  EXPECT_EQ(ms.text(612'000), "0.612 ms");
  EXPECT_EQ(ms.text(100'000), "0.100 ms");
  EXPECT_EQ(ms.text(0), "0.0 ms");
}

TEST(TimeColumn, ASmallTimeHasAUnitOfItsOwn) {
  const TimeColumn ms(13'100'000);
  EXPECT_EQ(ms.text(99'000), "99.0 µs");
  EXPECT_EQ(ms.text(49'300), "49.3 µs");
  EXPECT_EQ(ms.text(1'234), "1.23 µs");
  EXPECT_EQ(ms.text(832), "832 ns");
  EXPECT_EQ(TimeColumn(60'000'000'000).text(3'217'000), "3.22 ms");
}

TEST(TimeColumn, GoesFromNanosecondsToSeconds) {
  EXPECT_EQ(TimeColumn(999).text(832), "832 ns");
  EXPECT_EQ(TimeColumn(1000).text(832), "0.832 µs");
  EXPECT_EQ(TimeColumn(9'999'000).text(9'999'000), "9,999.0 µs");
  EXPECT_EQ(TimeColumn(9'999'000'000).text(1'234'560'000), "1,234.6 ms");
  EXPECT_EQ(TimeColumn(60'000'000'000).text(60'000'000'000), "60.0 s");
}

TEST(TimeColumn, RoundsUpToTheNextDigit) {
  const TimeColumn ms(99'960'000);
  EXPECT_EQ(ms.text(99'960'000), "100.0 ms");
  EXPECT_EQ(ms.text(9'996'000), "10.0 ms");
  EXPECT_EQ(ms.text(999'700), "1.00 ms");
  EXPECT_EQ(ms.text(99'700), "0.100 ms");
}

TEST(TimeColumn, ADifferenceHasItsSign) {
  const TimeColumn ms(13'100'000);
  EXPECT_EQ(ms.signed_text(1'500'000), "+1.50 ms");
  EXPECT_EQ(ms.signed_text(-12'340'000), "\u221212.3 ms");
  EXPECT_EQ(ms.signed_text(-832), "\u2212832 ns");
  EXPECT_EQ(ms.signed_text(0), "0.0 ms");
}

}  // namespace
}  // namespace warpwalk::words
