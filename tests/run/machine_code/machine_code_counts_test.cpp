// Compares the instruction and memory counters of machine code with Nsight Compute's on an H200: every row and counter
// of h200_measured.csv. Unlike the estimates from PTX, they need no tolerance where the driver's compiler generates the
// same code as ptxas.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/module.h"
#include "tests/reference/compared.h"
#include "tests/run/recorded_cubin.h"

namespace warpwalk::run {
namespace {

/// Launches with more instructions take too long for a test; with WARPWALK_ALL_ROWS set, all run (3 minutes).
double largest() { return std::getenv("WARPWALK_ALL_ROWS") != nullptr ? std::numeric_limits<double>::max() : 3.2e6; }

constexpr double tolerance = 0.001;
/// Nsight Compute's store sectors include replays when many stores are under way: up to 0.8 % on transpose_naive.
constexpr double store_tolerance = 0.01;

/// A GPU gives each thread at least this many registers.
constexpr int least_registers = 16;

struct Row {
  const reference::Row& measured;

  double column(const char* name) const { return std::stod(measured.at(name)); }
  void expect(const char* name, std::uint64_t counted, double within) const {
    EXPECT_NEAR(static_cast<double>(counted), column(name), within * column(name)) << name;
  }
  /// The measured wavefronts include repetitions when loads and stores compete for the memory (arbitration). Nsight
  /// Compute counts these among the bank conflicts, too, so they are the conflicts that the addresses do not explain.
  void expect_wavefronts(const gpu::Counters& counters) const {
    const double repeated = column("shared_conflicts") - static_cast<double>(counters.shared_bank_conflicts);
    const double total = column("shared_ld_wavefronts") + column("shared_st_wavefronts");
    const auto counted = static_cast<double>(counters.shared_load_wavefronts + counters.shared_store_wavefronts);
    EXPECT_NEAR(counted, total - repeated, tolerance * total) << "shared wavefronts";
    EXPECT_LE(-tolerance * total, repeated) << "more conflicts than measured";
  }
};

TEST(MachineCodeCounts, AreThoseOfAnH200) {
  const gpu::Device device = reference::h200();
  int compared = 0;
  for (const auto& measured : reference::rows_of(reference::folder() / "h200_measured.csv")) {
    const Row row{measured};
    if (row.column("warp_inst") > largest()) continue;
    SCOPED_TRACE(measured.at("case"));
    auto loaded = load_launch(reference::folder() / "timed" / (measured.at("case") + ".json"), device);
    ASSERT_TRUE(loaded) << loaded.error();
    auto& launch = *loaded;
    auto prepared =
        gpu::prepare_machine_code(testing::recorded_cubin(launch.module_file), gpu::entry_of(*launch.program).name);
    ASSERT_TRUE(prepared) << prepared.error();
    launch.program = *prepared;
    gpu::SimulateOptions options;
    options.threads = 2;
    const auto ran = run_launch(device, launch, options);
    ASSERT_TRUE(ran) << ran.error();
    const gpu::Simulation& simulation = ran->simulation;
    const gpu::Counters& counters = simulation.counters;
    // Only the divergent kernel needs a tolerance: it is off by 90 of 3.1 million warp instructions and by 3,575 of
    // 43.8 million thread instructions. The driver that measured it may have compiled its PTX differently.
    const double code = measured.at("kernel") == "divergent" ? tolerance : 0;
    row.expect("warp_inst", counters.warp_instructions, code);
    row.expect("thread_inst", counters.thread_instructions, code);
    row.expect("gld_requests", counters.global_load_requests, 0);
    row.expect("gst_requests", counters.global_store_requests, 0);
    row.expect("gld_sectors", counters.global_load_sectors, tolerance);
    row.expect("gst_sectors", counters.global_store_sectors, store_tolerance);
    row.expect_wavefronts(counters);
    EXPECT_EQ(std::max(simulation.registers, least_registers), static_cast<int>(row.column("registers")));
    ++compared;
  }
  EXPECT_GE(compared, 7);
}

}  // namespace
}  // namespace warpwalk::run
