// Compares the cost of a warp's addresses with Nsight Compute's counts for single accesses on an H200.
#include <gtest/gtest.h>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/gpu/exec/memory/access_cost_cache.h"
#include "tests/reference/measured.h"

namespace warpwalk {
namespace {

TEST(Coalesce, WavefrontsAndConflictsAreThoseOfAnH200) {
  const auto rows = reference::rows_of(reference::folder() / "wavefronts.csv");
  ASSERT_GT(rows.size(), 500u);
  for (const auto& row : rows) {
    const auto pattern = reference::pattern_of(row.at("offsets"));
    const int bytes = std::stoi(row.at("bytes"));
    const bool store = row.at("kernel") == "sts";
    const gpu::Wavefronts waves = gpu::wavefronts_of(pattern.addresses, pattern.mask, bytes, store);
    EXPECT_EQ(waves.passes, std::stoi(row.at("wavefronts"))) << row.at("kernel") << bytes << " " << row.at("pattern");
    EXPECT_EQ(waves.conflicts, std::stoi(row.at("conflicts"))) << row.at("kernel") << bytes << " " << row.at("pattern");
  }
}

TEST(Coalesce, SectorsAreThoseOfAnH200) {
  const auto rows = reference::rows_of(reference::folder() / "sectors.csv");
  ASSERT_GT(rows.size(), 300u);
  for (const auto& row : rows) {
    const auto pattern = reference::pattern_of(row.at("offsets"));
    EXPECT_EQ(gpu::count_sectors(pattern.addresses, pattern.mask, std::stoi(row.at("bytes"))),
              std::stoi(row.at("sectors")))
        << row.at("kernel") << row.at("bytes") << " " << row.at("pattern");
  }
}

TEST(Coalesce, MemosAnswerWhatCountingWould) {
  // One memo sees all patterns in sequence, each twice and then shifted, as in a loop.
  gpu::AccessCostCache memos(2);  // loads and stores
  for (const auto& row : reference::rows_of(reference::folder() / "wavefronts.csv")) {
    auto pattern = reference::pattern_of(row.at("offsets"));
    const int bytes = std::stoi(row.at("bytes"));
    if (bytes != 4) continue;
    const bool store = row.at("kernel") == "sts";
    for (const std::uint64_t shift : {0u, 0u, 4u, 512u}) {
      for (auto& address : pattern.addresses) address += shift;
      const auto want = gpu::wavefronts_of(pattern.addresses, pattern.mask, bytes, store);
      const auto got = memos.shared(store ? 1 : 0, pattern.addresses, pattern.mask, bytes, store);
      EXPECT_EQ(got.passes, want.passes);
      EXPECT_EQ(memos.global(store ? 1 : 0, pattern.addresses, pattern.mask, bytes),
                gpu::count_sectors(pattern.addresses, pattern.mask, bytes));
      if (pattern.mask != 0xffffffff) continue;
      std::uint32_t offsets[32];
      for (int lane = 0; lane < 32; ++lane) offsets[lane] = static_cast<std::uint32_t>(pattern.addresses[lane]);
      EXPECT_EQ(memos.words(store ? 1 : 0, offsets, 4, store).waves.passes, want.passes);
    }
  }
}

}  // namespace
}  // namespace warpwalk
