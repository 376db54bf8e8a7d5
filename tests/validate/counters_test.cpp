// Compares instructions and sectors of the validation launches with Nsight Compute's on an H200.
#include <gtest/gtest.h>

#include "tests/reference/compared.h"

namespace warpwalk {
namespace {

TEST(ValidationLaunches, ExecuteWhatAnH200Executes) {
  const gpu::Device device = reference::h200();
  const std::filesystem::path folder = WARPWALK_SOURCE_DIR "/tests/validate";
  int compared = 0;
  for (const auto& row : reference::rows_of(folder / "h200_measured.csv")) {
    if (std::stod(row.at("warp_inst")) > WARPWALK_LARGEST) continue;
    const std::string& name = row.at("case");
    const auto result = reference::compare(device, row, folder / "timed" / (name + ".json"), 1);
    ASSERT_TRUE(result) << result.error();
    const gpu::Counters& counters = result->simulation.counters;
    const auto check = [&](const char* column, std::uint64_t simulated) {
      EXPECT_EQ(static_cast<double>(simulated), std::stod(row.at(column))) << name << " " << column;
    };
    check("warp_inst", counters.warp_instructions);
    check("thread_inst", counters.thread_instructions);
    check("gld_requests", counters.global_load_requests);
    check("gld_sectors", counters.global_load_sectors);
    check("gst_requests", counters.global_store_requests);
    check("gst_sectors", counters.global_store_sectors);
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

}  // namespace
}  // namespace warpwalk
