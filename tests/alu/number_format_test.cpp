// Number formats against their definitions: sign, exponent and fraction taken apart with shifts, values built with
// powers of two, and rounding found by search among the sorted values.
#include "core/gpu/alu/floating/number_format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/gpu/alu/matrix/block_scaling.h"

namespace warpwalk::gpu::alu {
namespace {

enum class Top { ieee, one_nan, none };  // what the patterns with the highest exponent are

struct Definition {
  const char* name;
  int exponent_bits, fraction_bits, bias;
  Top top;
};
constexpr Definition small[] = {{"FP16", 5, 10, 15, Top::ieee},
                                {"BF16", 8, 7, 127, Top::ieee},
                                {"FP8 E4M3", 4, 3, 7, Top::one_nan},
                                {"FP8 E5M2", 5, 2, 15, Top::ieee},
                                {"FP4 E2M1", 2, 1, 1, Top::none}};

double by_definition(const Definition& d, unsigned pattern) {
  const int fraction = static_cast<int>(pattern % (1u << d.fraction_bits));
  const int exponent = static_cast<int>(pattern >> d.fraction_bits) % (1 << d.exponent_bits);
  const bool negative = (pattern >> (d.fraction_bits + d.exponent_bits) & 1) != 0;
  const double size = static_cast<double>(1 << d.fraction_bits);
  const bool top = exponent == (1 << d.exponent_bits) - 1;
  double value = exponent == 0 ? fraction / size * std::pow(2.0, 1 - d.bias)
                               : (1 + fraction / size) * std::pow(2.0, exponent - d.bias);
  if (top && d.top == Top::ieee)
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (top && d.top == Top::one_nan && fraction == (1 << d.fraction_bits) - 1)
    value = std::numeric_limits<double>::quiet_NaN();
  return negative ? -value : value;
}

NumberKind kind_by_definition(const Definition& d, unsigned pattern) {
  const double value = by_definition(d, pattern);
  if (std::isnan(value)) return NumberKind::nan;
  if (std::isinf(value)) return NumberKind::infinite;
  if (value == 0) return NumberKind::zero;
  return std::abs(value) < std::pow(2.0, 1 - d.bias) ? NumberKind::subnormal : NumberKind::normal;
}

unsigned patterns(const Definition& d) { return 1u << (1 + d.exponent_bits + d.fraction_bits); }

TEST(NumberFormat, EveryPatternOfTheSmallFormatsHasItsValueAndKind) {
  for (const Definition& d : small) {
    const NumberFormat& format = number_format(d.name);
    ASSERT_EQ(1u << format.bits(), patterns(d)) << d.name;
    for (unsigned pattern = 0; pattern < patterns(d); ++pattern) {
      const double wanted = by_definition(d, pattern), got = value_of(format, pattern);
      ASSERT_TRUE(std::isnan(wanted) ? std::isnan(got) : wanted == got && std::signbit(wanted) == std::signbit(got))
          << d.name << " " << pattern << ": " << got << ", not " << wanted;
      ASSERT_EQ(kind_of(format, pattern), kind_by_definition(d, pattern)) << d.name << " " << pattern;
      if (std::isfinite(wanted)) {
        ASSERT_EQ(nearest(format, wanted), pattern) << d.name;
      }
    }
    double most = 0, least = 1e300, normal = 1e300;
    for (unsigned pattern = 0; pattern < patterns(d) / 2; ++pattern) {
      const double value = by_definition(d, pattern);
      if (std::isnan(value) || std::isinf(value) || value == 0) continue;
      most = std::max(most, value);
      least = std::min(least, value);
      if (value >= std::pow(2.0, 1 - d.bias)) normal = std::min(normal, value);
    }
    EXPECT_EQ(largest(format), most) << d.name;
    EXPECT_EQ(smallest(format), least) << d.name;
    EXPECT_EQ(smallest_normal(format), normal) << d.name;
  }
}

// Halfway between two neighbours, the one with an even pattern; anywhere else, the nearer one.
TEST(NumberFormat, RoundsToTheNearestAndTiesToEven) {
  for (const Definition& d : small) {
    const NumberFormat& format = number_format(d.name);
    for (unsigned pattern = 0; pattern + 1 < patterns(d) / 2; ++pattern) {
      const double low = by_definition(d, pattern), high = by_definition(d, pattern + 1);
      if (std::isnan(high) || std::isinf(high)) break;
      EXPECT_EQ(spacing_at(format, pattern), high - low) << d.name << " " << pattern;
      const double middle = low + (high - low) / 2;
      const unsigned even = pattern % 2 == 0 ? pattern : pattern + 1;
      for (const bool negative : {false, true}) {
        const unsigned sign = negative ? patterns(d) / 2 : 0;
        const double factor = negative ? -1 : 1;
        ASSERT_EQ(nearest(format, factor * middle), even + sign) << d.name << " " << pattern;
        ASSERT_EQ(nearest(format, factor * std::nextafter(middle, 0)), pattern + sign) << d.name << " " << pattern;
        ASSERT_EQ(nearest(format, factor * std::nextafter(middle, 1e300)), pattern + 1 + sign)
            << d.name << " " << pattern;
      }
    }
  }
}

TEST(NumberFormat, BeyondTheLargestNumber) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(kept(number_format("FP16"), 65519), 65504);
  EXPECT_EQ(kept(number_format("FP16"), 65520), inf);  // halfway to 65,536
  EXPECT_EQ(kept(number_format("FP16"), -1e30), -inf);
  EXPECT_EQ(kept(number_format("BF16"), 3.5e38), inf);
  EXPECT_EQ(kept(number_format("FP8 E4M3"), 1e9), 448);
  EXPECT_EQ(kept(number_format("FP8 E5M2"), -inf), -57344);
  EXPECT_EQ(kept(number_format("FP4 E2M1"), 6.9), 6);
  EXPECT_EQ(kept(number_format("INT8"), 300), 127);
  EXPECT_EQ(kept(number_format("INT8"), -300), -128);
  for (const char* const name : {"FP64", "FP32", "TF32", "FP16", "BF16", "FP8 E4M3", "FP8 E5M2"})
    EXPECT_TRUE(std::isnan(kept(number_format(name), std::nan("")))) << name;
  EXPECT_EQ(kept(number_format("FP4 E2M1"), std::nan("")), 6);  // PTX ISA: the largest number
}

TEST(NumberFormat, Int8) {
  const NumberFormat& format = number_format("INT8");
  for (int value = -128; value < 128; ++value) {
    EXPECT_EQ(value_of(format, static_cast<unsigned char>(value)), value);
    EXPECT_EQ(nearest(format, value), static_cast<unsigned char>(value));
  }
  EXPECT_EQ(kept(format, 2.5), 2);
  EXPECT_EQ(kept(format, 3.5), 4);
  EXPECT_EQ(kept(format, -0.5), 0);
}

// The host's own types.
TEST(NumberFormat, Fp32AndFp64AreTheHosts) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const u64 bits = random();
    const double value = std::bit_cast<double>(bits);
    if (std::isnan(value)) continue;
    EXPECT_EQ(value_of(number_format("FP64"), bits), value);
    EXPECT_EQ(nearest(number_format("FP64"), value), bits);
    const auto word = static_cast<u32>(bits >> 20);
    const double as_float = std::bit_cast<float>(word);
    if (std::isnan(as_float)) continue;
    EXPECT_EQ(value_of(number_format("FP32"), word), as_float);
    const double between = as_float * (1 + 1e-8);
    EXPECT_EQ(kept(number_format("FP32"), between), static_cast<double>(static_cast<float>(between)));
  }
}

