// Compares the instruction and memory counters of machine code with Nsight Compute's on an H200. Unlike the estimates
// from PTX, they need no tolerance where the driver's compiler generates the same code as ptxas.
#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "tests/reference/compared.h"
#include "tests/run/compile_cubin.h"

namespace warpwalk::run {
namespace {

/// Launches with more instructions take too long for a test.
constexpr double largest = 3.2e6;

TEST(MachineCodeCounts, AreThoseOfAnH200) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const gpu::Device device = reference::h200();
  int compared = 0;
  for (const auto& row : reference::rows_of(reference::folder() / "h200_measured.csv")) {
    if (std::stod(row.at("warp_inst")) > largest) continue;
    SCOPED_TRACE(row.at("case"));
    auto loaded = load_launch(reference::folder() / "timed" / (row.at("case") + ".json"), device);
    ASSERT_TRUE(std::holds_alternative<LoadedLaunch>(loaded)) << std::get<std::string>(loaded);
    auto& launch = std::get<LoadedLaunch>(loaded);
    auto prepared = gpu::prepare_machine_code(testing::compile_cubin(launch.ptx), gpu::entry_of(*launch.program).name);
    ASSERT_EQ(prepared.index(), 0U) << std::get<std::string>(prepared);
    launch.program = std::get<0>(prepared);
    gpu::SimulateOptions options;
    options.threads = 2;
    const auto ran = run_launch(device, launch, options);
    ASSERT_EQ(ran.index(), 0U) << std::get<std::string>(ran);
    const gpu::Counters& counters = std::get<LaunchResult>(ran).simulation.counters;
    const auto expect = [&](const char* column, std::uint64_t counted, double tolerance) {
      const double measured = std::stod(row.at(column));
      EXPECT_NEAR(static_cast<double>(counted), measured, tolerance * measured) << column;
    };
    // Off by 90 of 3.1 million warp instructions and by 3,575 of 43.8 million thread instructions; the reason is
    // unknown.
    const double tolerance = row.at("kernel") == "divergent" ? 1e-4 : 0;
    expect("warp_inst", counters.warp_instructions, tolerance);
    expect("thread_inst", counters.thread_instructions, tolerance);
    expect("gld_requests", counters.global_load_requests, 0);
    expect("gst_requests", counters.global_store_requests, 0);
    expect("gld_sectors", counters.global_load_sectors, 0.01);
    expect("gst_sectors", counters.global_store_sectors, 0.01);
    ++compared;
  }
  EXPECT_GE(compared, 7);
}

}  // namespace
}  // namespace warpwalk::run
