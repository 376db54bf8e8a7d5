#include "core/gpu/timing/launch/time_launch.h"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

using timed::h200;
using timed::load;
using timed::time;

const std::filesystem::path matmul = "validate/reference/timed/matmul16_128x128x128.json";
const std::filesystem::path vecadd = "validate/reference/timed/vecadd_16384.json";

std::vector<std::filesystem::path> files_of(const std::vector<const char*>& names) {
  std::vector<std::filesystem::path> files;
  for (const char* const name : names) files.push_back(std::filesystem::path("cases") / name / "launch.json");
  return files;
}

/// Divergence, barriers, shared memory, atomics, copies, tensor cores, textures, clusters, calls and local memory.
std::vector<std::filesystem::path> cases() {
  std::vector<std::filesystem::path> files =
      files_of({"shipped_histogram", "nested_divergence", "mma_f16", "shuffles", "cluster_reduction", "local_arrays",
                "recursion", "named_barriers", "texture_2d", "early_return", "switch_tables", "f64_functions",
                "matrix_transport"});
  files.push_back(matmul);
  files.push_back(vecadd);
  return files;
}

/// Kernels whose threads wait for one another in loops, so that the number of instructions depends on the time.
std::vector<std::filesystem::path> polling_cases() {
  return files_of(
      {"cooperative_reduction", "scan_lookback", "spin_lock", "last_block", "float_maximum_by_cas", "wide_tiles"});
}

TEST(TimeLaunch, EveryCycleOfAWarpHasOneReason) {
  for (const auto& file : cases()) {
    SCOPED_TRACE(file.string());
    run::LoadedLaunch loaded = load(file);
    const LaunchTiming timing = time(loaded);
    ASSERT_FALSE(timing.stopped);
    timed::expect_cycles_add_up(timing);
  }
}

TEST(TimeLaunch, ComputesWhatTheExecutorComputes) {
  for (const auto& file : cases()) {
    SCOPED_TRACE(file.string());
    run::LoadedLaunch clocked = load(file), plain = load(file);
    const LaunchTiming timing = time(clocked);
    const auto simulated = simulate(h200(), *plain.program, plain.launch);
    ASSERT_TRUE(simulated) << simulated.error();
    // Its warps add to a word of 64 bits in shared memory by compare-and-swap: how often they try depends on time.
    if (file.parent_path().filename() == "cluster_reduction")
      EXPECT_NEAR(static_cast<double>(timing.warp_instructions),
                  static_cast<double>(simulated->counters.warp_instructions),
                  0.1 * static_cast<double>(simulated->counters.warp_instructions));
    else
      EXPECT_EQ(timing.warp_instructions, simulated->counters.warp_instructions);
    timed::expect_same_buffers(clocked, plain);
  }
}

TEST(TimeLaunch, ThreadsThatWaitInLoopsGoOn) {
  for (const auto& file : polling_cases()) {
    SCOPED_TRACE(file.string());
    run::LoadedLaunch clocked = load(file), plain = load(file);
    EXPECT_FALSE(time(clocked).stopped);
    ASSERT_TRUE(simulate(h200(), *plain.program, plain.launch));
    timed::expect_same_buffers(clocked, plain);
  }
}

TEST(TimeLaunch, TheNumberOfHostThreadsChangesNothing) {
  for (const auto& file : cases()) {
    SCOPED_TRACE(file.string());
    run::LoadedLaunch one = load(file), three = load(file);
    TimingOptions options;
    options.threads = 3;
    timed::expect_same(time(one), time(three, options));
  }
}

TEST(TimeLaunch, SlowerMemoryTakesLonger) {
  run::LoadedLaunch fast = load(vecadd), slow = load(vecadd);
  Device device = h200();
  device.latency_memory.value = *device.latency_memory + 1000;
  const double difference = time(slow, {}, device).cycles - time(fast).cycles;
  EXPECT_GE(difference, 900) << "a load of every warp waits 1,000 cycles longer";
  EXPECT_LE(difference, 2100);
}

TEST(TimeLaunch, PoliciesChooseOtherWarpsButExecuteTheSame) {
  const std::filesystem::path file = matmul;
  run::LoadedLaunch first = load(file);
  const LaunchTiming youngest = time(first);
  for (const IssuePolicy policy : {IssuePolicy::greedy_then_oldest, IssuePolicy::loose_round_robin}) {
    run::LoadedLaunch again = load(file);
    TimingOptions options;
    options.policy = policy;
    const LaunchTiming timing = time(again, options);
    EXPECT_EQ(timing.warp_instructions, youngest.warp_instructions);
    EXPECT_NE(timing.stalls, youngest.stalls);
  }
}

TEST(TimeLaunch, WithoutLatencyHidingItTakesLonger) {
  const auto cycles = [](IssuePolicy policy) {
    run::LoadedLaunch loaded = load("validate/reference/timed/matmul16_256x256x256.json");
    TimingOptions options;
    options.policy = policy;
    const LaunchTiming timing = time(loaded, options);
    timed::expect_cycles_add_up(timing);
    return timing.cycles;
  };
  EXPECT_GT(cycles(IssuePolicy::one_at_a_time), 1.2 * cycles(IssuePolicy::greedy_then_youngest));
}

TEST(TimeLaunch, TheFirstCyclesOfALaunchAddUpToo) {
  run::LoadedLaunch loaded = load("validate/reference/timed/matmul16_256x256x256.json");
  TimingOptions options;
  options.max_warp_instructions = 20'000;
  const LaunchTiming timing = time(loaded, options);
  EXPECT_TRUE(timing.cut);
  EXPECT_GE(timing.warp_instructions, 20'000u);
  timed::expect_cycles_add_up(timing);
}

TEST(TimeLaunch, CanBeCancelled) {
  run::LoadedLaunch loaded = load(matmul);
  std::atomic<bool> cancel = true;
  TimingOptions options;
  options.cancel = &cancel;
  EXPECT_TRUE(time(loaded, options).cancelled);
}

TEST(TimeLaunch, ADeviceWithoutTimingParametersHasNoCycles) {
  run::LoadedLaunch loaded = load(matmul);
  Device device = h200();
  device.latency_xu = {};
  const auto timed = time_launch(device, *loaded.program, loaded.launch);
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error(), "the description of NVIDIA H200 has no latency_xu, so there are no cycles");
}

}  // namespace
}  // namespace warpwalk::gpu
