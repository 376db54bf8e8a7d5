// Compares element types with Python's struct module ("e") and exact fractions.
#include "core/ops/tensor/dtype.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace warpwalk::ops {
namespace {

struct BitsCase {
  double value;
  std::uint64_t bits;
};

TEST(DType, HalfPrecisionRoundsAsPythonDoes) {
  for (const BitsCase& c : {BitsCase{1.0, 0x3c00},
                            {-2.5, 0xc100},
                            {65504, 0x7bff},
                            {65519.99, 0x7bff},
                            {65520, 0x7c00},
                            {1e300, 0x7c00},
                            {2.9802322387695312e-08, 0},
                            {2.980232238769532e-08, 1},
                            {5.960464477539063e-08, 1},
                            {1e-5, 0x00a8},
                            {0.1, 0x2e66},
                            {2049, 0x6800},
                            {2051, 0x6802},
                            {1.0 / 3, 0x3555},
                            {6.1035e-5, 0x0400},
                            {6.0975551605224616e-05, 0x03ff},
                            {1e-300, 0},
                            {-0.0, 0x8000}})
    EXPECT_EQ(float_bits(DType::f16, c.value), c.bits) << c.value;
}

TEST(DType, BrainFloatRoundsToNearestEven) {
  for (const BitsCase& c : {BitsCase{1.0, 0x3f80},
                            {-2.5, 0xc020},
                            {3.3895313892515355e38, 0x7f7f},
                            {3.39e38, 0x7f7f},
                            {3.3961775292304601e38, 0x7f80},
                            {0.1, 0x3dcd},
                            {257, 0x4380},
                            {259, 0x4382},
                            {1e-40, 1},
                            {1.0 / 3, 0x3eab}})
    EXPECT_EQ(float_bits(DType::bf16, c.value), c.bits) << c.value;
}

TEST(DType, EveryValueOfTheShortTypesComesBack) {
  for (const DType dtype : {DType::f16, DType::bf16})
    for (std::uint64_t bits = 0; bits < 65536; ++bits) {
      const double value = float_value(dtype, bits);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(float_value(dtype, float_bits(dtype, value))));
      else
        ASSERT_EQ(float_bits(dtype, value), bits) << name_of(dtype);
    }
  EXPECT_EQ(float_value(DType::f16, 0x7c00), std::numeric_limits<double>::infinity());
  EXPECT_EQ(float_value(DType::f16, 1), 5.960464477539063e-08);
  EXPECT_EQ(float_value(DType::bf16, 0x4049), 3.140625);
}

TEST(DType, TextIsForReading) {
  EXPECT_EQ(text_of(DType::f32, 0x3dcccccd), "0.1");
  EXPECT_EQ(text_of(DType::f64, 0x3fb999999999999a), "0.1");
  EXPECT_EQ(text_of(DType::f16, 0xfc00), "-inf");
  EXPECT_EQ(text_of(DType::f32, 0x80000000), "-0");
  EXPECT_EQ(text_of(DType::i8, 0xff), "-1");
  EXPECT_EQ(text_of(DType::u8, 0xff), "255");
  EXPECT_EQ(text_of(DType::i64, ~std::uint64_t{0}), "-1");
  EXPECT_EQ(text_of(DType::u64, ~std::uint64_t{0}), "18446744073709551615");
}

TEST(DType, NamesAndSizes) {
  const std::size_t sizes[] = {2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
  std::string names;
  for (std::size_t i = 0; i < all_dtypes.size(); ++i) {
    EXPECT_EQ(bytes_of(all_dtypes[i]), sizes[i]) << name_of(all_dtypes[i]);
    EXPECT_EQ(dtype_of(name_of(all_dtypes[i])), all_dtypes[i]);
    names += (i == 0 ? "" : " ") + std::string(name_of(all_dtypes[i]));
  }
  EXPECT_EQ(names, dtype_names);
  EXPECT_FALSE(dtype_of("float"));
}

}  // namespace
}  // namespace warpwalk::ops
