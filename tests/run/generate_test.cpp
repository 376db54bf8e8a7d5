// Compares the generators with values computed with Python's integers and its struct module.
#include "core/run/launch/generate.h"

#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::run {
namespace {

std::vector<std::uint64_t> made(ops::DType dtype, const Fill& fill, std::size_t count) {
  std::vector<std::uint8_t> bytes(count * bytes_of(dtype));
  generate(dtype, fill, bytes);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(load_bits(dtype, bytes.data() + i * bytes_of(dtype)));
  return out;
}

TEST(Generate, Splitmix64IsThePublishedSequence) {
  // The first five numbers of the reference implementation for seed 1234567.
  const std::uint64_t known[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
                                 16408922859458223821u};
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(splitmix64(1234567, i), known[i]) << i;
  EXPECT_EQ(splitmix64(0, 0), 0xe220a8397b1dcdafu);
}

TEST(Generate, RandomElementsOfEveryType) {
  const FillRandom one{1};
  const auto expect = [&](ops::DType dtype, std::vector<std::uint64_t> first, std::uint64_t at_1000) {
    const auto values = made(dtype, one, 1001);
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(values[i], first[i]) << name_of(dtype) << " " << i;
    EXPECT_EQ(values[1000], at_1000) << name_of(dtype);
  };
  expect(ops::DType::f64, {0x3fc10a2dec890258, 0x3fdf75c6d0b2c774, 0x3fee24e8bbbecc94}, 0xbfb13fff8956b300);
  expect(ops::DType::f32, {0x3e085168, 0x3efbae34, 0x3f712744}, 0xbd8a0000);
  expect(ops::DType::f16, {0x3040, 0x37dc, 0x3b88}, 0xac50);
  expect(ops::DType::bf16, {0x3e08, 0x3ef8, 0x3f70}, 0xbd90);
  for (const ops::DType dtype :
       {ops::DType::i16, ops::DType::u16, ops::DType::i32, ops::DType::u32, ops::DType::i64, ops::DType::u64})
    expect(dtype, {465, 519, 590}, 166);
  for (const ops::DType dtype : {ops::DType::i8, ops::DType::u8}) expect(dtype, {193, 103, 94}, 174);
}

TEST(Generate, RandomFloatsLieInTheirInterval) {
  for (const ops::DType dtype : {ops::DType::f16, ops::DType::bf16, ops::DType::f32, ops::DType::f64}) {
    double least = 1, maximum = -1, sum = 0;
    for (const std::uint64_t bits : made(dtype, FillRandom{42}, 100000)) {
      const double value = float_value(dtype, bits);
      least = std::min(least, value);
      maximum = std::max(maximum, value);
      sum += value;
    }
    EXPECT_GE(least, -1) << name_of(dtype);
    EXPECT_LT(maximum, 1) << name_of(dtype);
    EXPECT_LT(least, -0.98) << name_of(dtype);
    EXPECT_GT(maximum, 0.98) << name_of(dtype);
    EXPECT_NEAR(sum / 100000, 0, 0.02) << name_of(dtype);
  }
}

TEST(Generate, IotaCountsAndWrapsOrRounds) {
  EXPECT_EQ(made(ops::DType::f32, FillIota{}, 3), (std::vector<std::uint64_t>{0, 0x3f800000, 0x40000000}));
  EXPECT_EQ(made(ops::DType::u8, FillIota{}, 258)[257], 1u);
  EXPECT_EQ(made(ops::DType::i64, FillIota{}, 9)[8], 8u);
  EXPECT_EQ(made(ops::DType::f16, FillIota{}, 2052)[2051], 0x6802u);  // 2052: 2051 is between two f16 values
}

TEST(Generate, AValueIsEverywhere) {
  EXPECT_EQ(made(ops::DType::f16, FillValue{0x3c00}, 4), std::vector<std::uint64_t>(4, 0x3c00));
  EXPECT_EQ(made(ops::DType::u64, FillValue{0}, 4), std::vector<std::uint64_t>(4, 0));
  EXPECT_EQ(made(ops::DType::i8, FillValue{0xff}, 4), std::vector<std::uint64_t>(4, 0xff));
}

}  // namespace
}  // namespace warpwalk::run
