#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "tests/ops/autograd_cases.h"
#include "tests/ops/dispatcher_log.h"

// The name of the tests is also that of a type of warpwalk::ops.
namespace warpwalk::ops::autocast_tests {
namespace {

class Autocast : public testing::Test {
 protected:
  Autocast() {
    register_library(dispatcher);
    register_cpu(dispatcher);
    register_autograd(dispatcher);
    register_autocast(dispatcher, DType::f16);
    dispatcher.set_memory(memory);
  }
  Tensor ones(const Sizes& sizes) {
    return tensor_of(memory, DType::f32, sizes, std::vector<double>(static_cast<std::size_t>(count_of(sizes)), 1));
  }
  Log log;
  CpuMemory memory;
  Dispatcher dispatcher{&log};
};

// Compares with PyTorch's CUDA autocast for the same ops: types of results and gradients, and values to f16 precision.
TEST_F(Autocast, TypesArePyTorchs) {
  int cases = 0;
  for (const GradientCase& given : recorded().cases) {
    if (!given.autocast) continue;
    SCOPED_TRACE(given.name);
    std::vector<Tensor> tensors;
    {
      const Dispatcher::Guard on(dispatcher, KeySet(Key::AutocastCPU), {});
      tensors = given.evaluate(dispatcher, memory, DType::f32, true);
    }
    backward(dispatcher, tensors.back(), given.start(memory, tensors.back()));
    const auto expect = [](const Tensor& got, const RecordedTensor& want, const std::string& what) {
      ASSERT_TRUE(got.defined()) << what;
      EXPECT_EQ(name_of(got.dtype()), name_of(want.dtype)) << what;
      ASSERT_EQ(got.sizes(), want.sizes) << what;
      const std::vector<double> values = values_of(got);
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], want.values[i], 0.01 * std::max(1.0, std::abs(want.values[i]))) << what;
    };
    expect(tensors.back(), given.f32->result, "the result");
    for (std::size_t i = 0; i < given.inputs.size(); ++i)
      expect(grad_of(tensors[i]), given.f32->gradients[i].value(), fmt::format("gradient of input {}", i));
    ++cases;
  }
  EXPECT_GE(cases, 12);
}

TEST_F(Autocast, CastsOnceAndGoesOnWithoutItsKey) {
  const Tensor a = ones({2, 3}), b = ones({3, 2});
  const Dispatcher::Guard on(dispatcher, KeySet(Key::AutocastCPU), {});
  dispatcher.call("aten::mm", {a, b});
  ASSERT_FALSE(log.rows.empty());
  EXPECT_EQ(
      log.rows[0].way(),
      "AutocastCPU redispatch, AutogradCPU redispatch, ADInplaceOrView fallthrough, BackendSelect fallthrough, CPU "
      "kernel, CPU kernel");
  EXPECT_EQ(log.rows[0].steps[0].function, "casts inputs to f16");
  EXPECT_EQ(std::ranges::count(log.names(), "aten::_to_copy"), 2);
  log.rows.clear();
  dispatcher.call("aten::relu", {a});
  EXPECT_TRUE(log.rows[0].way().starts_with("AutocastCPU fallthrough, AutogradCPU redispatch"));
}

TEST_F(Autocast, OffWithoutItsKey) {
  EXPECT_EQ(dispatcher.call("aten::mm", {ones({2, 3}), ones({3, 2})}).dtype(), DType::f32);
}

TEST_F(Autocast, OnlyToTypesOfSixteenBits) {
  EXPECT_EQ(error_of([&] { register_autocast(dispatcher, DType::f64); }),
            "autocast to f64 is not supported: use f16 or bf16");
}

}  // namespace
}  // namespace warpwalk::ops::autocast_tests
