// The GPUs that were not measured: what a launch reaches must follow from the published rates of its GPU.
#include <cstring>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/gpu/timing/timing.h"
#include "core/platform/read_file.h"

namespace warpwalk::gpu {
namespace {

const std::filesystem::path repository = WARPWALK_SOURCE_DIR;

Device device_named(const std::string& id) {
  auto device = load_device(repository / "assets/devices" / (id + ".json"));
  if (!device) throw std::runtime_error(device.error());
  return *std::move(device);
}

/// "8.6": "sm_86"
std::string architecture_of(const Device& device) {
  const std::string& capability = *device.compute_capability;
  return "sm_" + capability.substr(0, 1) + capability.substr(2);
}

std::shared_ptr<const Program> kernel(const std::filesystem::path& cubin, const char* entry) {
  auto read = platform::read_compressed_file(repository / cubin);
  if (!read) throw std::runtime_error(read.error());
  auto prepared = prepare_machine_code(read->text, entry);
  if (!prepared) throw std::runtime_error(prepared.error());
  return *std::move(prepared);
}

Argument buffer(std::int32_t number) {
  Argument argument;
  argument.buffer = number;
  return argument;
}

template <class T>
Argument scalar(T value) {
  Argument argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

Buffer zeros(std::size_t bytes) {
  Buffer made;
  made.bytes.resize(bytes);
  return made;
}

LaunchTiming time(const Device& device, const Program& program, Launch& launch) {
  auto timed = time_launch(device, program, launch);
  if (!timed) throw std::runtime_error(timed.error());
  return std::move(*timed);
}

LaunchTiming time_fma(const Device& device, const char* entry, std::uint32_t blocks, std::uint32_t threads,
                      int rounds) {
  const auto program = kernel("tests/timing/cubins/fma_" + architecture_of(device) + ".cubin", entry);
  Launch launch;
  launch.grid[0] = blocks;
  launch.block[0] = threads;
  launch.buffers = {zeros(std::size_t{4} * blocks * threads)};
  launch.arguments = {buffer(0), scalar(0.5F), scalar(1.0F), scalar(rounds)};
  return time(device, *program, launch);
}

class OtherGpus : public ::testing::TestWithParam<const char*> {
 protected:
  const Device device_ = device_named(GetParam());
};

TEST_P(OtherGpus, HaveAllParametersOfTheTimingModel) {
  const auto timing = timing_of(device_);
  EXPECT_TRUE(timing) << timing.error();
}

TEST_P(OtherGpus, ADependentMultiplyAddTakesFourCycles) {
  constexpr int few = 8, many = 40;
  const double longer = time_fma(device_, "fma_chain", 1, 32, many).cycles;
  const double shorter = time_fma(device_, "fma_chain", 1, 32, few).cycles;
  // A round of 64 ends with a branch.
  EXPECT_NEAR((longer - shorter) / ((many - few) * 64), 4, 0.5);
}

TEST_P(OtherGpus, MultiplyAddsReachThePeak) {
  // Two lengths, so that the start and the end of the launch do not count.
  constexpr int few = 8, many = 24;
  constexpr std::uint32_t threads = 512;
  const auto sms = static_cast<std::uint32_t>(*device_.sm_count);
  const double longer = time_fma(device_, "fma_peak", sms, threads, many).cycles;
  const double shorter = time_fma(device_, "fma_peak", sms, threads, few).cycles;
  const double at_peak = threads * (many - few) * 64 / static_cast<double>(*device_.fp32_lanes);
  EXPECT_GT(at_peak / (longer - shorter), 0.85);
  EXPECT_LE(at_peak / (longer - shorter), 1);
}

TEST_P(OtherGpus, AVectorAdditionIsBoundByTheMemory) {
  constexpr std::uint32_t count = 1 << 21;
  const auto program = kernel("assets/cubin/" + architecture_of(device_) + "/vecadd.cubin.gz", "vecadd");
  Launch launch;
  launch.grid[0] = count / 256;
  launch.block[0] = 256;
  launch.buffers = {zeros(4 * count), zeros(4 * count), zeros(4 * count)};
  launch.arguments = {buffer(0), buffer(1), buffer(2), scalar(std::int32_t{count})};
  const LaunchTiming timing = time(device_, *program, launch);
  EXPECT_EQ(timing.dram_read_bytes, 8u * count);
  const double seconds = (timing.cycles - timing.launch_cost) / *device_.sm_clock;
  const double reached = static_cast<double>(timing.dram_read_bytes + timing.dram_write_bytes) / seconds;
  EXPECT_GT(reached / *device_.memory_bandwidth, 0.6);
  EXPECT_LE(reached / *device_.memory_bandwidth, 1);
}

INSTANTIATE_TEST_SUITE_P(Described, OtherGpus, ::testing::Values("a100", "rtx4090", "rtx3090", "t4"));

}  // namespace
}  // namespace warpwalk::gpu
