// Checks the final result and its gradients against the CPU's: accepts everything that the ops' error rules allow, and
// nothing else.
#include "core/run/check/whole_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include <gmock/gmock-matchers.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/float_format.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "core/run/check/check_rule.h"
#include "core/run/check/error_bounds.h"
#include "core/run/launch/seeded_inputs.h"
#include "tests/run/walk_runs.h"

namespace warpwalk::testing {
namespace {

using ops::DType;
using ops::Tensor;

/// The result of an expression on the CPU, followed by its gradients.
std::vector<Tensor> evaluated(const run::RunRequest& request, ops::Dispatcher& dispatcher) {
  const auto expression = std::get<ops::Expression>(ops::Expression::parse(request.expression));
  std::vector<Tensor> inputs;
  for (const std::string& name : expression.names())
    inputs.push_back(make_input(request, dispatcher, ops::DeviceKind::cpu, name).tensor);
  std::vector<Tensor> results = {evaluate(expression, dispatcher, inputs)};
  if (!request.gradients) return results;
  run::backward_from_sum(dispatcher, results[0]);
  for (const Tensor& input : inputs) results.push_back(grad_of(input));
  return results;
}

/// Registers CPU sums, products and exponentials with errors up to those allowed for a GPU, in either direction.
void register_erring(ops::Dispatcher& dispatcher, std::mt19937& random) {
  constexpr auto cpu = static_cast<std::size_t>(ops::Key::CPU);
  for (const std::string op : {"aten::mm", "aten::sum.dim_IntList", "aten::exp"}) {
    const ops::Registration known = dispatcher.find(op)->table[cpu];
    dispatcher.add(op, ops::Key::CPU, known.kind, known.name,
                   [&random, function = known.function](ops::Dispatcher& d, const ops::Call& call) {
                     const Tensor result = function(d, call);
                     std::vector<double> values = values_of(result);
                     const auto terms = run::terms_of(call.name(), call.arguments, result.count());
                     const run::CheckRule rule = run::rule_of(call.name(), result.dtype(), terms);
                     const double ulp = std::ldexp(1.0, 1 - ops::format_of(result.dtype()).digits);
                     std::uniform_int_distribution<int> either(-1, 1);
                     for (double& value : values) {
                       // |result| <= sum |terms|, so this error is within the rule, including rounding.
                       const double off = rule.kind == run::CheckRule::Kind::sums
                                              ? (rule.share + rule.rounding / 2) * std::abs(value)
                                              : 0.6 * static_cast<double>(rule.ulps) * ulp * value;
                       value += either(random) * off;
                     }
                     const Tensor spoilt =
                         tensor_from(result.storage()->memory(), DType::f64, result.sizes(),
                                     {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 8});
                     return d.call("aten::copy_", {result, spoilt});
                   });
  }
}

TEST(WholeCheck, BoundsHoldForEveryBackendThatKeepsToItsRules) {
  const std::string_view expressions[] = {"relu(a @ b)",
                                          "exp(a @ b) @ b.T",
                                          "sqrt(relu(a @ b) + 1) / (sum(b) + 9)",
                                          "sum(a * a, 1)[:, None] * (a @ b)",
                                          "(a @ b)[1:5, ::2] - 2 * exp(b[0, :4])",
                                          "-(exp(a) - 1 / (a.T @ a + 40)[0])"};
  std::mt19937 random(7);
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64})
    for (const std::string_view text : expressions) {
      std::vector<ops::Variable> inputs = {variable("a", {9, 12}, dtype)};
      if (text.find('b') != std::string_view::npos) inputs.push_back(variable("b", {12, 7}, dtype));
      auto wanted = request(std::string(text), inputs);
      wanted.gradients = true;
      ops::CpuMemory memory, other_memory;
      ops::Dispatcher dispatcher, other;
      for (auto [d, m] : {std::pair{&dispatcher, &memory}, {&other, &other_memory}}) {
        d->set_memory(*m);
        register_library(*d);
        register_cpu(*d);
        register_autograd(*d);
      }
      run::ErrorBounds bounds(dispatcher);
      register_erring(other, random);
      const auto here = evaluated(wanted, dispatcher), there = evaluated(wanted, other);
      double worst_share = 0;
      for (std::size_t r = 0; r < here.size(); ++r) {
        const std::vector<double> x = values_of(here[r]), y = values_of(there[r]), allowed = bounds.of(here[r]);
        for (std::size_t i = 0; i < x.size(); ++i) {
          const double error = allowed.empty() ? 0 : allowed[i];
          ASSERT_LE(std::abs(x[i] - y[i]), error) << text << " " << name_of(dtype) << " result " << r << " at " << i;
          if (error > 0) worst_share = std::max(worst_share, std::abs(x[i] - y[i]) / error);
        }
      }
      EXPECT_GT(worst_share, 0.01) << text << " " << name_of(dtype) << ": the bounds are idle";
    }
}

