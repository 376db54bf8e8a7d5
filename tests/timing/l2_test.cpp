#include "core/gpu/timing/l2.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

class L2OfAnH200 : public testing::Test {
 protected:
  L2 made() const { return L2(std::get<Timing>(timing_of(timed::h200())), timed::h200()); }
  std::uint16_t sm(int request) const { return static_cast<std::uint16_t>(request % 132); }
};

/// Cycles per atomic of one lane on `words` words, if many are asked for at once.
double cycles_per_atomic(L2& l2, int words) {
  constexpr int count = 40000;
  double last = 0;
  for (int i = 0; i < count; ++i) {
    const auto word = static_cast<std::uint64_t>(i) * 2654435761u % static_cast<unsigned>(words);
    last = std::max(last, l2.serve({.line = word / 32,
                                    .sm = static_cast<std::uint16_t>(i % 132),
                                    .kind = MemoryRequest::Kind::atomic,
                                    .sectors = static_cast<std::uint8_t>(1 << word / 8 % 4)}));
  }
  return last / count;
}

// tests/cuda/microbench/recordings/patterns.csv, RED with one lane and 132 SMs: cycles per request of an SM.
TEST_F(L2OfAnH200, AtomicsOnFewWordsTakeAsLongAsMeasured) {
  for (const auto& [words, measured] : {std::pair{1, 181.2}, {64, 172.5}, {128, 88.7}, {512, 47.9}, {1024, 25.5}}) {
    L2 l2 = made();
    EXPECT_NEAR(cycles_per_atomic(l2, words), measured / 132, measured / 132 * 0.12) << words;
  }
}

TEST_F(L2OfAnH200, ReadsAndWritesDoNotWaitForEachOther) {
  const auto last_read = [&](bool writes) {
    L2 l2 = made();
    double last = 0;
    for (int i = 0; i < 60000; ++i) {
      const auto line = static_cast<std::uint64_t>(i % 20000);  // 2.5 MB, which stay in L2
      last = std::max(last, l2.serve({.line = line, .sm = sm(i), .sectors = 15}));
      if (writes) l2.serve({.line = line + 40000, .sm = sm(i), .kind = MemoryRequest::Kind::store, .sectors = 1});
    }
    return last;
  };
  EXPECT_NEAR(last_read(true), last_read(false), last_read(false) * 0.02);
}

}  // namespace
}  // namespace warpwalk::gpu