// TF32 has FP32's exponent and FP16's fraction: an FP32 whose last 13 bits are zero.
TEST(NumberFormat, Tf32IsAnFp32WithFewerBits) {
  const NumberFormat& format = number_format("TF32");
  EXPECT_EQ(format.bits(), 19);
  for (u32 pattern = 0; pattern < 1u << 19; ++pattern) {
    const double wanted = std::bit_cast<float>(pattern << 13), got = value_of(format, pattern);
    ASSERT_TRUE(std::isnan(wanted) ? std::isnan(got) : wanted == got) << pattern;
  }
}

std::vector<double> some_values(std::size_t count, double outlier) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(normal(random));
  values[3] = outlier;
  return values;
}

const ScaledFormat& scaled(std::string_view name) {
  return *std::ranges::find(scaled_formats(), name, &ScaledFormat::name);
}

// The nearest of E2M1's values times the scale, by trying all of them.
double nearest_fp4(double value, double scale) {
  double best = 0;
  for (const double code : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0})
    for (const double sign : {-1.0, 1.0})
      if (std::abs(sign * code * scale - value) < std::abs(best - value)) best = sign * code * scale;
  return best;
}

TEST(BlockScaling, Mxfp4HasAPowerOfTwoForEach32) {
  const std::vector<double> values = some_values(96, 40);
  const ScaledVector got = quantised(scaled("MXFP4"), values);
  ASSERT_EQ(got.scales.size(), 3u);
  EXPECT_EQ(got.bits, 96 * 4 + 3 * 8);
  for (std::size_t block = 0; block < 3; ++block) {
    double most = 0;
    for (std::size_t i = 0; i < 32; ++i) most = std::max(most, std::abs(values[32 * block + i]));
    double scale = std::pow(2.0, -40);  // the largest power of two, 4 times which is not above the block's magnitude
    while (8 * scale <= most) scale *= 2;
    EXPECT_EQ(got.scales[block], scale);
    for (std::size_t i = 32 * block; i < 32 * block + 32; ++i)
      EXPECT_EQ(got.values[i], nearest_fp4(values[i], scale)) << i;
  }
}

