// The values of variables beside a line of source, against sums of their own.
#include "core/story/facts/simulated/line_values.h"

#include <gtest/gtest.h>

#include "tests/story/words.h"

namespace warpwalk::story {
namespace {

CodePicture::Column source_with(std::string line) {
  CodePicture::Column column;
  column.window.lines = {{15, "if (row < m)", 15}, {16, std::move(line), 16, true}, {17, "__syncthreads();", 17}};
  column.window.focus = 1;
  return column;
}

TEST(LineValues, AreTheNamesOfTheSumAndItsFactors) {
  const auto names = sum_names("    for (int i = 0; i < tile; ++i) sum += a_tile[y][i] * b_tile[i][x];");
  ASSERT_TRUE(names);
  EXPECT_EQ(names->sum, "sum");
  EXPECT_EQ(names->a, "a_tile[y][i]");
  EXPECT_EQ(names->b, "b_tile[i][x]");
  const auto stepped = sum_names("for (int i = 0; i < 16; i += 1) sum += a[i] * b[i];");
  ASSERT_TRUE(stepped);
  EXPECT_EQ(stepped->sum, "sum");
  for (const char* other : {"sum += a * b + c;", "i += 1) x = a * b;", "sum = a * b;", "sum += a;", "sum += a * b * c;",
                            " += a * b;", "__syncthreads();", ""})
    EXPECT_FALSE(sum_names(other)) << other;
}

TEST(LineValues, AreThoseOfTheProductThatWasAdded) {
  const std::vector<PartialSum> sums = {{0, 0, 2, 1, 2, 10}, {1, 1, -0.5, 3, 0.5, 14}};
  CodePicture::Column column = source_with("acc += x[i] * y[i];");
  add_values(testing::english(), column, sums, 0);
  EXPECT_EQ(column.window.lines[1].values, (std::vector<std::string>{"acc 0 → 2", "x[i] 2", "y[i] 1"}));
  EXPECT_EQ(column.note, "simulated");
  add_values(testing::english(), column, sums, 1);
  EXPECT_EQ(column.window.lines[1].values, (std::vector<std::string>{"acc 2 → 0.5", "x[i] -0.5", "y[i] 3"}));
  EXPECT_TRUE(column.window.lines[0].values.empty());
}

TEST(LineValues, AreNotSaidOfAnotherLine) {
  const std::vector<PartialSum> sums = {{0, 0, 2, 1, 2, 10}};
  CodePicture::Column column = source_with("c[row * n + column] = acc;");
  add_values(testing::english(), column, sums, 0);
  EXPECT_TRUE(column.window.lines[1].values.empty());
  column = source_with("acc += x[i] * y[i];");
  column.window.lines[1].lit = false;
  add_values(testing::english(), column, sums, 0);
  EXPECT_TRUE(column.window.lines[1].values.empty());
  add_values(testing::english(), column, sums, 1);  // no such product
  EXPECT_TRUE(column.window.lines[1].values.empty());
}

}  // namespace
}  // namespace warpwalk::story
