#include "core/story/elements/figure.h"

#include <limits>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/elements/narration.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Figure, TimesTakeTheUnitInWhichTheyAreReadEasily) {
  EXPECT_EQ(time_text(0), "0 ns");
  EXPECT_EQ(time_text(1), "1 ns");
  EXPECT_EQ(time_text(999), "999 ns");
  EXPECT_EQ(time_text(1000), "1.0 µs");
  EXPECT_EQ(time_text(56640), "56.6 µs");
  EXPECT_EQ(time_text(1593870), "1,593.9 µs");
  EXPECT_EQ(time_text(9999900), "9,999.9 µs");
  EXPECT_EQ(time_text(10000000), "10.0 ms");
  EXPECT_EQ(time_text(1234567890), "1,234.6 ms");
  EXPECT_EQ(time_text(10e9), "10.00 s");
  EXPECT_EQ(time_text(3600e9), "3,600.00 s");
}

TEST(Figure, BeforeTheStartIsWrittenWithAMinusAndNoHyphen) {
  EXPECT_EQ(time_text(-1400), "\u22121.4 µs");
  EXPECT_EQ(time_text(-12), "\u221212 ns");
  EXPECT_EQ(with_thousands(-1234), "\u22121,234");
  EXPECT_EQ(bytes_text(-4096), "\u22124 KiB");
  EXPECT_EQ(time_text(-0.2), "0 ns");  // a value that rounds to 0 is shown without a sign
}

TEST(Figure, ThousandsAreSeparatedFromTheRight) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(123456), "123,456");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
}

TEST(Figure, CountsAreExactHoweverLarge) {
  EXPECT_EQ(with_thousands(9007199254740993), "9,007,199,254,740,993");  // one more than a double can tell apart
  EXPECT_EQ(with_thousands(std::numeric_limits<std::int64_t>::max()), "9,223,372,036,854,775,807");
  EXPECT_EQ(with_thousands(std::numeric_limits<std::int64_t>::min()), "\u22129,223,372,036,854,775,808");
}

TEST(Figure, RoundingNeverShowsAThousandOfASmallerUnit) { EXPECT_EQ(time_text(999.7), "1.0 µs"); }

TEST(Figure, ASmallShareIsNotNothing) {
  const auto share = [](double value) { return Figure::derived(value, Unit::percent, "a / b").text(); };
  EXPECT_EQ(share(0), "0.0 %");
  EXPECT_EQ(share(0.0001), "< 0.1 %");
  EXPECT_EQ(share(0.049), "< 0.1 %");
  EXPECT_EQ(share(0.06), "0.1 %");
  EXPECT_EQ(share(33.333), "33.3 %");
  EXPECT_EQ(share(100), "100.0 %");
}

TEST(Figure, NumbersHaveTheMarksOfTheLanguageWhileItIsShown) {
  const base::NumberMarks german = {",", "."}, swiss = {".", "’"};
  {
    const base::WithNumberMarks numbers(german);
    EXPECT_EQ(time_text(1593870), "1.593,9 µs");
    EXPECT_EQ(with_thousands(-1234567), "\u22121.234.567");
    EXPECT_EQ(bytes_text(1500), "1,5 KiB");
    EXPECT_EQ(shared_bytes_text(19840), "19.840 B");
    EXPECT_EQ(share_text(1, 3), "33,3 %");
    EXPECT_EQ(share_text(1, 100000), "< 0,1 %");
    EXPECT_EQ(with_marks("0.25–1.5 GB/s"), "0,25–1,5 GB/s");
    EXPECT_EQ(Figure::derived(0.01, Unit::percent, "a").text(), "< 0,1 %");
    EXPECT_EQ(Figure::derived(4812.34, Unit::gigabytes_per_second, "a").text(), "4.812,3 GB/s");
    {
      const base::WithNumberMarks inner(swiss);
      EXPECT_EQ(base::decimal_text(1234567.5, 1), "1’234’567.5");
    }
    EXPECT_EQ(base::decimal_text(-1234.5, 1), "\u22121.234,5");
  }
  EXPECT_EQ(time_text(1593870), "1,593.9 µs");
}

TEST(Figure, AStageHasTheMarksOfItsNarration) {
  auto german = Narration::parse("[numbers]\ndecimal: ,\ngroup: .\n", "numbers.txt");
  ASSERT_TRUE(german);
  EXPECT_EQ(words::number_marks(*german), (base::NumberMarks{",", "."}));
  EXPECT_EQ(words::number_marks(*Narration::parse("[a]\nb: c\n", "a.txt")), base::NumberMarks());
  EXPECT_EQ(words::number_marks(testing::english()), base::NumberMarks());
  german->add_missing(testing::english());

  const Trace trace =
      SmallTrace().op("aten::mm", 0, 6).call("cudaLaunchKernel", 1, 4, 1).kernel("gemm", 8, 1234.5, 1).read();
  const Walk walk = default_walk(trace);
  const auto shown = [&](const Narration& narration) {
    SceneInput input{trace, walk, narration, testing::hardware(), {}, {}};
    input.moment = {Moment::Kind::beat, testing::beat_named(*find_scene("map"), trace, walk, "total"), 1};
    return transcript(testing::stage_of(*find_scene("map"), input));
  };
  EXPECT_THAT(shown(*german), HasSubstr("1.234,5 µs"));
  EXPECT_THAT(shown(*german), Not(HasSubstr("1,234.5")));
  EXPECT_THAT(shown(testing::english()), HasSubstr("1,234.5 µs"));
}

TEST(Figure, EveryUnitIsNamed) {
  EXPECT_EQ(Figure::recorded(1500, Unit::nanoseconds, Origin::measured).text(), "1.5 µs");
  EXPECT_EQ(Figure::recorded(16777216, Unit::bytes, Origin::measured).text(), "16 MiB");
  EXPECT_EQ(Figure::recorded(1234.4, Unit::count, Origin::measured).text(), "1,234");
  EXPECT_EQ(Figure::recorded(54.04, Unit::gigabytes_per_second, Origin::measured).text(), "54.0 GB/s");
  EXPECT_EQ(Figure::recorded("8 × 16 blocks", Origin::measured).text(), "8 × 16 blocks");
}

TEST(Figure, WhereAValueComesFromIsPartOfIt) {
  EXPECT_EQ(Figure::recorded(1, Unit::count, Origin::measured).origin(), Origin::measured);
  EXPECT_EQ(Figure::recorded(1, Unit::count, Origin::simulated).origin(), Origin::simulated);
  EXPECT_EQ(Figure::recorded("k", Origin::simulated).origin(), Origin::simulated);
  EXPECT_EQ(Figure::explained("a concept").origin(), Origin::explained);
  EXPECT_EQ(Figure::explained("a concept").text(), "a concept");

  const Figure derived = Figure::derived(3, Unit::count, "a + b");
  EXPECT_EQ(derived.origin(), Origin::derived);
  EXPECT_EQ(derived.formula(), "a + b");
  EXPECT_EQ(derived.value(), 3);
  EXPECT_EQ(derived.unit(), Unit::count);
  EXPECT_EQ(Figure::derived("4 pieces", "counted").formula(), "counted");
  EXPECT_EQ(Figure::derived("4 pieces", "counted").origin(), Origin::derived);

  const Figure copy = derived;  // and nothing on the way can lose it
  EXPECT_EQ(copy.origin(), Origin::derived);
  EXPECT_EQ(copy.formula(), "a + b");
}

}  // namespace
}  // namespace warpwalk::story
