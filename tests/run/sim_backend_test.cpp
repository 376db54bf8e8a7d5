// The simulated GPU as memory and launcher: addresses, adjacent blocks, findings.
#include <cstring>
#include <functional>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/exec/address_space.h"
#include "core/run/expression/sim_memory.h"
#include "tests/run/sim_library.h"

namespace warpwalk::run {
namespace {

using ops::DeviceKind;
using ops::DType;
using ops::OpError;
using ops::Tensor;
using warpwalk::testing::SimLibrary;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

std::string thrown(const std::function<void()>& act) {
  try {
    act();
  } catch (const OpError& error) {
    return error.what();
  }
  return "";
}

TEST(SimDriver, HandsOutSegmentsInARowAndTakesGapsAgain) {
  SimDriver driver(100 * mib);
  EXPECT_EQ(driver.allocate(2 * mib), gpu::buffers_base);
  EXPECT_EQ(driver.allocate(20 * mib), gpu::buffers_base + 2 * mib);
  EXPECT_EQ(driver.allocate(2 * mib), gpu::buffers_base + 22 * mib);
  driver.free(gpu::buffers_base + 2 * mib, 20 * mib);
  EXPECT_EQ(driver.allocate(30 * mib), gpu::buffers_base + 24 * mib);
  EXPECT_EQ(driver.allocate(4 * mib), gpu::buffers_base + 2 * mib);
  EXPECT_FALSE(driver.allocate(100 * mib));
}

TEST(SimMemory, KeepsBytesByBlockAndRefusesWhatReachesBeyond) {
  SimMemory memory(100 * mib, nullptr);
  const std::uint64_t a = memory.allocate(512), b = memory.allocate(100);
  EXPECT_EQ(b, a + 512);  // directly adjacent, as with PyTorch's allocator
  const std::vector<std::uint8_t> bytes(100, 7);
  EXPECT_FALSE(memory.find(b).block->written);
  memory.write(b, bytes);
  EXPECT_TRUE(memory.find(b).block->written);
  std::vector<std::uint8_t> back(60);
  memory.read(b + 40, back);
  EXPECT_EQ(back, std::vector<std::uint8_t>(60, 7));
  EXPECT_NE(thrown([&] { memory.read(b + 41, back); }), "");
  EXPECT_NE(thrown([&] { memory.write(a + 500, bytes); }), "");
  memory.free(b);
  EXPECT_NE(thrown([&] { memory.read(b, back); }), "");
  EXPECT_EQ(memory.allocate(0), 0u);
}

TEST(SimMemory, SaysWhenTheDeviceIsFull) {
  SimMemory memory(64 * mib, nullptr);
  EXPECT_NE(thrown([&] { memory.allocate(100 * mib); }), "");
  EXPECT_NE(memory.allocate(60 * mib), 0u);
}

Tensor on_gpu(SimLibrary& library, const std::vector<float>& values) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return library.make(DeviceKind::cuda, DType::f32, {static_cast<std::int64_t>(values.size())},
                      {bytes, 4 * values.size()});
}

TEST(SimBackend, KernelsSeeTheAllocatorsAddresses) {
  SimLibrary library;
  const Tensor x = on_gpu(library, std::vector<float>(128, -1.0f));
  const Tensor y = library.dispatcher.call("aten::relu", {x});
  EXPECT_EQ(x.address(), gpu::buffers_base);
  EXPECT_EQ(y.address(), gpu::buffers_base + 512);
  EXPECT_EQ(ops::values_of(y), std::vector<double>(128, 0.0));
  EXPECT_EQ(library.entries, std::vector<std::string>{"relu"});
  EXPECT_EQ(library.sim().allocator().allocated(), 1024u);
}

TEST(SimBackend, ReadsOfWhatNobodyWroteAreFound) {
  SimLibrary library;
  const Tensor x = library.dispatcher.call("aten::empty.memory_format", {ops::Sizes{64}, DType::f32, std::int64_t{1}});
  EXPECT_THAT(thrown([&] { library.dispatcher.call("aten::neg", {x}); }),
              ::testing::HasSubstr("neither the host nor a kernel has written"));
  library.dispatcher.call("aten::fill_.Scalar", {x, 2.0});
  const Tensor y = library.dispatcher.call("aten::neg", {x});
  EXPECT_EQ(ops::values_of(y), std::vector<double>(64, -2.0));
}

PlannedLaunch relu_of(std::int32_t n) {
  PlannedLaunch launch;
  launch.module = launch.entry = "relu";
  launch.grid = {1, 1, 1};
  launch.block = {256, 1, 1};
  std::vector<std::uint8_t> bytes(4);
  std::memcpy(bytes.data(), &n, 4);
  launch.arguments = {{0, "", {}}, {1, "", {}}, {-1, "i32", bytes}};
  return launch;
}

TEST(SimBackend, OutOfBoundsIsJudgedByBlock) {
  SimLibrary library;
  const Tensor x = on_gpu(library, std::vector<float>(100, 1.0f)), between = on_gpu(library, {5.0f});
  const Tensor y = on_gpu(library, std::vector<float>(128, 3.0f)), after = on_gpu(library, std::vector<float>(9, 4.0f));
  // The kernel gets a count of 110 for 100 elements, which would fit in the allocator's rounding to 512 bytes.
  EXPECT_THAT(thrown([&] {
                library.sim().launch(relu_of(110), std::array{x, y});
              }),
              ::testing::HasSubstr("past the end of"));
  // 130 elements in y's 128: the next two words belong to another tensor that is not an argument of the launch.
  EXPECT_THAT(thrown([&] {
                library.sim().launch(relu_of(130), std::array{y, on_gpu(library, std::vector<float>(200))});
              }),
              ::testing::HasSubstr("just past the end of"));
  EXPECT_EQ(ops::values_of(between), std::vector<double>{5.0});
  EXPECT_EQ(ops::values_of(after), std::vector<double>(9, 4.0));
  EXPECT_EQ(ops::values_of(x), std::vector<double>(100, 1.0));  // the bytes were restored
}

TEST(SimBackend, SaysWhichModuleIsMissing) {
  SimLibrary library;
  PlannedLaunch launch = relu_of(1);
  launch.module = "no_such_module";
  EXPECT_THAT(thrown([&] { library.sim().kernel(launch); }), ::testing::HasSubstr("no_such_module.ptx"));
  launch = relu_of(1);
  launch.entry = "no_such_entry";
  EXPECT_THAT(thrown([&] { library.sim().kernel(launch); }), ::testing::HasSubstr("no_such_entry"));
}

TEST(SimBackend, KernelsOfOneModuleShareIt) {
  SimLibrary library;
  PlannedLaunch launch;
  launch.module = "unary";
  launch.entry = "neg_f32";
  const SimKernel& neg = library.sim().kernel(launch);
  launch.entry = "exp_f64";
  const SimKernel& exp = library.sim().kernel(launch);
  EXPECT_EQ(neg.module, exp.module);
  EXPECT_NE(neg.program, exp.program);
  EXPECT_THAT(neg.source, ::testing::HasSubstr("template"));
  EXPECT_EQ(&library.sim().kernel(launch), &exp);
}

}  // namespace
}  // namespace warpwalk::run
