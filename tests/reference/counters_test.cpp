// Compares counters of larger launches with Nsight Compute's on an H200.
#include <gtest/gtest.h>

#include "tests/reference/compared.h"

namespace warpwalk {
namespace {

/// True for launches that take seconds on one core or use gigabytes of buffers; only reference_report runs them.
bool is_large(const reference::Row& row) { return std::stod(row.at("warp_inst")) > WARPWALK_LARGEST; }

TEST(Counters, AreThoseOfAnH200) {
  const gpu::Device device = reference::h200();
  int compared = 0;
  for (const auto& row : reference::rows_of(reference::folder() / "h200_measured.csv")) {
    if (is_large(row)) continue;
    const auto result = reference::compare(device, row, reference::timed_launch(row), 1);
    ASSERT_TRUE(result) << result.error();
    for (const auto& counter : result->counters) {
      EXPECT_TRUE(counter.within()) << row.at("case") << " " << counter.name << ": " << counter.simulated
                                    << " simulated, " << counter.measured << " measured";
    }
    ++compared;
  }
  EXPECT_GE(compared, 7);
}

}  // namespace
}  // namespace warpwalk
