// Compares gradients, tapes and backward passes with PyTorch's, and gradients with finite differences.
#include "core/ops/dispatch/autograd.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/library/library.h"
#include "tests/ops/autograd_cases.h"
#include "tests/ops/dispatcher_log.h"
#include "tests/ops/pytorch_cases.h"

namespace warpwalk::ops {
namespace {

struct AutogradLibrary {
  explicit AutogradLibrary(Observer* observer = nullptr) : memory(observer), dispatcher(observer) {
    register_library(dispatcher);
    register_cpu(dispatcher);
    register_autograd(dispatcher);
    dispatcher.set_memory(memory);
  }
  CpuMemory memory;
  Dispatcher dispatcher;
};

// Relative tolerance per type: half a unit in the last place, times 8 because a few consecutive roundings differ.
double rounding_share(DType dtype) {
  switch (dtype) {
    case DType::f16: return 8 * 0x1p-11;
    case DType::bf16: return 8 * 0x1p-8;
    case DType::f32: return 8 * 0x1p-24;
    default: return 8 * 0x1p-53;
  }
}

// With cancellation, a sum's error is relative to its largest term; the tensor's largest value is used as an estimate.
void expect_near_record(const Tensor& got, const RecordedTensor& want, DType coarsest, const std::string& what) {
  ASSERT_TRUE(got.defined()) << what;
  EXPECT_EQ(name_of(got.dtype()), name_of(want.dtype)) << what;
  ASSERT_EQ(got.sizes(), want.sizes) << what;
  double largest = 1;
  for (const double value : want.values) largest = std::max(largest, std::abs(value));
  const std::vector<double> values = values_of(got);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], want.values[i], largest * std::max(rounding_share(coarsest), rounding_share(want.dtype)))
        << what << ", element " << i;
}

void check(const GradientCase& given, const GradientCase::Run& want, DType dtype) {
  AutogradLibrary library;
  const auto tensors = given.evaluate(library.dispatcher, library.memory, dtype, true);
  // If a tensor has a coarser type, its rounding affects all results.
  DType coarsest = dtype;
  for (const Tensor& tensor : tensors)
    if (rounding_share(tensor.dtype()) > rounding_share(coarsest)) coarsest = tensor.dtype();
  expect_near_record(tensors.back(), want.result, coarsest, "the result");
  std::vector<std::string> tape = given.tape;
  // PyTorch's matmul of a vector and a matrix squeezes its result in place (squeeze_); this library's does not.
  std::replace(tape.begin(), tape.end(), std::string("SqueezeBackward4"), std::string("SqueezeBackward1"));
  EXPECT_EQ(tape_of(tensors.back()), tape);
  backward(library.dispatcher, tensors.back(), given.start(library.memory, tensors.back()));
  for (std::size_t i = 0; i < given.inputs.size(); ++i) {
    if (want.gradients[i])
      expect_near_record(grad_of(tensors[i]), *want.gradients[i], coarsest, fmt::format("gradient of input {}", i));
    else
      EXPECT_FALSE(grad_of(tensors[i]).defined()) << "gradient of input " << i;
  }
}

TEST(Autograd, GradientsAndTapesArePyTorchs) {
  int cases = 0;
  for (const GradientCase& given : recorded().cases) {
    if (given.autocast) continue;
    SCOPED_TRACE(given.name);
    check(given, given.f64.value(), DType::f64);
    check(given, given.f32.value(), DType::f32);
    ++cases;
  }
  EXPECT_GE(cases, 130);
}

// Every op with a derivative must occur in a recorded case, here or in pytorch_test.cpp.
TEST(Autograd, EveryDerivativeIsHeldToPyTorchs) {
  AutogradLibrary library;
  std::set<std::string> called = ops_of_pytorch_cases();
  for (const GradientCase& given : recorded().cases)
    for (const auto& step : given.steps) called.insert(step.op);
  for (const auto& [name, op] : library.dispatcher.operators()) {
    const bool derived = op.table[static_cast<std::size_t>(Key::AutogradCPU)].kind != Registration::Kind::none;
    const bool through_another = name == "aten::view" || name == "aten::_unsafe_view";
    if (derived && !through_another) {
      EXPECT_TRUE(called.contains(name)) << name;
    }
  }
}

