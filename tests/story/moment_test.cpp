#include "core/story/elements/moment.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace warpwalk::story {
namespace {

using MomentKind = Moment::Kind;

TEST(MomentText, BeatsTimesAndCycles) {
  const std::pair<std::string_view, Moment> cases[] = {
      {"b1", {MomentKind::beat, 1, 1}},
      {"b12", {MomentKind::beat, 12, 1}},
      {"c0", {MomentKind::cycle, 0, 1}},
      {"c1500", {MomentKind::cycle, 1500, 1}},
      {"12.5us", {MomentKind::time, 12500, 1}},
      {"12.5µs", {MomentKind::time, 12500, 1}},
      {"3ns", {MomentKind::time, 3, 1}},
      {"0.5ms", {MomentKind::time, 500000, 1}},
      {"2s", {MomentKind::time, 2000000000, 1}},
      {"-4us", {MomentKind::time, -4000, 1}},
      {"1e3ns", {MomentKind::time, 1000, 1}},
      {"launch", {MomentKind::named, 1, 1, "launch"}},
      {"call_late", {MomentKind::named, 1, 1, "call_late"}},
  };
  for (const auto& [text, moment] : cases) {
    const auto parsed = parse_moment(text);
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(*parsed, moment) << text;
  }
}

TEST(MomentText, AnythingElseIsRefusedWithWhatToWrite) {
  for (const std::string_view text : {"", "b", "b0", "b-1", "b1x", "c", "c-1", "c1.5", "12", "12 us", "12h", "Launch",
                                      "1e30s", "b99999999999999999999", "3us2"}) {
    const auto parsed = parse_moment(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.error(), ::testing::Not(::testing::HasSubstr("\n")));
    EXPECT_THAT(parsed.error(), ::testing::HasSubstr("b3 (beat), 12.5us (time) or c1500 (cycle)"));
    EXPECT_TRUE(parsed.error().starts_with(text)) << parsed.error();
  }
}

TEST(MomentText, ReadsBackWhatItWrites) {
  for (const Moment& moment :
       {Moment{MomentKind::beat, 3, 1}, Moment{MomentKind::named, 1, 1, "launch"}, Moment{MomentKind::cycle, 0, 1},
        Moment{MomentKind::time, 0, 1}, Moment{MomentKind::time, 12500, 1}, Moment{MomentKind::time, -7, 1},
        Moment{MomentKind::time, 1234567891, 1}}) {
    const auto parsed = parse_moment(text_of(moment));
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(*parsed, moment) << text_of(moment);
  }
}

TEST(MomentMotion, StartsAndEndsAtRestAndNeverGoesBack) {
  EXPECT_EQ(eased(0), 0);
  EXPECT_EQ(eased(1), 1);
  EXPECT_EQ(eased(-3), 0);
  EXPECT_EQ(eased(7), 1);
  EXPECT_LT(eased(0.01), 0.001);
  for (int i = 0; i < 100; ++i) EXPECT_LT(eased(i / 100.0), eased((i + 1) / 100.0));
}

TEST(MomentMotion, APartRunsFromItsStartToItsEnd) {
  EXPECT_EQ(part(0.1, 0.2, 0.6), 0);
  EXPECT_DOUBLE_EQ(part(0.3, 0.2, 0.6), 0.25);
  EXPECT_EQ(part(0.6, 0.2, 0.6), 1);
  EXPECT_EQ(part(1, 0.2, 0.6), 1);
}

}  // namespace
}  // namespace warpwalk::story
