#include "core/trace/column.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::trace::test {
namespace {

constexpr std::size_t three_blocks = 2 * Column<int>::block_size + 5;

Column<int> counted(std::size_t n) {
  Column<int> column;
  for (std::size_t i = 0; i < n; ++i) column.push_back(static_cast<int>(i));
  return column;
}

TEST(Column, KeepsWhatIsPushedAcrossBlocks) {
  const Column<int> column = counted(three_blocks);
  ASSERT_EQ(column.size(), three_blocks);
  EXPECT_EQ(column[0], 0);
  EXPECT_EQ(column[Column<int>::block_size], static_cast<int>(Column<int>::block_size));
  EXPECT_EQ(column.back(), static_cast<int>(three_blocks - 1));
  int expected = 0;
  for (const int value : column) ASSERT_EQ(value, expected++);
  EXPECT_EQ(expected, static_cast<int>(three_blocks));
  EXPECT_EQ(column.bytes(), 3 * Column<int>::block_size * sizeof(int));
}

TEST(Column, CopiesAreIndependentAndMovesLeaveNothingBehind) {
  Column<int> a = counted(three_blocks);
  Column<int> b = a;
  b[three_blocks - 1] = -1;
  EXPECT_EQ(a.back(), static_cast<int>(three_blocks - 1));
  a = b;
  EXPECT_EQ(a.back(), -1);
  const Column<int> c = std::move(a);
  EXPECT_EQ(c.size(), three_blocks);
  EXPECT_EQ(a.size(), 0u);  // NOLINT(bugprone-use-after-move): this is the test
  a.push_back(4);
  EXPECT_EQ(a.size(), 1u);
  EXPECT_EQ(a[0], 4);
}

TEST(Column, ResizesBothWays) {
  Column<int> column = counted(3);
  column.resize(three_blocks, 9);
  EXPECT_EQ(column[2], 2);
  EXPECT_EQ(column[3], 9);
  EXPECT_EQ(column.back(), 9);
  column.resize(2);
  EXPECT_EQ(column.size(), 2u);
  EXPECT_EQ(column.bytes(), Column<int>::block_size * sizeof(int));
  column.push_back(7);
  EXPECT_EQ(column[2], 7);
}

// A block's rows are constructed one by one, so that the first row costs no more than any other.
TEST(Column, MakesNoRowBeforeItComes) {
  static int made;
  struct Row {
    Row() { ++made; }
    int value = 0;
  };
  made = 0;
  const Row row;
  Column<Row> column;
  for (int i = 0; i < 3; ++i) column.push_back(row);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(column.size(), 3u);
}

TEST(Column, PermutesByOrder) {
  Column<int> column = counted(three_blocks);
  std::vector<std::uint32_t> order(three_blocks);
  std::iota(order.rbegin(), order.rend(), 0u);
  column.permute(order);
  ASSERT_EQ(column.size(), three_blocks);
  for (std::size_t i = 0; i < three_blocks; ++i) ASSERT_EQ(column[i], static_cast<int>(three_blocks - 1 - i));
}

TEST(Column, PermutesInPlaceAsInACopy) {
  std::mt19937 random(3);
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, three_blocks}) {
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0u);
    for (int round = 0; round < 3; ++round) {  // first in order already
      Column<int> a = counted(size);
      Column<int> b = a;
      a.permute(order);
      std::vector<std::uint32_t> used = order;
      b.permute_in_place(used);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(a[i], b[i]) << i;
      std::ranges::shuffle(order, random);
    }
  }
}

// Enough for large pages: the first megabytes come from elsewhere.
TEST(Column, SharesMemoryWithOtherColumns) {
  const auto memory = std::make_shared<platform::TableMemory>();
  constexpr std::int64_t rows = 3'000'000;
  Column<std::int64_t> kept;
  kept.use(memory);
  for (int round = 0; round < 3; ++round) {
    Column<std::int64_t> numbers;
    Column<std::array<std::int64_t, 5>> wide;
    numbers.use(memory);
    wide.use(memory);
    for (std::int64_t i = 0; i < rows; ++i) {
      numbers.push_back(i * (round + 1));
      if (i % 8 == 0) wide.push_back({i, -i, round, i, i});
    }
    std::vector<std::uint32_t> order(static_cast<std::size_t>(rows));
    std::iota(order.rbegin(), order.rend(), 0u);
    numbers.permute(order);
    for (std::int64_t i = 0; i < rows; i += 7) {
      const auto row = static_cast<std::size_t>(i);
      ASSERT_EQ(numbers[row], (rows - 1 - i) * (round + 1));
      if (row >= wide.size()) continue;
      ASSERT_EQ(wide[row], (std::array<std::int64_t, 5>{8 * i, -8 * i, round, 8 * i, 8 * i}));
    }
    kept = std::move(numbers);
  }
  EXPECT_EQ(kept.back(), 0);
}

}  // namespace
}  // namespace warpwalk::trace::test
