#include "core/ptx/parse/expression.h"

#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

std::uint64_t value_of(std::string_view text) {
  Lexer in(text);
  const Constant constant = parse_constant(in);
  EXPECT_TRUE(in.at(TokenKind::end)) << text << " goes on with " << in.peek().text;
  return constant.bits;
}
std::int64_t signed_value(std::string_view text) { return static_cast<std::int64_t>(value_of(text)); }

TEST(PtxExpression, Numbers) {
  EXPECT_EQ(value_of("0"), 0u);
  EXPECT_EQ(value_of("42"), 42u);
  EXPECT_EQ(value_of("42U"), 42u);
  EXPECT_EQ(value_of("0x1fU"), 31u);
  EXPECT_EQ(value_of("0XFF"), 255u);
  EXPECT_EQ(value_of("017"), 15u);
  EXPECT_EQ(value_of("0b101"), 5u);
  EXPECT_EQ(value_of("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(value_of("0xdeadbeefU"), 0xdeadbeefu);
  EXPECT_EQ(value_of("WARP_SZ"), 32u);
}

TEST(PtxExpression, FloatingPoint) {
  EXPECT_EQ(read_number("0f3F800000")->bits, 0x3f800000u);
  EXPECT_EQ(read_number("0F3f800000")->literal, Literal::f32);
  EXPECT_EQ(read_number("0d3FF8000000000000")->bits, 0x3ff8000000000000u);
  EXPECT_EQ(read_number("0d3FF8000000000000")->literal, Literal::f64);
  EXPECT_EQ(read_number("1.5")->bits, 0x3ff8000000000000u);
  EXPECT_EQ(read_number("1.5e0")->bits, 0x3ff8000000000000u);
  EXPECT_EQ(read_number("15e-1")->bits, 0x3ff8000000000000u);
  EXPECT_EQ(value_of("-0f3F800000"), 0xbf800000u);
  EXPECT_EQ(value_of("-1.5"), 0xbff8000000000000u);
}

TEST(PtxExpression, NoNumbers) {
  for (const std::string_view text : {"0x", "0f3F80000", "0f3F8000000", "0d3FF", "12Q", "08", "18446744073709551616",
                                      "0b12", "1.5.2", "1e", "0xfg", "1e999", "U"})
    EXPECT_FALSE(read_number(text)) << text;
}

TEST(PtxExpression, OperatorsBindAsInC) {
  EXPECT_EQ(signed_value("8-4-2"), 2);
  EXPECT_EQ(signed_value("1+2*3"), 7);
  EXPECT_EQ(signed_value("(1+2)*3"), 9);
  EXPECT_EQ(signed_value("1<<4|1"), 17);
  EXPECT_EQ(signed_value("7&3^1|8"), ((7 & 3) ^ 1) | 8);
  EXPECT_EQ(signed_value("1+1<<2"), 8);
  EXPECT_EQ(signed_value("3 < 4 == 1"), 1);
  EXPECT_EQ(signed_value("1 || 0 && 0"), 1);
  EXPECT_EQ(signed_value("-7/2"), -3);
  EXPECT_EQ(signed_value("-7 % 3"), -1);
  EXPECT_EQ(signed_value("~5"), -6);
  EXPECT_EQ(signed_value("!5"), 0);
  EXPECT_EQ(signed_value("-(-3)"), 3);
  EXPECT_EQ(signed_value("1 ? 2 : 3"), 2);
  EXPECT_EQ(signed_value("0 ? 2 : 0 ? 3 : 4"), 4);
}

TEST(PtxExpression, SignedAndUnsigned) {
  EXPECT_EQ(signed_value("-1 >> 1"), -1);
  EXPECT_EQ(value_of("(.u64)-1 >> 1"), 0x7fffffffffffffffu);
  EXPECT_EQ(value_of("-1 < 1"), 1u);
  EXPECT_EQ(value_of("-1 < 1U"), 0u);
  EXPECT_EQ(value_of("(.s64)1U > -1"), 1u);
  EXPECT_EQ(signed_value("-9223372036854775807-1"), INT64_MIN);
  EXPECT_EQ(signed_value("(-9223372036854775807-1)/-1"), INT64_MIN);
  EXPECT_EQ(signed_value("(-9223372036854775807-1)%-1"), 0);
  EXPECT_EQ(value_of("1<<64"), 0u);
  EXPECT_EQ(signed_value("-1>>200"), -1);
}

TEST(PtxExpression, WhatIsRefused) {
  EXPECT_EQ(refusal(body_of("mov.u32 r1, 1/0;")), "6:14: `/`: division by zero in a constant expression");
  EXPECT_EQ(
      refusal(body_of("mov.u32 r1, 1.0+1;")),
      "6:16: `+`: operators in constant expressions take integers; write a floating-point value as a single number");
  EXPECT_EQ(refusal(body_of("mov.u32 r1, (1;")), "6:15: `;`: expected `)` after a constant expression");
  EXPECT_EQ(refusal(body_of("mov.u32 r1, 99999999999999999999;")),
            "6:13: `99999999999999999999`: not a valid PTX number, or larger than 64 bits");
  EXPECT_EQ(refusal(body_of("mov.u32 r1, " + std::string(100000, '(') + "1;")),
            "6:77: `(`: a constant expression is nested more than 64 deep");
}

}  // namespace
}  // namespace warpwalk::ptx
