// Compares instructions and sectors of the validation launches with Nsight Compute's on an H200.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "core/run/launch/run_launch.h"
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

// The thread instructions are those that Nsight Compute finds by instruction. How often diverged lanes come together
// again depends on the GPU's own timing where functions call themselves: there, Nsight Compute's two counts of warp
// instructions, with and without instrumentation, differ by up to 18 %.
TEST(ValidationLaunches, DivergeAsOnAnH100) {
  const std::map<std::string, double> timed = {{"mutual_recursion", 0.01}, {"nested_recursion", 0.05},
                                               {"recursion", 0.01},        {"sort_recursion", 0.2},
                                               {"tree_recursion", 0.05},   {"two_ways_in", 0.01}};
  const gpu::Device device = reference::h200();
  const std::filesystem::path folder = WARPWALK_SOURCE_DIR "/tests/validate/divergent";
  int compared = 0;
  for (const auto& row : reference::rows_of(folder / "h100_counts.csv")) {
    const std::string& name = row.at("case");
    auto launch = run::load_launch(folder / "timed" / (name + ".json"), device);
    ASSERT_TRUE(launch) << launch.error();
    const auto result = run::run_launch(device, *launch, {});
    ASSERT_TRUE(result) << result.error();
    const gpu::Counters& counters = result->simulation.counters;
    EXPECT_EQ(static_cast<double>(counters.thread_instructions), std::stod(row.at("thread_inst_by_instruction")))
        << name;
    const double by_instruction = std::stod(row.at("warp_inst_by_instruction"));
    const auto simulated = static_cast<double>(counters.warp_instructions);
    const auto of_timing = timed.find(name);
    const double exact = 0.001 * by_instruction;
    if (of_timing == timed.end()) {
      EXPECT_NEAR(simulated, by_instruction, exact) << name;
    } else {
      EXPECT_NEAR(simulated, by_instruction, of_timing->second * by_instruction) << name;
      EXPECT_GT(std::abs(simulated - by_instruction), exact) << name << " is as exact as the others";
    }
    ++compared;
  }
  EXPECT_EQ(compared, 17);
}

}  // namespace
}  // namespace warpwalk
