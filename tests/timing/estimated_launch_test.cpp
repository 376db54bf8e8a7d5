// Programs without machine code on the timing model.
#include <algorithm>
#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "core/gpu/exec/program.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

using timed::h200;
using timed::tests;
using timed::time;

run::LoadedLaunch load_code(const std::filesystem::path& file, run::CodeChoice code = run::CodeChoice::ptx) {
  run::LoadOptions options;
  options.code = code;
  auto loaded = run::load_launch(tests() / file, h200(), options);
  if (!loaded) throw std::runtime_error(loaded.error());
  return std::move(*loaded);
}

/// The number of instructions depends on the time: warps wait for one another in loops, repeat an atomic, read a clock,
/// or (indirect_calls) call functions one after another.
bool depends_on_time(const std::string& name) {
  constexpr std::array<std::string_view, 17> names = {
      "cooperative_reduction", "cooperative_passes", "scan_lookback",        "spin_lock",        "last_block",
      "float_maximum_by_cas",  "wide_tiles",         "breadth_first_search", "cluster_messages", "async_pipeline",
      "tensor_pipeline",       "cooperative_tiles",  "atomic_scopes",        "atomics_64",       "special_registers",
      "volatile_shared",       "indirect_calls"};
  return std::ranges::find(names, name) != names.end();
}

class EstimatedCase : public ::testing::TestWithParam<std::string> {};

TEST_P(EstimatedCase, ComputesAndCountsWhatTheExecutorDoes) {
  const std::filesystem::path file = std::filesystem::path("cases") / GetParam() / "launch.json";
  run::LoadedLaunch clocked = load_code(file), plain = load_code(file);
  const LaunchTiming timing = time(clocked);
  ASSERT_FALSE(timing.stopped);
  EXPECT_TRUE(timing.estimated);
  const auto simulated = simulate(h200(), *plain.program, plain.launch);
  ASSERT_TRUE(simulated) << simulated.error();
  timed::expect_same_buffers(clocked, plain);
  const Counters& counters = simulated->counters;
  if (!depends_on_time(GetParam())) {
    EXPECT_EQ(timing.warp_instructions, counters.warp_instructions);
    EXPECT_EQ(timing.thread_instructions, counters.thread_instructions);
  }
  EXPECT_EQ(timing.stalls_by_instruction.size(), clocked.program->sources.size());
  timed::expect_cycles_add_up(timing);
}

INSTANTIATE_TEST_SUITE_P(Cases, EstimatedCase, ::testing::ValuesIn(timed::case_names()),
                         [](const auto& which) { return which.param; });

std::filesystem::path reference(const std::string& name) {
  return std::filesystem::path("validate/reference/timed") / (name + ".json");
}

// A loose check: how close the estimate comes is in docs/timing.md.
TEST(EstimatedLaunch, TakesAboutAsLongAsTheMachineCode) {
  for (const char* const name :
       {"vecadd_262144", "relu_1048576", "matmul16_128x128x128", "matmul16_256x256x256", "transpose_shared_1024",
        "transpose_naive_1024", "reduce_1048576", "divergent_1048576"}) {
    run::LoadedLaunch ptx = load_code(reference(name)),
                      machine_code = load_code(reference(name), run::CodeChoice::sass);
    const LaunchTiming estimated = time(ptx), exact = time(machine_code);
    EXPECT_FALSE(exact.estimated);
    const double ratio = (estimated.cycles - estimated.launch_cost) / (exact.cycles - exact.launch_cost);
    EXPECT_GT(ratio, 0.5) << name;
    EXPECT_LT(ratio, 2) << name;
  }
}

TEST(EstimatedLaunch, DoesNotDependOnHostThreads) {
  for (const char* const name : {"matmul16_128x128x128", "vecadd_262144", "divergent_1048576"}) {
    run::LoadedLaunch one = load_code(reference(name)), three = load_code(reference(name));
    TimingOptions options;
    options.threads = 3;
    timed::expect_same(time(one), time(three, options));
  }
}

TEST(EstimatedLaunch, PoliciesChooseOtherWarpsButExecuteTheSame) {
  run::LoadedLaunch first = load_code(reference("matmul16_128x128x128"));
  const LaunchTiming youngest = time(first);
  for (const IssuePolicy policy : {IssuePolicy::greedy_then_oldest, IssuePolicy::loose_round_robin}) {
    run::LoadedLaunch again = load_code(reference("matmul16_128x128x128"));
    TimingOptions options;
    options.policy = policy;
    const LaunchTiming timing = time(again, options);
    EXPECT_EQ(timing.warp_instructions, youngest.warp_instructions);
    EXPECT_NE(timing.stalls, youngest.stalls);
  }
}

}  // namespace
}  // namespace warpwalk::gpu
