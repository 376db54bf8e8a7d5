#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/kernel.h"

namespace warpwalk::gpu {
namespace {

int fibonacci(int n) {
  int a = 0, b = 1;
  for (; n > 0; --n) b += std::exchange(a, b);
  return a;
}

TEST(Flow, NestedLoopsOfDifferentLengths) {
  TestKernel kernel("flow", "nested");
  kernel.zeros<int>(64);
  EXPECT_EQ(findings_text(kernel.run(1, 64)), "");
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) {
    int steps = 0;
    for (int n = i + 1; n != 1; ++steps) {
      if (n % 2 != 0) steps += n % 3;
      n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    }
    expected.push_back(steps);
  }
  EXPECT_EQ(kernel.values<int>(0), expected);
}

TEST(Flow, SwitchWithRecursionAndReturn) {
  std::vector<int> x, expected;
  for (int i = 0; i < 32; ++i) {
    const int v = i % 9;
    x.push_back(v);
    const int by_case[] = {11, 10, 55, (3 ^ 0x55) << 3, 32, 0, 216, -7, 1000};
    expected.push_back(by_case[v]);
  }
  TestKernel kernel("flow", "switched");
  kernel.buffer(x).zeros<int>(32);
  EXPECT_EQ(findings_text(kernel.run(1, 32)), "");
  EXPECT_EQ(kernel.values<int>(1), expected);
}

TEST(Flow, PointersToDifferentFunctionsInOneWarp) {
  const std::vector<int> x = jumbled(64);
  TestKernel kernel("flow", "pointed");
  kernel.buffer(x).zeros<int>(64);
  EXPECT_EQ(findings_text(kernel.run(1, 64)), "");
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) {
    const int results[] = {2 * i, i * i, -i};
    expected.push_back(results[x[static_cast<std::size_t>(i)] % 3] + fibonacci(i % 12));
  }
  EXPECT_EQ(kernel.values<int>(1), expected);
}

TEST(Flow, LockWithinAWarpCompletes) {
  TestKernel kernel("flow", "locked");
  kernel.zeros<int>(1).zeros<int>(1);
  EXPECT_EQ(findings_text(kernel.run(3, 96)), "");
  EXPECT_EQ(kernel.values<int>(1), std::vector<int>{3 * 96});
  EXPECT_EQ(kernel.values<int>(0), std::vector<int>{0});
}

TEST(Flow, ArraysOnTheStackByIndex) {
  const std::vector<int> x = jumbled(32);
  TestKernel kernel("flow", "guarded_pieces");
  kernel.buffer(x).zeros<int>(32);
  EXPECT_EQ(findings_text(kernel.run(1, 32)), "");
  std::vector<int> expected;
  for (std::size_t i = 0; i < 32; ++i) {
    int sum = 0;
    for (std::size_t k = 0; k < 8; ++k) sum += static_cast<int>(i) * 10 + (x[(i + k) % 32] & 7);
    expected.push_back(sum);
  }
  EXPECT_EQ(kernel.values<int>(1), expected);
}

}  // namespace
}  // namespace warpwalk::gpu
