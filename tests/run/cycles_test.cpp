// The second pass of a launch, which simulates its cycles.
#include "core/run/launch/cycles.h"

#include <cstring>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>

#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"
#include "tests/run/walk_runs.h"

namespace warpwalk::testing {
namespace {

using run::CyclesChoice;

/// 1000 of 1024 threads add: a[i] = i, b[i] = 2.
constexpr std::string_view timed_vecadd = R"({{
  "kernel": "vecadd", "ptx": "{0}/assets/ptx/vecadd.ptx", "cubin": "{0}/tests/exec/cubins/vecadd.cubin",
  "grid": [4, 1, 1], "block": [256, 1, 1],
  "args": [ {{"buffer": "a", "dtype": "f32", "count": 1000, "fill": "iota"}},
            {{"buffer": "b", "dtype": "f32", "count": 1000, "fill": 2}},
            {{"buffer": "c", "dtype": "f32", "count": 1000, "fill": 0}},
            {{"scalar": 1000, "dtype": "i32"}} ],
  "expect": {{ "b": {{"fill": 2}} }} }})";

run::LoadedLaunch loaded(const gpu::Device& device, run::CodeChoice code) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "cycles_test_launch.json";
  std::ofstream(file) << fmt::format(timed_vecadd, WARPWALK_SOURCE_DIR);
  run::LoadOptions options;
  options.code = code;
  auto launch = run::load_launch(file, device, options);
  if (!launch) throw std::runtime_error(launch.error());
  return std::move(*launch);
}

struct Timed {
  gpu::Device device = *gpu::load_device(assets() / "devices" / "h200.json");
  run::LoadedLaunch launch;
  run::LaunchResult result;

  explicit Timed(const run::CyclesOptions& cycles, run::CodeChoice code = run::CodeChoice::automatic)
      : launch(loaded(device, code)) {
    auto ran = run::run_launch(device, launch, {}, cycles);
    if (!ran) throw std::runtime_error(ran.error());
    result = std::move(*ran);
  }
};

// The result of the launch stays that of the first run: its outputs are still as expected.
TEST(CyclesPass, TimesALaunchOfMachineCode) {
  std::uint64_t done = 0, blocks = 0;
  run::CyclesOptions options{CyclesChoice::automatic};
  options.progress = [&](std::uint64_t d, std::uint64_t of) { done = d, blocks = of; };
  const Timed timed(options);
  EXPECT_TRUE(timed.result.good());
  float sum = 0;
  std::memcpy(&sum, timed.launch.launch.buffers[2].bytes.data() + 999 * sizeof sum, sizeof sum);
  EXPECT_EQ(sum, 1001);
  EXPECT_EQ(timed.result.cycles.missing, "");
  ASSERT_TRUE(timed.result.cycles.timing);
  const gpu::LaunchTiming& timing = *timed.result.cycles.timing;
  EXPECT_EQ(timing.warp_instructions, timed.result.simulation.counters.warp_instructions);
  EXPECT_EQ(timing.thread_instructions, timed.result.simulation.counters.thread_instructions);
  EXPECT_GT(timing.cycles, timing.launch_cost);
  EXPECT_GT(timing.cycles_active, 0);
  EXPECT_EQ(blocks, timing.sm.size());
  EXPECT_EQ(done, blocks);

  // Every cycle of a scheduler has one reason, every cycle of a resident warp too.
  const run::IssueSlots slots = run::issue_slots_of(timing);
  EXPECT_NEAR(slots.issued + slots.no_eligible_warp + slots.no_warp, 100, 1e-9);
  EXPECT_NEAR(run::ipc_of(timed.device, timing), slots.issued / 100 * 4, 0.01) << "four schedulers";
  const auto warp_cycles =
      static_cast<double>(std::accumulate(timing.stalls.begin(), timing.stalls.end(), std::uint64_t{0}));
  EXPECT_NEAR(timing.achieved_occupancy, 100 * warp_cycles / (timing.cycles_active * 132) / 64, 0.5);
  EXPECT_DOUBLE_EQ(run::seconds_of(timed.device, timing.cycles), timing.cycles / 1.98e9);
}

