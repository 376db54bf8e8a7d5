// Every function and operator that has a file in pytorch/ against PyTorch: what is refused, types, sizes, elements,
// gradients, autocast; and gradients against finite differences. Expressions go the whole way from their text.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "tests/ops/autograd_cases.h"
#include "tests/ops/pytorch_cases.h"

namespace warpwalk::ops {
namespace {

class CaseRun {
 public:
  explicit CaseRun(const PyTorchCase& given) : given_(given) {
    register_library(dispatcher_);
    register_cpu(dispatcher_);
    register_autograd(dispatcher_);
    dispatcher_.set_memory(memory_);
    if (!given.autocast) return;
    register_autocast(dispatcher_, *given.autocast);
    autocast_.emplace(dispatcher_, KeySet(Key::AutocastCPU), KeySet());
  }

  /// The result, or the line with which it was refused.
  std::variant<Tensor, std::string> result(const std::vector<std::vector<double>>& contents, bool gradients) {
    auto parsed = Expression::parse(given_.text);
    if (const auto* const error = std::get_if<ExpressionError>(&parsed)) return "parse: " + error->message;
    const auto& expression = std::get<Expression>(parsed);
    const auto checked = check(expression, given_.inputs);
    if (const auto* const error = std::get_if<ExpressionError>(&checked)) return error->message;
    inputs.clear();
    std::vector<Tensor> named;
    for (std::size_t i = 0; i < given_.inputs.size(); ++i) {
      const Variable& input = given_.inputs[i];
      inputs.push_back(tensor_from(memory_, input.dtype, input.sizes, bytes(input.dtype, contents[i])));
      if (gradients && is_float(input.dtype)) set_requires_grad(inputs.back());
    }
    for (const std::string& name : expression.names())
      named.push_back(inputs[static_cast<std::size_t>(std::ranges::find(given_.inputs, name, &Variable::name) -
                                                      given_.inputs.begin())]);
    try {
      Tensor result = evaluate(expression, dispatcher_, named);
      EXPECT_EQ(result.sizes(), std::get<Variable>(checked).sizes) << "the check promised other sizes";
      if (!given_.autocast) {
        EXPECT_EQ(name_of(result.dtype()), name_of(std::get<Variable>(checked).dtype))
            << "the check promised another type";
      }
      return result;
    } catch (const OpError& error) {
      return "computing: " + std::string(error.what());
    }
  }

  void go_back(const Tensor& result) {
    const std::vector<double> upstream = upstream_of(result.sizes());
    backward(dispatcher_, result, tensor_of(memory_, result.dtype(), result.sizes(), upstream));
  }

 private:
  static std::vector<std::uint8_t> bytes(DType dtype, const std::vector<double>& values) {
    std::vector<std::uint8_t> out;
    for (const double value : values) {
      const std::uint64_t bits =
          is_float(dtype) ? float_bits(dtype, value) : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
      for (std::size_t b = 0; b < bytes_of(dtype); ++b) out.push_back(static_cast<std::uint8_t>(bits >> 8 * b));
    }
    return out;
  }

  const PyTorchCase& given_;
  CpuMemory memory_;
  Dispatcher dispatcher_;
  std::optional<Dispatcher::Guard> autocast_;

 public:
  std::vector<Tensor> inputs;  // goes before the memory
};

std::vector<std::vector<double>> contents_of(const PyTorchCase& given) {
  std::vector<std::vector<double>> contents;
  for (std::size_t i = 0; i < given.inputs.size(); ++i) contents.push_back(given.contents(i));
  return contents;
}

/// The coarsest type that takes part.
DType coarsest(const PyTorchCase& given, DType result) {
  DType worst = given.autocast.value_or(result);
  for (const Variable& input : given.inputs)
    if (is_float(input.dtype) &&
        (!is_float(worst) || bytes_of(input.dtype) < bytes_of(worst) || input.dtype == DType::bf16))
      worst = input.dtype;
  return worst;
}

/// Eight roundings in the type, which PyTorch may do in another order.
double eight_roundings(DType dtype) {
  switch (dtype) {
    case DType::f16: return 8 * 0x1p-11;
    case DType::bf16: return 8 * 0x1p-8;
    case DType::f32: return 8 * 0x1p-24;
    case DType::f64: return 8 * 0x1p-53;
    default: return 0;
  }
}

void expect_near(const std::vector<double>& got, const std::vector<double>& want, double allowed_share,
                 const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  double largest = 1;
  for (const double value : want)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i]) || std::isinf(want[i]))
      EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(got[i]) : got[i] == want[i])
          << what << ", element " << i << ": " << got[i] << ", PyTorch has " << want[i];
    else
      EXPECT_NEAR(got[i], want[i], std::min(largest, std::max(1.0, 8 * std::abs(want[i]))) * allowed_share)
          << what << ", element " << i;
  }
}

