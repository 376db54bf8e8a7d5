// Parsing of the --shape option.
#include <gtest/gtest.h>

#include "core/ops/expression/expression.h"
#include "core/ops/tensor/geometry.h"

namespace warpwalk::ops {
namespace {

TEST(Shape, IsReadBack) {
  for (const Sizes& sizes : {Sizes{}, Sizes{5}, Sizes{0}, Sizes{256, 128}, Sizes{1, 2, 3, 4, 5, 6, 7, 8},
                             Sizes{0, std::int64_t{1} << 40}, Sizes{std::int64_t{1} << 20, std::int64_t{1} << 20}})
    EXPECT_EQ(parse_shape(shape_text(sizes)), sizes);
  EXPECT_EQ(parse_shape("scalar"), Sizes{});
}

TEST(Shape, OtherTextIsNone) {
  for (const char* const text : {"",
                                 "x",
                                 "5x",
                                 "x5",
                                 "5xx5",
                                 "-1",
                                 "+5",
                                 "5 x 5",
                                 " 5",
                                 "5 ",
                                 "5X5",
                                 "5.0",
                                 "1e3",
                                 "Scalar",
                                 "5,5",
                                 "a",
                                 "99999999999999999999",
                                 "1099511627777",
                                 "1048576x1048577",
                                 "0x2199023255552",
                                 "1x2x3x4x5x6x7x8x9",
                                 "5\n"})
    EXPECT_EQ(parse_shape(text), std::nullopt) << text;
  EXPECT_EQ(parse_shape(std::string_view("5\0", 2)), std::nullopt);
}

}  // namespace
}  // namespace warpwalk::ops
