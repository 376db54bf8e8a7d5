#include "tests/timing/timed.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/module.h"
#include "tests/run/recorded_cubin.h"

namespace warpwalk::gpu::timed {

const std::filesystem::path& tests() {
  static const std::filesystem::path folder = WARPWALK_SOURCE_DIR "/tests";
  return folder;
}

const Device& h200() {
  static const Device device = *load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  return device;
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(tests() / "cases"))
    if (std::filesystem::exists(entry.path() / "launch.json")) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

run::LoadedLaunch load(const std::filesystem::path& file) {
  auto loaded = run::load_launch(tests() / file, h200());
  if (!loaded) throw std::runtime_error(loaded.error());
  auto& launch = *loaded;
  if (!launch.runs_machine_code()) {
    auto prepared =
        prepare_machine_code(warpwalk::testing::recorded_cubin(launch.module_file), entry_of(*launch.program).name);
    if (!prepared) throw std::runtime_error(prepared.error());
    launch.program = *prepared;
  }
  return std::move(launch);
}

LaunchTiming time(run::LoadedLaunch& loaded, const TimingOptions& options, const Device& device) {
  auto timed = time_launch(device, *loaded.program, loaded.launch, options);
  if (!timed) throw std::runtime_error(timed.error());
  return std::move(*timed);
}

void expect_cycles_add_up(const LaunchTiming& timing) {
  const auto sum = std::accumulate(timing.stalls.begin(), timing.stalls.end(), std::uint64_t{0});
  const double resident = timing.achieved_occupancy / 100 * 64 * timing.cycles_active * 132;
  EXPECT_NEAR(static_cast<double>(sum), resident, 1e-6 * resident);
  StallCycles by_instruction{};
  for (const StallCycles& part : timing.stalls_by_instruction)
    for (std::size_t i = 0; i < stall_reasons; ++i) by_instruction[i] += part[i];
  EXPECT_EQ(by_instruction, timing.stalls);
  EXPECT_EQ(timing.stalls[static_cast<std::size_t>(StallReason::selected)], timing.warp_instructions);
  EXPECT_LE(timing.warp_instructions, timing.slots_with_warp);
  EXPECT_LE(timing.slots_with_warp, timing.scheduler_cycles);
}

void expect_same(const LaunchTiming& a, const LaunchTiming& b) {
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.stalls, b.stalls);
  EXPECT_EQ(a.l2_hits, b.l2_hits);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.stalls_by_instruction, b.stalls_by_instruction);
}

void expect_same_buffers(const run::LoadedLaunch& a, const run::LoadedLaunch& b) {
  ASSERT_EQ(a.launch.buffers.size(), b.launch.buffers.size());
  for (std::size_t i = 0; i < a.launch.buffers.size(); ++i)
    EXPECT_EQ(a.launch.buffers[i].bytes, b.launch.buffers[i].bytes) << a.launch.buffers[i].name;
}

}  // namespace warpwalk::gpu::timed
