#include "instrumentation/nvml_sampler.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "core/platform/process_name.h"
#include "tests/app/program.h"

namespace warpwalk::instrumentation {
namespace {

using namespace std::chrono_literals;

bool comes_true(const std::function<bool()>& what) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!what() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  return what();
}

std::size_t points(const NvmlSampler& sampler) {
  const auto watch = sampler.snapshot();
  return watch->gpus.empty() ? 0 : watch->gpus[0].points.size();
}

TEST(NvmlSampler, SamplesUntilItIsStoppedAndForgets) {
  NvmlSampler sampler({.library = WARPWALK_FAKE_NVML, .interval = 5ms});
  EXPECT_FALSE(sampler.sampling());
  EXPECT_TRUE(sampler.snapshot()->gpus.empty());
  sampler.start();
  ASSERT_TRUE(comes_true([&] { return points(sampler) >= 4; }));
  const auto seen = sampler.snapshot();
  ASSERT_EQ(seen->gpus.size(), 2u);
  EXPECT_EQ(seen->error, "");
  EXPECT_EQ(seen->gpus[0].now.name, "Test GPU 0");
  EXPECT_EQ(seen->gpus[0].points.back().busy_pct, 87u);
  EXPECT_EQ(seen->gpus[0].points.back().power_mw, 123'456u);
  EXPECT_FALSE(seen->gpus[1].points.back().busy_pct);
  EXPECT_EQ(seen->gpus[1].points.back().memory_used, 1'000'000'000u);
  EXPECT_EQ(seen->gpus[0].points.back().at, seen->at);
  EXPECT_TRUE(std::ranges::is_sorted(seen->gpus[0].points, {}, &GpuHistoryPoint::at));
  sampler.stop();
  EXPECT_FALSE(sampler.sampling());
  std::this_thread::sleep_for(30ms);
  EXPECT_TRUE(sampler.snapshot()->gpus.empty());  // a sample in progress is discarded too
  EXPECT_EQ(seen->gpus[0].now.name, "Test GPU 0");
  sampler.start();
  ASSERT_TRUE(comes_true([&] { return points(sampler) >= 1; }));
}

TEST(NvmlSampler, StartsOnTopOfAStopAreNotMistakenForOne) {
  NvmlSampler sampler({.library = WARPWALK_FAKE_NVML, .interval = 1h});
  for (int i = 0; i < 50; ++i) {
    sampler.start();
    sampler.start();
    sampler.stop();
  }
  sampler.start();
  ASSERT_TRUE(comes_true([&] { return points(sampler) == 1; }));
}

TEST(NvmlSampler, KeepsNoMoreThanItsReach) {
  NvmlSampler sampler({.library = WARPWALK_FAKE_NVML, .interval = 20ms, .history = 1s});
  sampler.start();
  ASSERT_TRUE(comes_true([&] { return sampler.snapshot()->at > 1.5; }));
  const auto watch = sampler.snapshot();
  EXPECT_GE(watch->gpus[0].points.front().at, watch->at - 1);
  EXPECT_LE(watch->gpus[0].points.size(), 52u);  // sampled at the interval, not as fast as possible
  EXPECT_GE(watch->gpus[0].points.size(), 5u);
}

TEST(NvmlSampler, SaysWhyThereIsNone) {
  NvmlSampler sampler({.library = "libno-such-nvml.so.1"});
  sampler.start();
  ASSERT_TRUE(comes_true([&] { return !sampler.snapshot()->error.empty(); }));
  EXPECT_EQ(sampler.snapshot()->error, "libno-such-nvml.so.1 was not found; it comes with NVIDIA's driver");
  EXPECT_TRUE(sampler.sampling());
  sampler.stop();
  EXPECT_EQ(sampler.snapshot()->error, "");
}

TEST(ProcessName, OnlyWhereNumbersAreTheHosts) {
  const testing::Folder proc;
  std::filesystem::create_directories(proc.path() / "self" / "ns");
  std::filesystem::create_directories(proc.path() / "4711");
  proc.file("4711/comm", "python3\n");
  std::filesystem::create_symlink("pid:[4026531836]", proc.path() / "self/ns/pid");
  EXPECT_EQ(platform::process_name(4711, proc.path()), "python3");
  EXPECT_EQ(platform::process_name(4712, proc.path()), "");
  std::filesystem::remove(proc.path() / "self/ns/pid");
  std::filesystem::create_symlink("pid:[4026532208]", proc.path() / "self/ns/pid");
  EXPECT_EQ(platform::process_name(4711, proc.path()), "");
}

}  // namespace
}  // namespace warpwalk::instrumentation