// Compares gradients with finite differences of sum(result * upstream) for each input element.
TEST(Autograd, GradientsAreThoseOfFiniteDifferences) {
  int compared = 0;
  for (const GradientCase& given : recorded().cases) {
    // Skip low-precision types and casts to them: their values change in coarse steps.
    const bool narrow = std::ranges::any_of(
        given.steps, [](const auto& step) { return step.op == "aten::to.dtype" || step.op == "aten::_to_copy"; });
    if (given.autocast || narrow || std::ranges::find(given.typed, true) != given.typed.end()) continue;
    SCOPED_TRACE(given.name);
    AutogradLibrary library;
    const auto loss = [&](const std::vector<std::vector<double>>& values) {
      const auto result =
          values_of(given.evaluate(library.dispatcher, library.memory, DType::f64, false, &values).back());
      double sum = 0;
      for (std::size_t i = 0; i < result.size(); ++i) sum += result[i] * given.upstream[i];
      return sum;
    };
    const auto tensors = given.evaluate(library.dispatcher, library.memory, DType::f64, true);
    backward(library.dispatcher, tensors.back(), given.start(library.memory, tensors.back()));
    std::vector<std::vector<double>> values;
    for (const RecordedTensor& input : given.inputs) values.push_back(input.values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Tensor gradient = grad_of(tensors[i]);
      const auto claimed = gradient.defined() ? values_of(gradient) : std::vector<double>(values[i].size());
      for (std::size_t e = 0; e < values[i].size(); ++e) {
        const double at = values[i][e], step = 1e-5;
        values[i][e] = at + step;
        const double above = loss(values);
        values[i][e] = at - step;
        const double below = loss(values);
        values[i][e] = at;
        // With a step of 1e-5, the error is about 1e-10 times the third derivative, plus the loss's rounding / 1e-5.
        const double slack = 1e-6 * std::max({1.0, std::abs(claimed[e]), std::abs(above)});
        EXPECT_NEAR((above - below) / (2 * step), claimed[e], slack) << "input " << i << ", element " << e;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 800);
}

// Compares with the rows of PyTorch's profiler: ops with sequence numbers, and the regions of the backward pass.
TEST(Autograd, TheWayBackIsToldAsPyTorchsProfilerTellsIt) {
  for (const RecordedProfile& profile : recorded().profiles) {
    SCOPED_TRACE(profile.name);
    Log log;
    AutogradLibrary library(&log);
    std::vector<Tensor> in;
    for (const Sizes& sizes : profile.inputs) {
      in.push_back(tensor_of(library.memory, DType::f32, sizes,
                             std::vector<double>(static_cast<std::size_t>(count_of(sizes)), 1)));
      set_requires_grad(in.back());
    }
    const auto call = [&](std::string_view op, std::vector<Argument> arguments) {
      return library.dispatcher.call(op, std::move(arguments));
    };
    Tensor result;
    if (profile.name == "relu(a @ b)")
      result = call("aten::relu", {call("aten::matmul", {in[0], in[1]})});
    else if (profile.name == "a * b + a")
      result = call("aten::add.Tensor", {call("aten::mul.Tensor", {in[0], in[1]}), in[0]});
    else if (profile.name == "a + b broadcast")
      result = call("aten::add.Tensor", {in[0], in[1]});
    else
      FAIL();
    backward(library.dispatcher, call("aten::sum", {result}));

    std::vector<RecordedProfile::Row> got, want = profile.rows;
    std::vector<bool> shown;  // per depth: whether the row's children are compared too
    for (const Log::Row& row : log.rows) {
      const auto depth = static_cast<std::size_t>(row.depth);
      shown.resize(depth);
      const bool region = row.name.find("::") == std::string::npos || row.name.find("autograd::") != std::string::npos;
      if (std::ranges::find(shown, false) == shown.end())
        got.push_back({row.depth, row.name.substr(0, row.name.find('.')), row.sequence});
      shown.push_back(region || row.name == "aten::matmul");
    }
    // PyTorch copies a gradient that it may not keep in two steps (new_empty_strided, copy_); this library clones it.
    for (std::size_t i = 0; i + 1 < want.size(); ++i)
      if (want[i].name == "aten::new_empty_strided") {
        want[i].name = "aten::clone";
        want.erase(want.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(got[i] == want[i]) << i << ": " << got[i].depth << " " << got[i].name << " " << got[i].sequence
                                     << ", PyTorch: " << want[i].depth << " " << want[i].name << " "
                                     << want[i].sequence;
    EXPECT_TRUE(log.closed());
  }
}

// PyTorch accepts dimensions 0 and -1 for a scalar.
TEST(Autograd, AScalarIsSummedOverTheDimensionThatItHasNot) {
  for (const bool keep : {false, true}) {
    AutogradLibrary library;
    const float seven = 7;
    Tensor x = tensor_from(library.memory, DType::f32, {}, {reinterpret_cast<const std::uint8_t*>(&seven), 4});
    set_requires_grad(x);
    backward(library.dispatcher, library.dispatcher.call("aten::sum.dim_IntList", {x, Sizes{-1}, keep}));
    EXPECT_EQ(values_of(grad_of(x)), std::vector<double>{1});
  }
}

// b is used twice. Its gradients are empty: empty sums, expanded with stride 0.
TEST(Autograd, GradientsWithoutElementsAreAdded) {
  AutogradLibrary library;
  Tensor b = tensor_from(library.memory, DType::f32, {0, 4}, {});
  set_requires_grad(b);
  const auto call = [&](std::string_view op, std::vector<Argument> arguments) {
    return library.dispatcher.call(op, std::move(arguments));
  };
  backward(library.dispatcher,
           call("aten::sum", {call("aten::div.Tensor", {b, call("aten::add.Tensor", {b, call("aten::sum", {b})})})}));
  EXPECT_EQ(grad_of(b).sizes(), (Sizes{0, 4}));
}

}  // namespace
}  // namespace warpwalk::ops
