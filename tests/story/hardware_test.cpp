#include "core/records/hardware.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/analysis/device_match.h"
#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/device/device_file.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using How = analysis::DeviceMatch::How;

TEST(Hardware, HoldsEveryShippedDescription) {
  EXPECT_GE(hardware().devices.size(), 7u);
  ASSERT_NE(hardware().find("h200"), nullptr);
  EXPECT_EQ(*hardware().find("h200")->sm_count, 132);
  EXPECT_EQ(hardware().find("nothing"), nullptr);
}

TEST(Hardware, AFolderWithoutDescriptionsIsSaid) {
  const auto [none, error] = records::load_hardware("/nowhere");
  ASSERT_TRUE(error);
  EXPECT_THAT(*error, ::testing::HasSubstr("/nowhere"));
}

TEST(HardwareMatch, TheSamplesRanOnTheDescribedH200) {
  for (const std::string_view name : sample_names) {
    const analysis::DeviceMatch match =
        analysis::device_of(sample(name), default_walk(sample(name)), hardware().devices);
    EXPECT_EQ(match.how, How::described) << name;
    ASSERT_TRUE(match.device);
    EXPECT_EQ(match.device->id, "h200");
    EXPECT_EQ(match.recorded, "NVIDIA H200");
  }
}

// Another Hopper than the described one: its own SM count and registers count, not the H200's.
TEST(HardwareMatch, AnotherGpuOfTheSameGenerationIsAdapted) {
  trace::Trace trace = trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/relu_matmul.json.gz").trace;
  trace::Device& device = trace.devices.front();
  device.name = trace.strings.intern("NVIDIA H100 PCIe");
  device.sms = 114;
  device.max_threads_per_sm = 1024;
  const analysis::DeviceMatch match = analysis::device_of(trace, default_walk(trace), hardware().devices);
  ASSERT_EQ(match.how, How::adapted);
  EXPECT_EQ(match.device->name, "NVIDIA H100 PCIe");
  EXPECT_EQ(*match.device->sm_count, 114);
  EXPECT_EQ(*match.device->warps_per_sm, 32);
  EXPECT_FALSE(match.device->gpcs);  // which SMs share a GPC was measured on another chip
  EXPECT_FALSE(gpu::consistency_error(*match.device));
  gpu::BlockNeeds needs;
  needs.threads = 1024;
  needs.registers = 16;
  EXPECT_EQ(gpu::occupancy_of(*match.device, needs).blocks_per_sm, 1);
}

TEST(HardwareMatch, WhatNobodyDescribesStaysUnknown) {
  trace::Trace trace = trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/relu_matmul.json.gz").trace;
  const Walk walk = default_walk(trace);
  trace.devices.front().name = trace.strings.intern("Some GPU");
  trace.devices.front().compute_major = 3;
  EXPECT_EQ(analysis::device_of(trace, walk, hardware().devices).how, How::unknown);
  trace.devices.front().compute_major = trace::absent;
  EXPECT_EQ(analysis::device_of(trace, walk, hardware().devices).how, How::unknown);
  trace.devices.clear();
  const analysis::DeviceMatch none = analysis::device_of(trace, walk, hardware().devices);
  EXPECT_EQ(none.how, How::unknown);
  EXPECT_EQ(none.recorded, "");
  EXPECT_EQ(analysis::device_of(trace, Walk{}, hardware().devices).how, How::unknown);
  EXPECT_EQ(analysis::device_of(sample("relu_matmul"), walk, Hardware{}.devices).how, How::unknown);
}

}  // namespace
}  // namespace warpwalk::story::testing