TEST(BlockScaling, Nvfp4HasAnFp8ScaleForEach16) {
  for (const double outlier : {1.0, 40.0, 4000.0}) {
    const std::vector<double> values = some_values(64, outlier);
    const ScaledVector got = quantised(scaled("NVFP4"), values);
    ASSERT_EQ(got.scales.size(), 4u);
    EXPECT_EQ(got.bits, 64 * 4 + 4 * 8 + 32);
    double most = 0;
    for (const double value : values) most = std::max(most, std::abs(value));
    const double whole = static_cast<float>(most / (6.0 * 448.0));
    for (std::size_t block = 0; block < 4; ++block) {
      double in_block = 0;
      for (std::size_t i = 0; i < 16; ++i) in_block = std::max(in_block, std::abs(values[16 * block + i]));
      // E4M3 has four significant bits: the ratio is within 1/16 of the wanted one, or a subnormal.
      const double wanted = in_block / 6 / whole, scale = got.scales[block] / whole;
      EXPECT_LE(std::abs(scale - wanted), std::max(wanted / 16, std::pow(2.0, -10)));
      EXPECT_EQ(kept(number_format("FP8 E4M3"), scale), scale);
      for (std::size_t i = 16 * block; i < 16 * block + 16; ++i)
        EXPECT_NEAR(std::abs(got.values[i] - values[i]),
                    std::abs(nearest_fp4(values[i], got.scales[block]) - values[i]), 1e-12);
    }
  }
}

TEST(BlockScaling, OneScaleForAWholeVector) {
  const std::vector<double> values = some_values(32, 10);
  const ScaledVector int8 = quantised(scaled("INT8"), values);
  ASSERT_EQ(int8.scales.size(), 1u);
  EXPECT_EQ(int8.scales[0], static_cast<double>(static_cast<float>(10.0 / 127)));
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(int8.values[i], std::nearbyint(values[i] / int8.scales[0]) * int8.scales[0]);
  const ScaledVector fp16 = quantised(scaled("FP16"), values);
  EXPECT_EQ(fp16.bits, 32 * 16);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(fp16.values[i], values[i], std::abs(values[i]) / 2048);
}

TEST(BlockScaling, ZerosStayZeros) {
  for (const ScaledFormat& format : scaled_formats()) {
    const ScaledVector got = quantised(format, std::vector<double>(40, 0.0));
    for (const double value : got.values) EXPECT_EQ(value, 0) << format.name;
    EXPECT_TRUE(quantised(format, {}).values.empty());
  }
}

TEST(RunningSums, AnFp16SumStopsGrowing) {
  const std::vector<double> ones = running_sums(number_format("FP16"), 1, 4096);
  for (std::size_t i = 0; i < 2048; ++i) ASSERT_EQ(ones[i], static_cast<double>(i + 1));
  for (std::size_t i = 2048; i < 4096; ++i) ASSERT_EQ(ones[i], 2048);
  float sum = 0;
  const std::vector<double> tenths = running_sums(number_format("FP32"), 0.0999755859375, 10'000);
  for (const double kept_sum : tenths) ASSERT_EQ(kept_sum, static_cast<double>(sum += 0.0999755859375f));
}

}  // namespace
}  // namespace warpwalk::gpu::alu