TEST(WholeCheck, EveryOpOfTheCpuHasARule) {
  ops::Dispatcher dispatcher;
  register_library(dispatcher);
  register_cpu(dispatcher);
  constexpr auto cpu = static_cast<std::size_t>(ops::Key::CPU);
  std::size_t with_rule = 0;
  for (const auto& [name, op] : dispatcher.operators()) {
    if (op.table[cpu].kind == ops::Registration::Kind::none) continue;
    if (name == "aten::empty.memory_format" || name == "aten::fill_.Scalar" || name == "aten::copy_") continue;
    const ops::OpDefinition* const definition = ops::find_definition(name);
    ASSERT_NE(definition, nullptr) << name;
    const ops::Accuracy& accuracy = definition->accuracy;
    EXPECT_TRUE(accuracy.spread != nullptr || accuracy.terms != nullptr || accuracy.bounds != nullptr) << name;
    if (accuracy.spread == nullptr) continue;
    const std::array<run::Approximate, 3> inputs = {{{1, 0.5}, {1, 0.5}, {1, 0.5}}};
    EXPECT_NO_THROW(run::elementwise_error(name, DType::f32, inputs, 1)) << name;
    ++with_rule;
  }
  EXPECT_GE(with_rule, 14u);
}

/// Adds `by` to the first element.
void change(std::vector<std::uint8_t>& bytes, float by) {
  float first = 0;
  std::memcpy(&first, bytes.data(), sizeof first);
  first += by;
  std::memcpy(bytes.data(), &first, sizeof first);
}

std::vector<run::OpCheck> checked(const run::RunRequest& request, const run::RunResult& done) {
  const auto expression = std::get<ops::Expression>(ops::Expression::parse(request.expression));
  const bool exact = std::ranges::all_of(done.checks, [](const run::OpCheck& c) { return c.max_error_share == 0; });
  return run::check_whole({expression, request, request.autocast, nullptr, done.bytes, done.gradients, exact});
}

TEST(WholeCheck, AWrongWholeIsFoundThoughEachOpWasRight) {
  auto wanted = request("relu(a @ b) @ b.T", {variable("a", {40, 24}), variable("b", {24, 33})});
  wanted.gradients = true;
  run::RunResult done = result_of(wanted);
  EXPECT_TRUE(done.good());
  ASSERT_EQ(checked(wanted, done).size(), 3u);
  for (const run::OpCheck& check : checked(wanted, done)) {
    EXPECT_EQ(check.mismatches, 0u) << check.op;
    EXPECT_GT(check.max_error_share, 0) << check.op << ": the simulated GPU adds in another order";
    EXPECT_LT(check.max_error_share, 0.5) << check.op;
  }
  change(done.bytes, 0.01F);
  change(done.gradients.at(1).second, 0.05F);
  const auto checks = checked(wanted, done);
  EXPECT_EQ(checks[0].op, "whole expression");
  EXPECT_EQ(checks[0].mismatches, 1u);
  EXPECT_GT(checks[0].max_error_share, 1);
  EXPECT_EQ(checks[1].op, "gradient of a");
  EXPECT_EQ(checks[1].mismatches, 0u);
  EXPECT_EQ(checks[2].op, "gradient of b");
  EXPECT_EQ(checks[2].mismatches, 1u);
}

TEST(WholeCheck, WhatMayNotErrIsComparedToTheBit) {
  auto wanted = request("relu(a) - a * 3", {variable("a", {40})});
  wanted.gradients = true;
  run::RunResult done = result_of(wanted);
  done.bytes[0] ^= 1;
  done.gradients.at(0).second[0] ^= 1;
  for (const run::OpCheck& check : checked(wanted, done)) {
    EXPECT_EQ(check.mismatches, 1u) << check.op;
    EXPECT_EQ(check.allowed, "to the bit");
  }
  // An error is allowed only in results that depend on the sum.
  wanted.gradients = false;
  wanted.expression = "a + 0 * sum(a * a)";
  done = result_of(wanted);
  EXPECT_EQ(checked(wanted, done).front().mismatches, 0u);
}

TEST(WholeCheck, WhatHasNoBoundIsCounted) {
  const auto wanted = request("1 / (sum(a, 0) - a.T @ (a[:, 0] * 0 + 1))", {variable("a", {40, 6})});
  run::RunResult done = result_of(wanted);
  EXPECT_TRUE(done.good());
  done.checks.front().max_error_share = 0.5;
  const std::string reason = checked(wanted, done).front().reason;
  EXPECT_THAT(reason, ::testing::HasSubstr("6 elements have no bound"));
}

}  // namespace
}  // namespace warpwalk::testing
