// Compares H200 recordings (assets/walks/h200_*.json.gz, by scripts/record-walks) with the simulated GPU.
#include <filesystem>
#include <map>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/run/launch/report.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::assets_folder;

trace::Trace walk(const std::string& name) {
  trace::ReadResult read = trace::read_trace(assets_folder() / "walks" / ("h200_" + name + ".json.gz"));
  EXPECT_FALSE(read.error) << *read.error;
  return std::move(read.trace);
}

class OwnKernels : public ::testing::TestWithParam<const char*> {};

// With inputs from the seed and earlier kernels replayed, the model's results are bitwise equal to the GPU's, and the
// counters that depend only on addresses are exact.
TEST_P(OwnKernels, AreSimulatedToTheBitAndCountedAsMeasured) {
  const trace::Trace trace = walk(GetParam());
  HistoryOptions options;
  options.device = *gpu::load_device(assets_folder() / "devices/h200.json");
  options.ptx_folder = assets_folder() / "ptx";
  for (const trace::SliceId kernel : trace.kernel_order) {
    const auto built = build_history(trace, kernel, options);
    ASSERT_EQ(built.index(), 0u) << std::get<1>(built).reason;
    const History& history = *std::get<0>(built);
    EXPECT_FALSE(history.stand_in);
    EXPECT_EQ(history.digests, History::Digests::equal) << history.announced;
    const auto& record =
        trace.records.kernels[static_cast<std::size_t>(trace.kernels[trace.slices.detail[kernel]].record)];
    std::map<std::string, double> measured;
    for (const trace::NamedCounter& counter : record.counters) measured[counter.name] = counter.value;
    for (const ReportCounter& counter : report_counters(history.simulation.counters, false)) {
      const std::string name(counter.name);
      if (!name.starts_with("global_")) continue;
      ASSERT_TRUE(measured.contains(name)) << name;
      EXPECT_EQ(static_cast<double>(counter.value), measured[name]) << record.entry << ": " << name;
    }
    EXPECT_EQ(record.placement.size(), std::size_t{record.grid[0]} * record.grid[1] * record.grid[2]);
    EXPECT_GT(record.cycles, 0);
  }
}

// The second pass runs the walk's machine code, so its instructions are those that Nsight Compute counted.
TEST(RecordedCycles, AreThoseOfTheMachineCode) {
  const trace::Trace trace = walk("relu");
  HistoryOptions options;
  options.device = *gpu::load_device(assets_folder() / "devices/h200.json");
  const trace::SliceId kernel = trace.kernel_order[0];
  const auto built = build_history(trace, kernel, options);
  ASSERT_EQ(built.index(), 0u) << std::get<1>(built).reason;
  const std::shared_ptr<const History> history = std::get<0>(built);
  const auto timed = TimeTravel::make(trace, kernel, history, options);
  ASSERT_TRUE(timed) << timed.error();
  const gpu::LaunchTiming& timing = (*timed)->timing();
  for (const trace::NamedCounter& counter : trace.records.kernels.at(0).counters)
    if (counter.name == "warp_instructions") {
      EXPECT_EQ(static_cast<double>(timing.warp_instructions), counter.value);
    }
  EXPECT_GT(timing.cycles, timing.launch_cost);

  options.max_timed_warp_instructions = 1000;
  options.first_timed_warp_instructions = 2000;
  const auto first = TimeTravel::make(trace, kernel, history, options);
  ASSERT_TRUE(first) << first.error();
  EXPECT_TRUE((*first)->timing().cut);
  EXPECT_FALSE(timing.cut);
  // The first cycles are the same.
  EXPECT_EQ((*first)->window(0, 0, 200)->warps, (*timed)->window(0, 0, 200)->warps);
  trace::Trace bare = walk("relu");
  bare.records.modules.at(0).cubin.clear();
  options.max_timed_warp_instructions = HistoryOptions().max_timed_warp_instructions;
  const auto estimated = TimeTravel::make(bare, kernel, history, options);
  ASSERT_TRUE(estimated) << estimated.error();
  EXPECT_TRUE((*estimated)->timing().estimated);
  EXPECT_FALSE(timing.estimated);
}

TEST_P(OwnKernels, HaveSourcePtxAndMachineCode) {
  const trace::Trace trace = walk(GetParam());
  for (const trace::Module& module : trace.records.modules) {
    EXPECT_THAT(module.source, ::testing::HasSubstr("__global__"));
    EXPECT_THAT(module.ptx, ::testing::HasSubstr(".entry"));
    EXPECT_THAT(module.sass, ::testing::HasSubstr("EXIT"));
    EXPECT_FALSE(module.line_map.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(H200, OwnKernels, ::testing::Values("vecadd", "relu", "matmul", "relu_matmul"));

struct Expected {
  const char* name;
  std::size_t kernels, transfers;
};
class Programs : public ::testing::TestWithParam<Expected> {};

// The expected numbers follow from the programs in scripts/walks and tests/instrumentation/programs.
TEST_P(Programs, AreWhole) {
  const trace::Trace trace = walk(GetParam().name);
  EXPECT_EQ(trace.kernels.size(), GetParam().kernels);
  EXPECT_EQ(trace.transfers.size(), GetParam().transfers);
  for (const trace::SliceId kernel : trace.kernel_order) EXPECT_GT(trace.slices.duration[kernel], 0);
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) EXPECT_NE(trace.kernels[i].launch, trace::no_slice);
  EXPECT_EQ(trace.records.time_origin(), trace::Origin::measured);
}

INSTANTIATE_TEST_SUITE_P(H200, Programs,
                         ::testing::Values(Expected{"two_streams", 8, 18}, Expected{"cuda_graph", 30, 20},
                                           Expected{"pytorch_relu_matmul", 6, 0},
                                           Expected{"pytorch_training_step", 40, 10}));

TEST(RecordedWalks, AreSmall) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(assets_folder() / "walks"))
    if (file.is_regular_file()) {
      EXPECT_LT(file.file_size(), 300'000u) << file.path();
    }
}

}  // namespace
}  // namespace warpwalk::run
