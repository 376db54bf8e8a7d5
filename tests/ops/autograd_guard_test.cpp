// Operations that autograd rejects, and operations that it does not record.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "tests/ops/autograd_cases.h"
#include "tests/ops/dispatcher_log.h"

namespace warpwalk::ops {
namespace {

class Guards : public testing::Test {
 protected:
  Guards() {
    register_library(dispatcher);
    register_cpu(dispatcher);
    register_autograd(dispatcher);
    dispatcher.set_memory(memory);
  }
  Tensor make(const Sizes& sizes, double first = 1) {
    std::vector<double> values(static_cast<std::size_t>(count_of(sizes)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<double>(i);
    return tensor_of(memory, DType::f64, sizes, values);
  }
  Tensor leaf(const Sizes& sizes, double first = 1) {
    Tensor tensor = make(sizes, first);
    set_requires_grad(tensor);
    return tensor;
  }
  Tensor call(std::string_view op, std::vector<Argument> arguments) {
    return dispatcher.call(op, std::move(arguments));
  }
  Tensor sum(const Tensor& tensor) { return call("aten::sum", {tensor}); }
  std::string backward_error(const Tensor& root, const Tensor& gradient = {}) {
    return error_of([&] { backward(dispatcher, root, gradient); });
  }

  Log log;
  CpuMemory memory;
  Dispatcher dispatcher{&log};
};

TEST_F(Guards, ASavedResultThatWasChangedInPlace) {
  const Tensor a = leaf({2, 3});
  const Tensor y = call("aten::exp", {a});
  call("aten::mul_.Tensor", {y, std::int64_t{2}});
  EXPECT_EQ(backward_error(sum(y)),
            "ExpBackward0 needs a tensor (2x3 f64) that the op saved at version 0, but in-place changes have made it "
            "version 1: change a clone of it, or run backward first");
  EXPECT_TRUE(log.closed());
}

TEST_F(Guards, ASavedInputThatWasChangedThroughAView) {
  const Tensor a = leaf({2, 3}), b = make({2, 3});
  const Tensor y = sum(call("aten::mul.Tensor", {a, b}));
  call("aten::zero_", {call("aten::select.int", {b, std::int64_t{0}, std::int64_t{1}})});
  EXPECT_EQ(b.version(), 1U);
  EXPECT_THAT(backward_error(y), ::testing::HasSubstr("MulBackward0 needs a tensor (2x3 f64)"));
}

TEST_F(Guards, AChangeOfWhatNobodySavedIsNoMatter) {
  const Tensor a = leaf({3}), b = make({3});
  const Tensor y = sum(call("aten::add.Tensor", {a, b}));
  call("aten::mul_.Tensor", {b, 0.5});
  EXPECT_EQ(backward_error(y), "");
  EXPECT_EQ(values_of(grad_of(a)), (std::vector<double>{1, 1, 1}));
}

TEST_F(Guards, VersionsCountChangesOfAllViewsTogether) {
  const Tensor a = make({2, 3});
  const Tensor view = call("aten::t", {a});
  call("aten::mul_.Tensor", {a, 2.0});
  call("aten::relu_", {view});
  call("aten::copy_", {view, make({3, 2})});
  EXPECT_EQ(a.version(), 3U);
  call("aten::zero_", {a});  // the nested fill_ does not count again
  EXPECT_EQ(view.version(), 4U);
  EXPECT_EQ(call("aten::clone", {a}).version(), 0U);
}

TEST_F(Guards, NothingIsRecordedWhileGradientsAreOff) {
  const Tensor a = leaf({3});
  {
    const NoGrad off(dispatcher);
    const Tensor y = sum(call("aten::exp", {a}));
    EXPECT_FALSE(requires_grad(y));
    EXPECT_EQ(backward_error(y),
              "backward has nothing to compute: no input of this result requires a gradient, or it was computed while "
              "gradients were off");
    for (const Log::Row& row : log.rows) EXPECT_EQ(row.sequence, -1);
    EXPECT_EQ(dispatcher.next_sequence(), 0);
    // The Autograd key is still in the key set, as in PyTorch, and its function redispatches.
    EXPECT_EQ(log.rows[0].steps[0].key, "AutogradCPU");
  }
  EXPECT_TRUE(dispatcher.grad_enabled());
  EXPECT_TRUE(requires_grad(call("aten::exp", {a})));
  EXPECT_EQ(dispatcher.next_sequence(), 1);
}

TEST_F(Guards, WithoutAnInputThatRequiresOneThereIsNoNode) {
  const Tensor y = call("aten::mul.Tensor", {make({3}), make({3})});
  EXPECT_FALSE(requires_grad(y));
  EXPECT_EQ(log.rows[0].sequence, 0);
  EXPECT_EQ(log.rows[0].recorded, -1);
  call("aten::mul.Tensor", {leaf({3}), make({3})});
  EXPECT_EQ(log.rows.back().depth, 1);  // aten::empty inside mul
  EXPECT_EQ(log.rows[log.rows.size() - 2].recorded, 0);
}

TEST_F(Guards, DetachedIsCutOff) {
  const Tensor a = leaf({3});
  EXPECT_FALSE(requires_grad(call("aten::detach", {call("aten::exp", {a})})));
}

TEST_F(Guards, TheWayBackIsTakenOnce) {
  const Tensor a = leaf({3});
  const Tensor y = sum(call("aten::exp", {a}));
  EXPECT_EQ(backward_error(y), "");
  EXPECT_EQ(backward_error(y),
            "SumBackward0 has already run and freed its saved tensors: backward can run only once per result; compute "
            "the result again");
}

TEST_F(Guards, WhatTheTapeSavedGoesOnTheWayBack) {
  const Tensor a = leaf({4, 4});
  const std::uint64_t before = memory.allocated();
  const Tensor y = sum(call("aten::exp", {call("aten::exp", {a})}));
  EXPECT_EQ(memory.allocated(), before + 2 * 128 + 64);
  backward(dispatcher, y);
  EXPECT_EQ(memory.allocated(), before + 64 + 128);  // the result and the gradient
}

TEST_F(Guards, NoTapeIsLeftWhereNoTensorIs) {
  const std::uint64_t before = memory.allocated();
  {
    const Tensor a = leaf({4, 4});
    const Tensor y = sum(call("aten::mm", {call("aten::relu", {a}), call("aten::t", {a})}));
    backward(dispatcher, y);
    const Tensor z = sum(call("aten::exp", {a}));
  }
  EXPECT_EQ(memory.allocated(), before);
}

TEST_F(Guards, GradientsAddUpAndAreNotShared) {
  const Tensor a = leaf({3}), b = leaf({3});
  const Tensor g = make({3});
  backward(dispatcher, call("aten::add.Tensor", {a, b}), g);
  EXPECT_NE(grad_of(a).storage(), grad_of(b).storage());
  EXPECT_NE(grad_of(a).storage(), g.storage());
  backward(dispatcher, call("aten::neg", {a}), make({3}, 10));
  EXPECT_EQ(values_of(grad_of(a)), (std::vector<double>{-9, -9, -9}));
  EXPECT_EQ(values_of(grad_of(b)), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(values_of(g), (std::vector<double>{1, 2, 3}));
}

// a + (a + b): gradients are accumulated into a while the same gradient tensor is still pending for b.
TEST_F(Guards, AGradientOnItsWayIsNotAddedTo) {
  const Tensor a = leaf({3}), b = leaf({3});
  const Tensor y = call("aten::add.Tensor", {a, call("aten::add.Tensor", {a, b})});
  backward(dispatcher, y, make({3}));
  EXPECT_EQ(values_of(grad_of(a)), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(values_of(grad_of(b)), (std::vector<double>{1, 2, 3}));
}

TEST_F(Guards, LaterOpsGoFirst) {
  const Tensor a = leaf({});
  const Tensor first = call("aten::exp", {a}), second = call("aten::neg", {a});
  const Tensor y = call("aten::add.Tensor", {second, first});
  log.rows.clear();
  backward(dispatcher, y);
  std::vector<std::string> nodes;
  for (const Log::Row& row : log.rows)
    if (row.name.starts_with("autograd::")) nodes.push_back(row.name.substr(row.name.find(": ") + 2));
  EXPECT_EQ(nodes, (std::vector<std::string>{"AddBackward0", "NegBackward0", "ExpBackward0",
                                             "torch::autograd::AccumulateGrad"}));
}

TEST_F(Guards, WhereToStart) {
  const Tensor a = leaf({3});
  const Tensor y = call("aten::exp", {a});
  EXPECT_EQ(
      backward_error(y),
      "the result is 3: only a result with a single element needs no initial gradient; give one, or take the sum");
  EXPECT_EQ(backward_error(y, make({2})),
            "the result is 3 and the initial gradient is 2: they must have the same sizes");
  backward(dispatcher, y, tensor_of(memory, DType::f32, {3}, {0, 0, 1}));
  EXPECT_EQ(grad_of(a).dtype(), DType::f64);
  const Tensor one = leaf({1});
  backward(dispatcher, one);
  EXPECT_EQ(values_of(grad_of(one)), (std::vector<double>{1}));
}

TEST_F(Guards, OnlyFloatingPointLeavesRequireAGradient) {
  Tensor whole = call("aten::zeros", {Sizes{2}, DType::i64, std::int64_t{0}});
  EXPECT_THAT(error_of([&] { set_requires_grad(whole); }),
              ::testing::HasSubstr("a tensor of i64 cannot require a gradient"));
  Tensor made = call("aten::exp", {leaf({2})});
  EXPECT_THAT(error_of([&] { set_requires_grad(made); }), ::testing::HasSubstr("ExpBackward0"));
  EXPECT_FALSE(requires_grad(call("aten::to.dtype", {leaf({2}), DType::i32})));
}

TEST_F(Guards, ChangesInPlaceThatWouldLoseGradients) {
  const Tensor a = leaf({2, 2}), b = make({2, 2});
  EXPECT_EQ(
      error_of([&] { call("aten::relu_", {a}); }),
      "aten::relu_: a leaf that requires a gradient cannot be changed in place: change it while gradients are off, "
      "or compute a new tensor");
  EXPECT_EQ(error_of([&] {
              call("aten::copy_", {call("aten::t", {b}), a});
            }),
            "aten::copy_: an in-place change of a view (2x2) is not recorded for backward: change the whole tensor, or "
            "compute a new one");
  const Tensor y = call("aten::exp", {a});
  const Tensor view = call("aten::t", {y});
  call("aten::mul_.Tensor", {y, 2.0});
  EXPECT_EQ(error_of([&] { call("aten::neg", {view}); }),
            "this view (2x2) was taken before its base was changed in place by MulBackward0: take the view again after "
            "the change");
  const Tensor whole = call("aten::zeros", {Sizes{2, 2}, DType::i64, std::int64_t{0}});
  EXPECT_THAT(error_of([&] {
                call("aten::copy_", {whole, a});
              }),
              ::testing::HasSubstr("a tensor of i64 cannot have one"));
  const NoGrad off(dispatcher);
  EXPECT_EQ(error_of([&] { call("aten::relu_", {a}); }), "");
}

TEST_F(Guards, AnErrorOnTheWayBackEndsItsRegions) {
  const Tensor a = leaf({2});
  dispatcher.add("aten::threshold_backward", Key::CPU, Registration::Kind::kernel, "fails",
                 [](Dispatcher&, const Call&) -> Tensor { throw OpError("no room"); });
  EXPECT_EQ(backward_error(sum(call("aten::relu", {a}))), "no room");
  EXPECT_TRUE(log.closed());
  EXPECT_TRUE(dispatcher.grad_enabled());
}

TEST_F(Guards, AGradientIsSummedDownOnlyToWhatCanBeBroadcastToIt) {
  const Tensor g = make({2, 3});
  EXPECT_EQ(values_of(summed_to(dispatcher, g, {3})), (std::vector<double>{5, 7, 9}));
  EXPECT_EQ(values_of(summed_to(dispatcher, g, {2, 1})), (std::vector<double>{6, 15}));
  EXPECT_EQ(values_of(summed_to(dispatcher, g, {})), (std::vector<double>{21}));
  EXPECT_TRUE(summed_to(dispatcher, g, {2, 3}).same_as(g));
  EXPECT_THROW(summed_to(dispatcher, g, {2}), OpError);
  EXPECT_THROW(summed_to(dispatcher, g, {1, 2, 3}), OpError);
}

}  // namespace
}  // namespace warpwalk::ops
