#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/kernel.h"

namespace warpwalk::gpu {
namespace {

TEST(Meeting, ShufflesInFourGroupsOfAWarp) {
  const std::vector<int> x = jumbled(64);
  TestKernel kernel("meeting", "tiles");
  kernel.buffer(x).zeros<int>(64);
  EXPECT_EQ(findings_text(kernel.run(1, 64)), "");
  std::vector<int> expected(64);
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t k = 0; k < 8; ++k) expected[i] += x[i / 8 * 8 + k];
  EXPECT_EQ(kernel.values<int>(1), expected);
}

TEST(Meeting, VotesOfHalfAWarp) {
  const std::vector<int> x = jumbled(32);
  TestKernel kernel("meeting", "votes");
  kernel.buffer(x).zeros<unsigned>(96);
  EXPECT_EQ(findings_text(kernel.run(1, 32)), "");
  unsigned above = 0;
  bool any = false;
  for (unsigned i = 0; i < 32; ++i) {
    if (i % 2 == 0 && x[i] > 50) above |= 1u << i;
    if (i % 2 == 1 && x[i] > 98) any = true;
  }
  std::vector<unsigned> expected(96);
  for (unsigned i = 0; i < 32; ++i) {
    expected[i] = i % 2 == 0 ? above : any ? 1 : 2;
    for (unsigned k = 0; k < 32; ++k)
      if (x[k] % 3 == x[i] % 3) expected[32 + i] |= 1u << k;
    expected[64 + i] = static_cast<unsigned>(*std::max_element(x.begin(), x.end()));
  }
  EXPECT_EQ(kernel.values<unsigned>(1), expected);
}

TEST(Meeting, BarriersByNumberAndWithResults) {
  const std::vector<int> x = jumbled(128);
  TestKernel kernel("meeting", "handed_over");
  kernel.buffer(x).zeros<int>(66);
  EXPECT_EQ(findings_text(kernel.run(1, 128)), "");
  std::vector<int> expected;
  for (std::size_t i = 0; i < 64; ++i) expected.push_back(3 * x[63 - i]);
  expected.push_back(static_cast<int>(std::count_if(x.begin(), x.end(), [](int v) { return v % 2 != 0; })));
  expected.push_back(std::count(x.begin(), x.end(), 99) != 0 ? 3 : 2);
  EXPECT_EQ(kernel.values<int>(1), expected);
}

TEST(Meeting, PhasesOfABarrierInSharedMemory) {
  const std::vector<int> x = jumbled(128);
  TestKernel kernel("meeting", "phases");
  kernel.buffer(x).zeros<int>(128);
  EXPECT_EQ(findings_text(kernel.run(1, 128)), "");
  std::vector<int> expected;
  for (std::size_t i = 0; i < 128; ++i) {
    int sum = 0;
    for (int round = 0; round < 4; ++round) sum = 2 * sum + x[127 - i] + round;
    expected.push_back(sum);
  }
  EXPECT_EQ(kernel.values<int>(1), expected);
}

TEST(Meeting, AsynchronousCopiesFillWithZeros) {
  const std::vector<int> x = jumbled(128);
  TestKernel kernel("meeting", "copied");
  kernel.buffer(x).zeros<int>(128);
  EXPECT_EQ(findings_text(kernel.run(1, 32)), "");
  std::vector<int> expected(x.rbegin(), x.rend());
  expected[127 - 22] = expected[127 - 23] = 0;  // the second half of thread 5's 16 bytes
  EXPECT_EQ(kernel.values<int>(1), expected);
}

}  // namespace
}  // namespace warpwalk::gpu
