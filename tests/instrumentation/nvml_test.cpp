#include "instrumentation/nvml.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace warpwalk::instrumentation {
namespace {

TEST(Nvml, TwoGpusOneOfWhichTellsLittle) {
  const auto nvml = Nvml::open(WARPWALK_FAKE_NVML);
  ASSERT_TRUE(nvml) << nvml.error();
  const std::vector<GpuSample> gpus = (*nvml)->sample();
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].name, "Test GPU 0");
  EXPECT_EQ(gpus[0].busy_pct, 87u);
  EXPECT_EQ(gpus[0].memory_busy_pct, 12u);
  EXPECT_EQ(gpus[0].memory_used, 1'000'000'000u);
  EXPECT_EQ(gpus[0].memory_free, 149'000'000'000u);
  EXPECT_EQ(gpus[0].memory_total, 150'000'000'000u);
  EXPECT_EQ(gpus[0].sm_clock_mhz, 1980u);
  EXPECT_EQ(gpus[0].memory_clock_mhz, 3201u);
  EXPECT_EQ(gpus[0].power_mw, 123'456u);
  EXPECT_EQ(gpus[0].power_limit_mw, 700'000u);
  EXPECT_EQ(gpus[0].temperature_c, 41u);
  ASSERT_EQ(gpus[0].processes.size(), 40u);
  EXPECT_EQ(gpus[0].processes[0].pid, 1000u);
  EXPECT_FALSE(gpus[0].processes[0].bytes);
  EXPECT_EQ(gpus[0].processes[39].bytes, 39'000'000u);
  EXPECT_FALSE(gpus[1].busy_pct);
  EXPECT_FALSE(gpus[1].power_mw);
  EXPECT_EQ(gpus[1].temperature_c, 41u);
  EXPECT_TRUE(gpus[1].processes.empty());
}

TEST(Nvml, WhereThereIsNone) {
  EXPECT_EQ(Nvml::open("libno-such-nvml.so.1").error(),
            "libno-such-nvml.so.1 was not found; it comes with NVIDIA's driver");
  EXPECT_THAT(Nvml::open("libc.so.6").error(), ::testing::HasSubstr("lacks functions of NVML"));
}

// Label gpu: needs a real GPU.
TEST(NvmlGpu, ARealGpuTellsItsMemoryAndClock) {
  const auto nvml = Nvml::open();
  if (!nvml) GTEST_SKIP() << nvml.error();
  const std::vector<GpuSample> gpus = (*nvml)->sample();
  if (gpus.empty()) GTEST_SKIP() << "there is no GPU here";
  EXPECT_FALSE(gpus[0].name.empty());
  ASSERT_TRUE(gpus[0].memory_total && gpus[0].memory_used);
  EXPECT_GT(*gpus[0].memory_total, *gpus[0].memory_used);
  RecordProperty("gpu", gpus[0].name);
}

}  // namespace
}  // namespace warpwalk::instrumentation
