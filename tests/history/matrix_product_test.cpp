#include <cmath>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "core/gpu/history/mma_operands.h"
#include "core/gpu/history/sm_window.h"
#include "tests/history/recorded_launch.h"

namespace warpwalk::gpu {
namespace {

using timed::Recorded;
using timed::sm_of;

// The executor's results equal those of an H200 (tests/cases), so its registers show whether the elements are in the
// expected places: each element of D is the sum of the products of a row of A and a column of B, plus the element of C.
void expect_products(const std::filesystem::path& file, std::size_t kinds) {
  SCOPED_TRACE(file.string());
  const std::uint16_t sm = sm_of(file, 0);
  Recorded recorded(file, sm);
  const SmWindow window = watch_window(*recorded.replay, 0, recorded.replay->end());
  std::set<std::uint32_t> seen;
  for (const Issue& issue : window.issues) {
    if (issue.what.lanes != ~0u || seen.contains(issue.what.instruction)) continue;
    const auto warp_at = [&](std::int64_t cycle) -> std::optional<Warp> {
      recorded.replay->seek(cycle);
      for (const WarpState& warp : recorded.replay->state().warps)
        if (warp.place == issue.what.warp) return *warp.warp;
      return {};
    };
    const auto before = warp_at(issue.what.cycle), after = warp_at(issue.what.cycle + 1);
    if (!before || !after) continue;
    const auto product = mma_operands(*recorded.again.program, issue.what.instruction, *before, *after);
    if (!product) continue;
    seen.insert(issue.what.instruction);
    const int columns = product->d.columns, depth = product->a.columns;
    ASSERT_EQ(product->b.rows, depth);
    for (int row = 0; row < product->d.rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const auto at = [](const MatrixTile& tile, int r, int c) {
          return tile.elements[static_cast<std::size_t>(r * tile.columns + c)].value;
        };
        double sum = at(product->c, row, column), size = std::abs(sum);
        for (int k = 0; k < depth; ++k) {
          const double term = at(product->a, row, k) * at(product->b, k, column);
          sum += term;
          size += std::abs(term);
        }
        EXPECT_NEAR(at(product->d, row, column), sum, size * 1e-3 + 1e-30) << row << ", " << column;
      }
  }
  EXPECT_EQ(seen.size(), kinds);
}

TEST(MatrixProduct, ElementsAreWhereTheTensorCoreReadsThem) {
  expect_products("validate/timed/mma_f16_4096.json", 3);
  expect_products("cases/mma_bf16_k8/launch.json", 1);
}

TEST(MatrixProduct, IsNotThereForOtherInstructions) {
  const std::filesystem::path file = "cases/nested_divergence/launch.json";
  Recorded recorded(file, sm_of(file, 0));
  recorded.replay->seek(100);
  const SmState state = recorded.replay->state();
  ASSERT_FALSE(state.warps.empty());
  const Warp& warp = *state.warps.front().warp;
  for (std::uint32_t i = 0; i < recorded.again.program->sources.size(); ++i)
    EXPECT_FALSE(mma_operands(*recorded.again.program, i, warp, warp));
}

}  // namespace
}  // namespace warpwalk::gpu