TEST(CyclesPass, OnlyIfAskedFor) {
  const Timed timed(run::CyclesOptions{});
  EXPECT_FALSE(timed.result.cycles.timing);
  EXPECT_EQ(timed.result.cycles.missing, "");
}

TEST(CyclesPass, TheLimitIsForAutomaticAlone) {
  run::CyclesOptions options{CyclesChoice::automatic};
  options.max_warp_instructions = 1;
  const Timed small(options);
  EXPECT_FALSE(small.result.cycles.timing);
  EXPECT_THAT(run::cycles_note(small.result.cycles), ::testing::HasSubstr("more than 1; --cycles on does it"))
      << small.result.cycles.missing;
  options.choice = CyclesChoice::on;
  EXPECT_TRUE(Timed(options).result.cycles.timing);
}

TEST(CyclesPass, EstimatesTheScheduleOfPtx) {
  const Timed ptx(run::CyclesOptions{CyclesChoice::on}, run::CodeChoice::ptx);
  const Timed machine_code(run::CyclesOptions{CyclesChoice::on});
  ASSERT_TRUE(ptx.result.cycles.timing);
  EXPECT_TRUE(ptx.result.cycles.timing->estimated);
  EXPECT_FALSE(machine_code.result.cycles.timing->estimated);
  EXPECT_THAT(run::report_text(ptx.device, ptx.launch, ptx.result),
              ::testing::HasSubstr("the schedule is estimated from PTX"));
  EXPECT_THAT(run::report_json(ptx.device, ptx.launch, ptx.result), ::testing::HasSubstr(R"("schedule": "estimated")"));
  EXPECT_THAT(run::report_json(machine_code.device, machine_code.launch, machine_code.result),
              ::testing::HasSubstr(R"("schedule": "machine code")"));
}

TEST(CyclesPass, AFaultOrACancellationEndsIt) {
  Timed timed(run::CyclesOptions{});
  gpu::Simulation simulation = timed.result.simulation;
  simulation.findings.emplace_back();
  for (const auto kind : {gpu::FindingKind::misaligned, gpu::FindingKind::bad_texture, gpu::FindingKind::trap}) {
    run::CyclesPass faulty(timed.device, *timed.launch.program, timed.launch.launch, {CyclesChoice::on});
    simulation.findings.front().kind = kind;
    EXPECT_EQ(faulty.run(simulation).missing, "an error in the kernel ends the launch (findings)");
  }

  // Findings that only the sanitizer reports do not end a launch on a real GPU.
  run::CyclesPass racing(timed.device, *timed.launch.program, timed.launch.launch, {CyclesChoice::on});
  simulation.findings.front().kind = gpu::FindingKind::shared_race;
  EXPECT_TRUE(racing.run(simulation).timing);

  const std::atomic<bool> cancel = true;
  run::CyclesOptions options{CyclesChoice::on};
  options.cancel = &cancel;
  run::CyclesPass cancelled(timed.device, *timed.launch.program, timed.launch.launch, options);
  const run::Cycles none = cancelled.run(timed.result.simulation);
  EXPECT_TRUE(none.cancelled);
  EXPECT_FALSE(none.timing);
}

TEST(CyclesWords, AreThoseOfTheOptions) {
  EXPECT_EQ(run::cycles_choice_of("auto"), CyclesChoice::automatic);
  EXPECT_EQ(run::cycles_choice_of("ON"), std::nullopt);
  for (const std::string_view name : {"greedy-youngest", "greedy-oldest", "round-robin", "one-at-a-time"}) {
    ASSERT_TRUE(run::issue_policy_of(name)) << name;
    EXPECT_EQ(run::name_of(*run::issue_policy_of(name)), name);
  }
  EXPECT_EQ(run::issue_policy_of("random"), std::nullopt);
}

}  // namespace
}  // namespace warpwalk::testing