TEST(PyTorch, ResultsAndGradientsAreItsOwn) {
  for (const PyTorchCase& given : pytorch_cases()) {
    SCOPED_TRACE(given.name());
    CaseRun run(given);
    const auto outcome = run.result(contents_of(given), true);
    const auto* const line = std::get_if<std::string>(&outcome);
    EXPECT_EQ(line != nullptr, given.want.refused) << (line != nullptr ? *line : "PyTorch: " + given.want.error);
    if (line != nullptr || given.want.refused) {
      if (line != nullptr) {
        EXPECT_FALSE(line->starts_with("parse")) << *line;
        EXPECT_THAT(*line, ::testing::Not(::testing::HasSubstr("\n")));
      }
      continue;
    }
    const Tensor& result = std::get<Tensor>(outcome);
    EXPECT_EQ(name_of(result.dtype()), name_of(given.want.dtype));
    EXPECT_EQ(result.sizes(), given.want.sizes);
    const double allowed = given.slack * eight_roundings(coarsest(given, given.want.dtype));
    expect_near(values_of(result), given.want.values, allowed, "the result");
    if (given.want.gradients.empty()) continue;
    std::vector<std::string> tape = given.want.tape;
    // PyTorch's matmul of a vector and a matrix squeezes its result in place.
    std::ranges::replace(tape, std::string("SqueezeBackward4"), std::string("SqueezeBackward1"));
    std::vector<std::string> made = tape_of(result);
    // Autocast tells PyTorch's softmax to compute in f32, and casts the input here.
    if (given.autocast)
      for (auto* const nodes : {&made, &tape}) std::erase(*nodes, "ToCopyBackward0");
    EXPECT_EQ(made, tape);
    run.go_back(result);
    for (std::size_t i = 0; i < run.inputs.size(); ++i) {
      const Tensor gradient = grad_of(run.inputs[i]);
      ASSERT_EQ(gradient.defined(), given.want.gradients[i].has_value()) << given.inputs[i].name;
      if (gradient.defined())
        expect_near(values_of(gradient), *given.want.gradients[i], allowed, "the gradient of " + given.inputs[i].name);
    }
  }
}

// The sum of result * upstream, as each input moves.
TEST(PyTorch, GradientsAreThoseOfFiniteDifferences) {
  int compared = 0;
  for (const PyTorchCase& given : pytorch_cases()) {
    const bool doubles = std::ranges::all_of(given.inputs, [](const Variable& v) { return v.dtype == DType::f64; });
    if (!doubles || given.values == "special" || given.want.refused || given.file == "max" || given.file == "maximum")
      continue;
    SCOPED_TRACE(given.name());
    CaseRun run(given);
    auto contents = contents_of(given);
    // Moves the values away from 0 and from whole numbers, because some functions are not differentiable there.
    for (auto& values : contents)
      for (double& value : values) value += 0.0625;
    const auto loss = [&] {
      const auto outcome = run.result(contents, false);
      const auto values = values_of(std::get<Tensor>(outcome));
      const auto upstream = upstream_of(std::get<Tensor>(outcome).sizes());
      double sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * upstream[i];
      return sum;
    };
    const auto outcome = run.result(contents, true);
    ASSERT_TRUE(std::holds_alternative<Tensor>(outcome)) << std::get<std::string>(outcome);
    run.go_back(std::get<Tensor>(outcome));
    const std::vector<Tensor> inputs = run.inputs;
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const std::vector<double> claimed = values_of(grad_of(inputs[t]));
      for (std::size_t e = 0; e < claimed.size(); ++e) {
        const double at = contents[t][e], step = 1e-5;
        contents[t][e] = at + step;
        const double above = loss();
        contents[t][e] = at - step;
        const double below = loss();
        contents[t][e] = at;
        if (std::isnan(above) || std::isnan(below)) continue;
        const double slack = 2e-6 * std::max({1.0, std::abs(claimed[e]), std::abs(above)});
        EXPECT_NEAR((above - below) / (2 * step), claimed[e], slack) << "input " << t << ", element " << e;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace warpwalk::ops
