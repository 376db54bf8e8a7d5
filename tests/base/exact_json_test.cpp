#include "core/base/exact_json.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpwalk::base {
namespace {

rapidjson::Document read(const std::string& text) {
  rapidjson::Document document;
  EXPECT_FALSE(base::parse_exact(text, document).IsError()) << text;
  return document;
}

bool refused(const std::string& text, Encoding encoding = Encoding::checked) {
  rapidjson::Document document;
  return base::parse_exact(text, document, encoding).IsError();
}

TEST(ExactJson, WholeNumbersTo64Bits) {
  EXPECT_EQ(read("18446744073709551615").GetUint64(), UINT64_MAX);
  EXPECT_EQ(read("-9223372036854775808").GetInt64(), INT64_MIN);
  EXPECT_TRUE(read("0").IsInt64());
  EXPECT_EQ(read("[1, -2]").GetArray()[1].GetInt(), -2);
  EXPECT_EQ(read("18446744073709551616").GetDouble(), 18446744073709551616.0);
  EXPECT_TRUE(std::signbit(read("-0").GetDouble()));
}

// rapidjson's full-precision parser has undefined behavior for these numbers.
TEST(ExactJson, DigitsThatBeginWithTheLargestInteger) {
  EXPECT_EQ(read("1844674407370955161500000").GetDouble(), 1844674407370955161500000.0);
  EXPECT_EQ(read("0.18446744073709551615123").GetDouble(), 0.18446744073709551615123);
  EXPECT_EQ(read("184467440737095516150000000000000000000000001e-20").GetDouble(),
            184467440737095516150000000000000000000000001e-20);
}

// The reference is the C library's strtod.
TEST(ExactJson, RealNumbersAreTheNearestDoubles) {
  std::mt19937_64 random(7);
  for (int n = 0; n < 20000; ++n) {
    std::string text = random() % 2 == 0 ? "-" : "";
    text += std::to_string(1 + random() % 9);
    for (std::uint64_t digits = random() % 24; digits > 0; --digits) text += static_cast<char>('0' + random() % 10);
    text += '.';
    for (std::uint64_t digits = 1 + random() % 30; digits > 0; --digits) text += static_cast<char>('0' + random() % 10);
    text += fmt::format("e{}", static_cast<std::int64_t>(random() % 500) - 250);
    EXPECT_EQ(read(text).GetDouble(), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(ExactJson, BeyondADoubleIsInfiniteOrRefusedAndBelowItNothing) {
  EXPECT_TRUE(refused("1e999"));
  EXPECT_TRUE(refused("1" + std::string(400, '0')));
  EXPECT_EQ(read("9e308").GetDouble(), HUGE_VAL);
  EXPECT_EQ(read("-9e308").GetDouble(), -HUGE_VAL);
  EXPECT_TRUE(refused("-1" + std::string(400, '0') + ".5"));
  EXPECT_EQ(read("1e-999").GetDouble(), 0.0);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1").GetDouble(), 0.0);
}

// Digits and exponent cancel in part.
TEST(ExactJson, OutOfRangeIsTheValueAndNotTheSignOfTheExponent) {
  EXPECT_EQ(read("0." + std::string(400, '0') + "1e5").GetDouble(), 0.0);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1e+500").GetDouble(), 1e99);
  EXPECT_EQ(read("12345" + std::string(300, '0') + "e10").GetDouble(), HUGE_VAL);
  EXPECT_EQ(read("-0." + std::string(330, '0') + "25e3").GetDouble(), 0.0);
  EXPECT_TRUE(std::signbit(read("-0." + std::string(330, '0') + "25e3").GetDouble()));
  EXPECT_EQ(read(std::string(300, '9') + "e-300").GetDouble(), 1.0);
  EXPECT_EQ(read("0.0e-999").GetDouble(), 0.0);
  // rapidjson refuses more digits than a double has, whatever the exponent.
  EXPECT_TRUE(refused("1" + std::string(400, '0') + "e-5"));
}

TEST(ExactJson, WhatIsNoJsonIsRefused) {
  for (const char* const text : {"", "{", "01", "1.", "+1", "nan", "1 2", "{\"a\": }"})
    EXPECT_TRUE(refused(text)) << text;
  EXPECT_TRUE(refused("\"\xff\""));
  EXPECT_FALSE(refused("\"\xff\"", Encoding::as_is));
  EXPECT_TRUE(refused(std::string(1'000'000, '[')));
  EXPECT_FALSE(refused(std::string(1'000'000, '[') + std::string(1'000'000, ']')));
}

}  // namespace
}  // namespace warpwalk::base
