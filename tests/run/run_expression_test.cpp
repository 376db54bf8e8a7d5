// Expressions on the simulated GPU and on the cpu: results, checks, and the walks they leave.
#include "core/run/run_expression.h"

#include <cmath>
#include <cstring>
#include <map>

#include "core/run/generate.h"
#include "core/trace/equal.h"
#include "core/trace/link.h"
#include "core/trace/reader.h"
#include "core/trace/writer.h"
#include "tests/run/walk_runs.h"

namespace warpwalk::testing {
namespace {

using ops::DType;
using run::Target;
using trace::SliceKind;

std::vector<float> floats(const std::vector<std::uint8_t>& bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
  return out;
}

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint8_t> bytes(count * sizeof(float));
  run::generate(DType::f32, run::FillRandom{seed}, bytes);
  return floats(bytes);
}

TEST(RunExpression, GivesTheProductOfItsSeeds) {
  const auto done = result_of(request("relu(a @ b)", {variable("a", {5, 7}), variable("b", {7, 3})}));
  const std::vector<float> got = floats(done.bytes), a = random_floats(35, 1), b = random_floats(21, 2);
  ASSERT_EQ(got.size(), 15u);
  EXPECT_EQ(done.result.sizes, (ops::Sizes{5, 3}));
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 7; ++k) sum += static_cast<double>(a[i * 7 + k]) * static_cast<double>(b[k * 3 + j]);
      EXPECT_NEAR(got[i * 3 + j], std::max(sum, 0.0), 1e-6);
    }
}

TEST(RunExpression, ChecksEveryOpThatLaunches) {
  const auto done = result_of(request("relu(a @ b)", {variable("a", {64, 32}), variable("b", {32, 48})}));
  ASSERT_EQ(done.checks.size(), 2u);
  EXPECT_EQ(done.checks[0].op, "aten::mm");
  EXPECT_EQ(done.checks[1].op, "aten::relu");
  EXPECT_EQ(done.checks[1].allowed, "to the bit");
  EXPECT_NE(done.checks[0].reason.find("32 terms"), std::string::npos);
  for (const run::OpCheck& check : done.checks) {
    EXPECT_EQ(check.mismatches, 0u) << check.op;
    EXPECT_LE(check.max_error_share, 1) << check.op;
  }
  EXPECT_TRUE(done.good());
  ASSERT_EQ(done.launches.size(), 2u);
  EXPECT_EQ(done.launches[0].op, "aten::mm");
  EXPECT_FALSE(done.launches[0].why.empty());
}

// What a person may type, with each element type.
TEST(RunExpression, SimAndCpuAgree) {
  const std::vector<std::string> expressions = {
      "relu(a @ b)",  "a + c",         "a - 2 * c",    "-(a * c) / (c * c + 1)", "exp(a) + sqrt(c * c)", "sum(a)", "sum(a * c, 0)",
      "(a @ b).T",    "a.T @ c",       "a[1:5, ::2]",  "a[0] * c[:, 0:1]",       "sum(a[:, 1] @ c)",      "2 - a",  "1 / (c * c + 1)"};
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64, DType::i32, DType::i64}) {
    if (!is_float(dtype)) continue;
    for (const std::string& expression : expressions) {
      std::vector<ops::Variable> inputs;
      if (expression.find('a') != std::string::npos) inputs.push_back(variable("a", {9, 12}, dtype));
      if (expression.find('b') != std::string::npos) inputs.push_back(variable("b", {12, 5}, dtype));
      if (expression.find('c') != std::string::npos) inputs.push_back(variable("c", {9, 12}, dtype));
      SCOPED_TRACE(expression + " " + std::string(name_of(dtype)));
      const auto sim = run::run_expression(request(expression, inputs));
      const auto cpu = run::run_expression(request(expression, inputs, Target::cpu));
      const auto* const on_sim = std::get_if<run::RunResult>(&sim);
      const auto* const on_cpu = std::get_if<run::RunResult>(&cpu);
      if (on_sim == nullptr || on_cpu == nullptr) {
        ADD_FAILURE() << (on_sim == nullptr ? std::get<run::RunError>(sim).line : "") << " | " << (on_cpu == nullptr ? std::get<run::RunError>(cpu).line : "");
        continue;
      }
      EXPECT_TRUE(on_sim->good());
      EXPECT_EQ(on_sim->result.sizes, on_cpu->result.sizes);
      EXPECT_EQ(on_sim->result.dtype, on_cpu->result.dtype);
      EXPECT_EQ(on_sim->bytes.size(), on_cpu->bytes.size());
      for (const run::OpCheck& check : on_sim->checks) EXPECT_LE(check.max_error_share, 1) << check.op;
    }
  }
}

TEST(RunExpression, TwoRunsGiveTheSameBytes) {
  const auto wanted = request("relu(a @ b) + c", {variable("a", {40, 24}), variable("b", {24, 33}), variable("c", {33})});
  auto other = wanted;
  other.threads = 1;
  EXPECT_EQ(trace::write_trace_text(result_of(wanted).trace), trace::write_trace_text(result_of(other).trace));
}

TEST(RunExpression, TheFileIsReadBackEqual) {
  for (const Target on : {Target::sim, Target::cpu}) {
    auto wanted = request("relu(a @ b)", {variable("a", {40, 24}), variable("b", {24, 33})}, on);
    wanted.gradients = true;
    const auto done = result_of(wanted);
    const auto read = trace::read_trace_text(trace::write_trace_text(done.trace));
    EXPECT_EQ(trace::equal(done.trace, read.trace), std::nullopt);
    for (const auto& problem : read.problems.rows())
      EXPECT_EQ(problem.kind, trace::ProblemKind::untimed) << problem.message;
  }
}

}  // namespace
}  // namespace warpwalk::testing
