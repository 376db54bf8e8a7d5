// Large launches that the host computes: what they store, what of them is scaled, and what is simulated nevertheless.
#include <array>
#include <atomic>
#include <memory>

#include <gtest/gtest.h>

#include "instrumentation/simulated/device/host_computation.h"
#include "tests/simulated_cuda/gpu_of_tests.h"

namespace warpwalk::simulated {
namespace {

// y[i] += 3 x[i], by adding x[i] three times; the last block of a row stores half of its elements.
constexpr const char* add_thrice = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry add_thrice(.param .u64 x, .param .u64 y, .param .u32 count) {
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .f32 %f<3>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r2, %r3, %r4, %r2;
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  mul.wide.u32 %d3, %r2, 4;
  add.u64 %d1, %d1, %d3;
  add.u64 %d2, %d2, %d3;
  ld.global.f32 %f1, [%d1];
  ld.global.f32 %f2, [%d2];
  mov.u32 %r5, 0;
again:
  add.f32 %f2, %f2, %f1;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p, %r5, 3;
  @%p bra again;
  st.global.f32 [%d2], %f2;
  ret;
}
)";

constexpr std::uint32_t threads = 32, blocks = 2000, count = threads * blocks - threads / 2;

class HostLaunch : public testing::Test {
 protected:
  void SetUp() override {
    Error error = Error::success;
    module_ = gpu_of_tests().load(add_thrice, error);
    ASSERT_EQ(error, Error::success);
    for (auto& place : {&x_, &y_}) *place = gpu_of_tests().memory.allocate(MemoryKind::device, 4 * count, "cudaMalloc");
    for (std::uint32_t i = 0; i < count; ++i) x()[i] = static_cast<float>(i), y()[i] = 1;
  }
  float* x() const { return reinterpret_cast<float*>(x_->data); }
  float* y() const { return reinterpret_cast<float*>(y_->data); }

  /// Launches the kernel, whose result the host computes with `factor` instead of 3. Returns simulated ns.
  std::int64_t launch(float factor, bool knows_output = true, double tolerance = 1e-6) {
    KernelLaunch made;
    made.kernel = module_->kernel("add_thrice");
    made.shape.grid = {blocks, 1, 1};
    made.shape.block = {threads, 1, 1};
    std::uint64_t from = x_->address, to = y_->address;
    std::uint32_t number = count;
    void* arguments[] = {&from, &to, &number};
    EXPECT_EQ(collect_arguments(*made.kernel, arguments, nullptr, made.arguments), Error::success);
    const auto computation = std::make_shared<HostComputation>();
    computation->run = [=, this](HostRun& host) {
      ++computed_;
      const auto* const in = reinterpret_cast<const float*>(host.input(from, 4 * count));
      auto* const out =
          reinterpret_cast<float*>(host.output(to, knows_output ? 4 * count : 2 * count, StoredAs::f32, tolerance));
      const std::uint32_t known = knows_output ? count : count / 2;
      host.parallel(10, [&](std::size_t part) {
        for (std::uint32_t i = static_cast<std::uint32_t>(part); i < known; i += 10) out[i] += factor * in[i];
      });
      return true;
    };
    made.on_host = computation;
    Stream& stream = *gpu_of_tests().streams.find(nullptr);
    EXPECT_EQ(gpu_of_tests().launch(std::move(made), stream), Error::success);
    EXPECT_EQ(gpu_of_tests().synchronize(), Error::success);
    return stream.last->end - stream.last->start;
  }
  void expect_right() const {
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(y()[i], 1 + 3 * static_cast<float>(i)) << i;
  }

  std::unique_ptr<Module> module_;
  DeviceMemory::Place x_, y_;
  int computed_ = 0;
};

TEST_F(HostLaunch, StoresWhatTheHostComputesOnce) {
  launch(3);
  EXPECT_EQ(computed_, 1);
  expect_right();
}

TEST_F(HostLaunch, AResultThatSimulatedBlocksDoNotHaveIsReplaced) {
  launch(4);
  EXPECT_EQ(computed_, 1);
  expect_right();
}

TEST_F(HostLaunch, ADifferenceWithinTheToleranceIsKept) {
  launch(3.0001F, true, 1e-3);
  EXPECT_EQ(y()[1000], 1 + 3.0001F * 1000);
}

TEST_F(HostLaunch, AStoreOutsideTheOutputsIsFound) {
  launch(3, false);
  EXPECT_EQ(computed_, 1);
  expect_right();
}

TEST_F(HostLaunch, TakesAboutAsLongAsWhenAllBlocksAreSimulated) {
  const auto simulated = [&] {
    launch(4);  // which is simulated after all
    return launch(4);
  }();
  const auto computed = [&] {
    launch(3);
    return launch(3);
  }();
  EXPECT_NEAR(static_cast<double>(computed), static_cast<double>(simulated), 0.02 * static_cast<double>(simulated));
}

TEST(HostRunTest, GivesNoMemoryBeyondAnAllocation) {
  DeviceMemory memory(1 << 20, false);
  const auto place = memory.allocate(MemoryKind::device, 100, "cudaMalloc");
  const auto view = memory.view();
  HostRun host(*view, 2);
  EXPECT_EQ(host.input(place->address + 60, 40), place->data + 60);
  EXPECT_EQ(host.input(place->address + 60, 41), nullptr);
  EXPECT_EQ(host.output(place->address - 1, 1, StoredAs::bytes), nullptr);
  ASSERT_EQ(host.output(place->address, 50, StoredAs::bytes), place->data);
  EXPECT_EQ(host.output(place->address + 49, 2, StoredAs::bytes), nullptr) << "overlaps";
  place->data[3] = 7;
  host.exchange();
  EXPECT_EQ(place->data[3], 0);
  host.exchange();
  EXPECT_EQ(place->data[3], 7);
}

TEST(HostRunTest, RunsEachPartOnce) {
  const DeviceMemory::View view;
  const HostRun host(view, 3);
  std::array<std::atomic<int>, 100> runs{};
  host.parallel(runs.size(), [&](std::size_t i) { ++runs[i]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace warpwalk::simulated
