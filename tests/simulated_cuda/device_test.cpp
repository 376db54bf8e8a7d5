// A program on the simulated GPU, by the functions below CUDA's.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulated_cuda/gpu_of_tests.h"

namespace warpwalk::simulated {
namespace {

constexpr const char* add_one = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 steps = 3;
.const .align 4 .u32 summand = 1;
.visible .entry add_one(.param .u64 numbers, .param .u32 count) {
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [numbers];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  mul.wide.u32 %d2, %r2, 4;
  add.u64 %d1, %d1, %d2;
  ld.global.u32 %r3, [%d1];
  ld.const.u32 %r4, [summand];
  add.u32 %r3, %r3, %r4;
  st.global.u32 [%d1], %r3;
  atom.global.add.u32 %r5, [steps], 1;
  ret;
}
)";

Gpu& gpu() { return gpu_of_tests(); }

Copy copy(const void* from, const void* to, std::uint64_t bytes) {
  Copy made;
  made.from.address = reinterpret_cast<std::uint64_t>(from);
  made.to.address = reinterpret_cast<std::uint64_t>(to);
  made.extent[0] = bytes;
  return made;
}

const void* at(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

class SimulatedDevice : public testing::Test {
 protected:
  Error load() {
    Error error = Error::success;
    module_ = gpu().load(add_one, error);
    return error;
  }
  KernelLaunch launch(std::uint64_t numbers, std::uint32_t count) {
    KernelLaunch made;
    made.kernel = module_->kernel("add_one");
    made.shape.block = {32, 1, 1};
    void* arguments[] = {&numbers, &count};
    EXPECT_EQ(collect_arguments(*made.kernel, arguments, nullptr, made.arguments), Error::success);
    return made;
  }
  std::unique_ptr<Module> module_;
};

TEST_F(SimulatedDevice, RunsAKernelOnMemoryThatOutlivesIt) {
  ASSERT_EQ(load(), Error::success);
  Stream& stream = *gpu().streams.find(nullptr);
  const auto numbers = gpu().memory.allocate(MemoryKind::device, 40, "cudaMalloc");
  std::vector<std::uint32_t> host{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ASSERT_EQ(gpu().copy(copy(host.data(), at(numbers->address), 40), stream, true), Error::success);
  const std::uint32_t five = 5;
  ASSERT_EQ(gpu().copy(copy(&five, at(module_->variable("summand")->memory->address), 4), stream, true),
            Error::success);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(gpu().launch(launch(numbers->address, 10), stream), Error::success);
  ASSERT_EQ(gpu().copy(copy(at(numbers->address), host.data(), 40), stream, true), Error::success);
  EXPECT_EQ(host, (std::vector<std::uint32_t>{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
  std::uint32_t steps = 0;
  ASSERT_EQ(gpu().copy(copy(at(module_->variable("steps")->memory->address), &steps, 4), stream, true), Error::success);
  EXPECT_EQ(steps, 3 + 20);
}

// A load from memory takes an H200 about 400 cycles more than one from L2: 200 ns.
TEST_F(SimulatedDevice, ALaunchFindsInL2WhatEarlierWorkHasLeft) {
  ASSERT_EQ(load(), Error::success);
  Stream& stream = *gpu().streams.find(nullptr);
  const std::uint64_t bytes = 1 << 20;  // more than this GPU's L2 holds
  const auto numbers = gpu().memory.allocate(MemoryKind::device, 128, "cudaMalloc");
  const auto others = gpu().memory.allocate(MemoryKind::device, 4 * bytes, "cudaMalloc");
  const auto ns = [&] {
    EXPECT_EQ(gpu().launch(launch(numbers->address, 32), stream), Error::success);
    EXPECT_EQ(gpu().synchronize(), Error::success);
    return stream.last->end - stream.last->start;
  };
  ns();  // of the module's variables
  const std::int64_t again = ns();
  ASSERT_EQ(gpu().fill({.address = others->address, .width = 4 * bytes}, stream, false), Error::success);
  const std::int64_t after_others = ns();
  EXPECT_GT(after_others, again + 100);
  EXPECT_EQ(ns(), again);
  const std::vector<std::uint32_t> host(32);
  ASSERT_EQ(gpu().copy(copy(host.data(), at(numbers->address), 128), stream, true), Error::success);
  EXPECT_LT(ns(), after_others - 100);
}

TEST_F(SimulatedDevice, RefusesShapesThatAGpuRefuses) {
  ASSERT_EQ(load(), Error::success);
  KernelLaunch wrong = launch(0, 0);
  wrong.shape.block = {2048, 1, 1};
  EXPECT_EQ(gpu().check(wrong), Error::invalid_value);
  wrong = launch(0, 0);
  wrong.shape.dynamic_shared_bytes = 100'000;
  EXPECT_EQ(gpu().check(wrong), Error::invalid_value);
  wrong.kernel->attributes.max_dynamic_shared_bytes = 100'000;
  EXPECT_EQ(gpu().check(wrong), Error::success);
}

TEST_F(SimulatedDevice, RefusesCopiesThatLeaveTheirMemory) {
  Stream& stream = *gpu().streams.find(nullptr);
  const auto numbers = gpu().memory.allocate(MemoryKind::device, 40, "cudaMalloc");
  std::vector<std::uint32_t> host(20);
  EXPECT_EQ(gpu().copy(copy(host.data(), at(numbers->address), 44), stream, true), Error::invalid_value);
  EXPECT_EQ(gpu().copy(copy(host.data(), at(numbers->address + 8), 36), stream, true), Error::invalid_value);
}

TEST_F(SimulatedDevice, AnAddressOfNoMemoryEndsTheContext) {
  ASSERT_EQ(load(), Error::success);
  Stream& stream = *gpu().streams.find(nullptr);
  testing::internal::CaptureStderr();
  ASSERT_EQ(gpu().launch(launch(0x1234500, 1), stream), Error::success) << "errors of the kernel are found later";
  EXPECT_EQ(gpu().synchronize(), Error::illegal_address);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("add_one"), std::string::npos);
  EXPECT_EQ(gpu().queue.error(), Error::illegal_address);
  gpu().queue.reset();
}

}  // namespace
}  // namespace warpwalk::simulated
