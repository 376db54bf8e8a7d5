#include "core/gpu/timing/l2.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

class L2OfAnH200 : public testing::Test {
 protected:
  L2 made() const { return L2(*timing_of(timed::h200()), timed::h200()); }
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
    constexpr double start = 1e5;  // when the lines, 2.5 MB, have come from memory
    for (int sm : {0, 6})
      for (std::uint64_t line = 0; line < 20000; ++line)
        l2.serve({.line = line, .sm = static_cast<std::uint16_t>(sm), .sectors = 15});
    double last = 0;
    for (int i = 0; i < 60000; ++i) {
      const auto line = static_cast<std::uint64_t>(i % 20000);
      last = std::max(last, l2.serve({.time = start, .line = line, .sm = sm(i), .sectors = 15}));
      if (writes)
        l2.serve({.time = start, .line = line + 40000, .sm = sm(i), .kind = MemoryRequest::Kind::store, .sectors = 1});
    }
    return last - start;
  };
  EXPECT_NEAR(last_read(true), last_read(false), last_read(false) * 0.02);
}

// A line that is held answers SMs of both partitions without memory, sector by sector.
TEST_F(L2OfAnH200, HoldsWhatEarlierLaunchesUsed) {
  L2 l2 = made();
  for (std::uint64_t line = 0; line < 64; ++line) l2.hold(line, 0b0101);
  for (const int sm : {0, 6})  // of different partitions
    for (std::uint64_t line = 0; line < 64; ++line) {
      l2.serve({.time = 1e4, .line = line, .sm = static_cast<std::uint16_t>(sm), .sectors = 0b0101});
      EXPECT_EQ(l2.source(), DataSource::l2);
    }
  EXPECT_EQ(l2.counters().sectors, 2 * 64 * 2u);
  EXPECT_EQ(l2.counters().hits, l2.counters().sectors);
  EXPECT_EQ(l2.memory().sectors_read(), 0u);
  l2.serve({.time = 2e4, .line = 0, .sm = 0, .sectors = 0b0010});
  EXPECT_GT(l2.memory().sectors_read(), 0u);
}

/// Sectors that are read from memory for stores of `words` to each of `lines` lines.
std::uint64_t read_for_stores(L2& l2, std::uint64_t lines, std::uint32_t words) {
  for (std::uint64_t line = 0; line < lines; ++line) {
    MemoryRequest store{.time = static_cast<double>(line), .line = line, .kind = MemoryRequest::Kind::store};
    store.words = words;
    for (unsigned sector = 0; sector < 4; ++sector)
      if ((words >> 8 * sector & 0xff) != 0) store.sectors |= static_cast<std::uint8_t>(1u << sector);
    l2.serve(store);
  }
  return l2.memory().sectors_read();
}

// tests/cuda/microbench/counted/h200_measured.csv: write_words_8 and write_sectors_1 read nothing; write_words_1 reads
// 1.80 million sectors of 2.10 million, write_prefix_12 463,000 of 524,000, write_prefix_12_16M 56,000 of 131,000.
TEST_F(L2OfAnH200, SectorsThatAreWrittenInPartAreReadFromMemory) {
  const auto sectors = [&](std::uint64_t lines, std::uint32_t words) {
    L2 l2 = made();
    return static_cast<double>(read_for_stores(l2, lines, words));
  };
  EXPECT_EQ(sectors(524288, 0xffffffff), 0);
  EXPECT_EQ(sectors(524288, 0x000000ff), 0);
  EXPECT_NEAR(sectors(524288, 0x01010101), 1.80e6, 0.02e6);
  EXPECT_NEAR(sectors(524288, 0x00000fff), 463e3, 20e3);
  EXPECT_NEAR(sectors(131072, 0x00000fff), 56e3, 1e3);
}

// Copies of the same recording: 4,096 KB take 4,098 cycles, although reads alone take 3,244: data from memory and
// stores share the slices' write ports.
TEST_F(L2OfAnH200, DataFromMemoryWaitForStores) {
  const auto last_read = [&](bool writes) {
    L2 l2 = made();
    double last = 0;
    for (int i = 0; i < 32768; ++i) {
      const auto line = static_cast<std::uint64_t>(i);
      last = std::max(last, l2.serve({.line = line, .sm = sm(i), .sectors = 15}));
      if (writes)
        l2.serve({.line = line + 65536,
                  .sm = sm(i),
                  .kind = MemoryRequest::Kind::store,
                  .sectors = 15,
                  .words = 0xffffffff});
    }
    return last;
  };
  EXPECT_GT(last_read(true), last_read(false) + 800);
  EXPECT_LT(last_read(true), 4500);
}

// The same recording, read_bytes_1: the second sector of a pair mostly comes while the pair is on its way.
TEST_F(L2OfAnH200, ASectorThatComesAlongWithAnotherCountsAsFoundOnlyWhenItIsThere) {
  const auto hits = [&](double later) {
    L2 l2 = made();
    l2.serve({.line = 0, .sectors = 1});
    l2.serve({.time = later, .line = 0, .sectors = 2});
    l2.serve({.time = later, .line = 0, .sectors = 1});
    return l2.counters().hits;
  };
  EXPECT_EQ(hits(5000) - hits(1), 1u);
}

}  // namespace
}  // namespace warpwalk::gpu
