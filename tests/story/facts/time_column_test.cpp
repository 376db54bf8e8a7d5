#include "core/story/facts/words/time_column.h"

#include <gtest/gtest.h>

namespace warpwalk::story {
namespace {

TEST(TimeColumn, HasTheUnitOfItsLargestTime) {
  const TimeColumn ms(13'100'000);
  EXPECT_EQ(ms.text(13'100'000), "13.1 ms");
  EXPECT_EQ(ms.text(9'367'500), "9.4 ms");
  EXPECT_EQ(ms.text(100'000), "0.1 ms");
  EXPECT_EQ(ms.text(49'000), "< 0.1 ms");
  EXPECT_EQ(ms.text(0), "0.0 ms");
}

TEST(TimeColumn, GoesFromNanosecondsToSeconds) {
  EXPECT_EQ(TimeColumn(999).text(832), "832 ns");
  EXPECT_EQ(TimeColumn(1000).text(832), "0.8 µs");
  EXPECT_EQ(TimeColumn(9'999'000).text(9'999'000), "9,999.0 µs");
  EXPECT_EQ(TimeColumn(9'999'000'000).text(1'234'560'000), "1,234.6 ms");
  EXPECT_EQ(TimeColumn(60'000'000'000).text(60'000'000'000), "60.0 s");
  EXPECT_EQ(TimeColumn(99'960'000).text(99'960'000), "100.0 ms") << "rounded up to the next digit";
}

}  // namespace
}  // namespace warpwalk::story
