#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/kernel.h"

namespace warpwalk::gpu {
namespace {

TEST(Objects, VirtualFunctions) {
  const std::vector<int> x = jumbled(32);
  TestKernel kernel("objects", "areas");
  kernel.buffer(x).zeros<int>(32);
  EXPECT_EQ(findings_text(kernel.run(1, 32)), "");
  std::vector<int> expected;
  for (const int v : x) expected.push_back(v % 3 == 0 ? v * v : 2 * v);
  EXPECT_EQ(kernel.values<int>(1), expected);
}

TEST(Objects, DifferencesOfBytes) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 181 + 7));
  TestKernel kernel("objects", "differences");
  kernel.buffer(bytes).zeros<std::uint8_t>(384);
  EXPECT_EQ(findings_text(kernel.run(1, 32)), "");
  std::vector<std::uint8_t> single;
  std::vector<unsigned> of_unsigned(32), of_signed(32);
  for (std::size_t i = 0; i < 128; ++i) {
    const int a = bytes[i], b = bytes[i + 128];
    single.push_back(static_cast<std::uint8_t>(std::abs(a - b)));
    of_unsigned[i / 4] += static_cast<unsigned>(std::abs(a - b));
    of_signed[i / 4] +=
        static_cast<unsigned>(std::abs(static_cast<std::int8_t>(bytes[i]) - static_cast<std::int8_t>(bytes[i + 128])));
  }
  std::vector<std::uint8_t> got = kernel.values<std::uint8_t>(1);
  const std::vector<unsigned> sums = kernel.values<unsigned>(1);
  got.resize(128);
  EXPECT_EQ(got, single);
  EXPECT_EQ(std::vector<unsigned>(sums.begin() + 32, sums.begin() + 64), of_unsigned);
  EXPECT_EQ(std::vector<unsigned>(sums.begin() + 64, sums.end()), of_signed);
}

}  // namespace
}  // namespace warpwalk::gpu
