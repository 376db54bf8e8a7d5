#include "core/trace/sort_runs.h"

#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace warpwalk::trace::test {
namespace {

// Rows in `runs` runs, whose numbers overlap by `overlap`.
std::vector<int> rows_in_runs(int runs, int length, int overlap) {
  std::vector<int> rows;
  for (int run = 0; run < runs; ++run)
    for (int i = 0; i < length; ++i) rows.push_back((run * (length - overlap) + i) * runs + run);
  return rows;
}

void expect_sorted(std::vector<int> rows) {
  std::vector<int> expected = rows;
  std::ranges::sort(expected);
  sort_runs(std::span(rows), std::less<>());
  EXPECT_EQ(rows, expected);
}

TEST(SortRuns, MergesRunsThatOverlapMoreOrLess) {
  expect_sorted({});
  expect_sorted({1});
  for (const int runs : {1, 2, 3, 7, 8, 100})
    for (const int overlap : {0, 1, 5, 19, 20}) expect_sorted(rows_in_runs(runs, 20, overlap));
}

TEST(SortRuns, SortsRowsWithoutRuns) {
  std::mt19937 random(7);
  for (const std::size_t size : {10u, 1000u, 40000u}) {  // the last has more runs than are merged
    std::vector<int> rows(size);
    for (std::size_t i = 0; i < size; ++i) rows[i] = static_cast<int>(i);
    std::ranges::shuffle(rows, random);
    expect_sorted(rows);
    std::ranges::sort(rows, std::greater<>());
    expect_sorted(rows);
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
