#include <vector>

#include <gtest/gtest.h>

#include "core/gpu/exec/run/print_format.h"
#include "tests/exec/kernel.h"

namespace warpwalk::gpu {
namespace {

TEST(Atomics, OfEveryTypeAndSpace) {
  constexpr int blocks = 2, threads = 64;
  TestKernel kernel("memory", "summed");
  kernel.zeros<int>(5).zeros<unsigned>(3).zeros<std::uint64_t>(1).zeros<float>(2).zeros<double>(1);
  EXPECT_EQ(findings_text(kernel.run(blocks, threads)), "");
  int global = 0, shared = 0, own = 0;
  for (int t = 0; t < threads; ++t) (t % 3 == 0 ? global : t % 3 == 1 ? shared : own) += t % 3 == 2 ? 5 + t : t;
  EXPECT_EQ(kernel.values<int>(0),
            (std::vector<int>{blocks * global, threads - 1 - 20, -(threads - 1), shared, blocks * own}));
  // inc wraps after 9. dec wraps from 0 to 6, 7 steps per cycle. The exclusive or of 0 to 63 is 0.
  EXPECT_EQ(kernel.values<unsigned>(1), (std::vector<unsigned>{128 % 10, (7 - 128 % 7) % 7, 0}));
  EXPECT_EQ(kernel.values<std::uint64_t>(2), std::vector<std::uint64_t>{128ULL << 33});
  EXPECT_EQ(kernel.values<float>(3), (std::vector<float>{32.0F, 32.0F}));
  EXPECT_EQ(kernel.values<double>(4), std::vector<double>{16.0});
}

TEST(Printing, TextOfAllBlocksInOrder) {
  TestKernel kernel("memory", "told");
  kernel.zeros<int>(32);
  const Simulation simulation = kernel.run(2, 32);
  EXPECT_EQ(findings_text(simulation), "");
  EXPECT_EQ(simulation.printed,
            "block 0 thread 0:  0.00 text|42  |-1099511627776 x%\n"
            "block 0 thread 1:  1.50 text|42  |-1099511627776 x%\n"
            "block 1 thread 0:  0.00 text|42  |-1099511627776 x%\n"
            "block 1 thread 1:  1.50 text|42  |-1099511627776 x%\n");
  EXPECT_EQ(kernel.values<int>(0), std::vector<int>(32, 1));
}

TEST(Printing, AFailedAssertionEndsTheLaunch) {
  TestKernel kernel("memory", "asserted");
  std::vector<int> x(32, 1);
  x[7] = 3;
  const Simulation simulation = kernel.buffer(x).run(1, 32);
  EXPECT_TRUE(simulation.stopped);
  EXPECT_EQ(findings_text(simulation)
                .find("failed_assert: thread (7,0,0) of block (0,0,0) fails assert(x[threadIdx.x] < 3) in "),
            0U)
      << findings_text(simulation);
}

/// Formats one number with print_formatted.
std::string formatted(std::string_view format, std::uint64_t bits) {
  PrintSource source;
  source.next = [&](int) { return bits; };
  source.text = [](std::uint64_t) { return std::string("abcdef"); };
  return print_formatted(format, source).text;
}

TEST(Printing, Conversions) {
  EXPECT_EQ(formatted("%d", 0xffffffff), "-1");
  EXPECT_EQ(formatted("%u", 0xffffffff), "4294967295");
  EXPECT_EQ(formatted("%hhd", 0x1ff), "-1");
  EXPECT_EQ(formatted("%hx", 0x12345), "2345");
  EXPECT_EQ(formatted("%lx", 0x123456789abcdef0), "123456789abcdef0");
  EXPECT_EQ(formatted("%+06d|", 42), "+00042|");
  EXPECT_EQ(formatted("%.3s", 1), "abc");
  EXPECT_EQ(formatted("%s", 0), "(null)");
  EXPECT_EQ(formatted("%*d", 5), "    5");
  EXPECT_EQ(formatted("100%", 0), "100%");
  EXPECT_EQ(formatted("%y %%", 0), "%y %");
  EXPECT_EQ(formatted("%999999999d", 1).size(), 4096U);
}

}  // namespace
}  // namespace warpwalk::gpu
