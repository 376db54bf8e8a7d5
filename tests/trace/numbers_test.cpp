#include "core/trace/json/numbers.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace warpwalk::trace::test {
namespace {

TEST(Nanoseconds, AreExact) {
  EXPECT_EQ(parse_microseconds("1712195495505583.012"), 1712195495505583012);
  EXPECT_EQ(parse_microseconds("4381490200500.979"), 4381490200500979);
  EXPECT_EQ(parse_microseconds("0"), 0);
  EXPECT_EQ(parse_microseconds("-0.001"), -1);
  EXPECT_EQ(parse_microseconds("+2.5"), 2500);
  EXPECT_EQ(parse_microseconds("0007.1"), 7100);
  EXPECT_EQ(parse_microseconds("1.0004999"), 1000);
  EXPECT_EQ(parse_microseconds("1.0005"), 1001);
  EXPECT_EQ(parse_microseconds("1.9999"), 2000);
  EXPECT_EQ(parse_microseconds("-1.9999"), -2000);
  EXPECT_EQ(parse_microseconds("0.12345678901234567890"), 123);
}

TEST(Nanoseconds, ExponentsMoveThePointExactly) {
  EXPECT_EQ(parse_microseconds("1.712195495505583012e15"), 1712195495505583012);
  EXPECT_EQ(parse_microseconds("1e3"), 1'000'000);
  EXPECT_EQ(parse_microseconds("-25E-1"), -2500);
  EXPECT_EQ(parse_microseconds("0.00012e+2"), 12);
  EXPECT_EQ(parse_microseconds("5e-4"), 1);
  EXPECT_EQ(parse_microseconds("4e-4"), 0);
  EXPECT_EQ(parse_microseconds("1e-300"), 0);
  EXPECT_EQ(parse_microseconds("1e-99999999999"), 0);
  EXPECT_EQ(parse_microseconds("0e999"), 0);
  EXPECT_EQ(parse_microseconds("10000000000000000000e-10"), 1'000'000'000'000);
}

TEST(Nanoseconds, AreBounded) {
  EXPECT_EQ(parse_microseconds("4611686018427387.904"), time_limit);
  EXPECT_EQ(parse_microseconds("-4611686018427387.904"), -time_limit);
  for (const char* text : {"4611686018427387.905", "4611686018427388", "99999999999999999999999", "1e30", "-1e16",
                           "1e99999999999", "", "-", ".5", "abc", "1.2.3", "1 ", "1e", "1e+", "0x10", "1,5"})
    EXPECT_FALSE(parse_microseconds(text)) << text;
}

TEST(Nanoseconds, WrittenAndReadAreTheSame) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto value =
        static_cast<std::int64_t>(random() >> (random() % 63 + 1)) % time_limit * (random() % 2 == 0 ? 1 : -1);
    std::string text;
    append_microseconds(text, value);
    ASSERT_EQ(parse_microseconds(text), value) << text;
    ASSERT_EQ(text[text.size() - 4], '.') << text;
  }
}

TEST(WholeNumber, ReadsWhatIsWhole) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-17"), -17);
  EXPECT_EQ(parse_integer("+17"), 17);
  EXPECT_EQ(parse_integer("4.0"), 4);
  EXPECT_EQ(parse_integer("4e2"), 400);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("-9223372036854775807"), -std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("18446744073709551615"), -1);  // e.g. an address: the same 64 bits
  for (const char* text : {"", "-", "1.5", "1e300", "12a", "18446744073709551616", "9223372036854775808", "nan"})
    EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(RealNumber, IsFiniteAndSurvivesWriting) {
  for (const char* text : {"", "inf", "nan", "1e999", "1.5x"}) EXPECT_FALSE(parse_real(text)) << text;
  std::mt19937_64 random(2);
  for (int i = 0; i < 100'000; ++i) {
    const double value = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 2000) - 1060);
    if (!std::isfinite(value)) continue;
    std::string text;
    append_real(text, value);
    ASSERT_EQ(parse_real(text), value) << text;
  }
}

// The fast ways for usual lengths give what the general ones give.
TEST(Numbers, AreTheSameAtEveryLength) {
  std::uint64_t digits = 9876543210987654321u;
  for (int length = 1; length <= 18; ++length)
    for (int round = 0; round < 200; ++round) {
      digits = digits * 6364136223846793005u + 1442695040888963407u;
      std::string text = std::to_string(digits).substr(0, static_cast<std::size_t>(length));
      if (round % 3 == 0) text[0] = '0';
      const std::int64_t value = std::stoll(text);
      EXPECT_EQ(parse_integer(text), value) << text;
      EXPECT_EQ(parse_integer('-' + text), -value) << text;
      EXPECT_EQ(parse_integer('+' + text), value) << text;
      for (std::size_t i = 0; i < text.size(); ++i)
        for (const char other : {'/', ':', ' ', '\0', '\x80', '\xb0', 'e'}) {
          std::string wrong = text;
          wrong[i] = other;
          if (other == 'e' && i != 0) continue;  // an exponent
          EXPECT_FALSE(parse_integer(wrong)) << wrong;
          EXPECT_FALSE(parse_microseconds(wrong + ".250")) << wrong;
        }
      if (length <= 15) {
        EXPECT_EQ(parse_microseconds(text + ".250"), value * 1000 + 250) << text;
        EXPECT_EQ(parse_microseconds('-' + text + ".250"), -(value * 1000 + 250)) << text;
        EXPECT_EQ(parse_microseconds(text + ".25"), value * 1000 + 250) << text;
      }
    }
  EXPECT_FALSE(parse_microseconds("1.2x0"));
  EXPECT_FALSE(parse_microseconds("1..50"));
}

}  // namespace
}  // namespace warpwalk::trace::test
