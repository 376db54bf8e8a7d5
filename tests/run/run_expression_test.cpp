// Expressions on the simulated GPU and the CPU: results, checks and the walks they write.
#include "core/run/expression/run_expression.h"

#include <cmath>
#include <cstring>
#include <map>

#include <gmock/gmock-matchers.h>

#include "core/run/expression/sim_backend.h"
#include "core/run/launch/generate.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/walk_runs.h"
#include "tests/trace/equal.h"

namespace warpwalk::testing {
namespace {

using ops::DType;
using run::Target;
using trace::SliceId;
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
  ASSERT_EQ(done.checks.size(), 4u);
  EXPECT_EQ(done.checks[2].op, "between ops");
  EXPECT_EQ(done.checks[2].elements, 4u) << "a, b, their product, and the result at the end";
  EXPECT_EQ(done.checks[3].op, "whole expression");
  EXPECT_EQ(done.checks[0].op, "aten::mm");
  EXPECT_EQ(done.checks[1].op, "aten::relu");
  EXPECT_EQ(done.checks[1].allowed, "to the bit");
  EXPECT_THAT(done.checks[0].reason, ::testing::HasSubstr("32 terms"));
  for (const run::OpCheck& check : done.checks) {
    EXPECT_EQ(check.mismatches, 0u) << check.op;
    EXPECT_LE(check.max_error_share, 1) << check.op;
  }
  EXPECT_TRUE(done.good());
  ASSERT_EQ(done.launches.size(), 2u);
  EXPECT_EQ(done.launches[0].op, "aten::mm");
  EXPECT_FALSE(done.launches[0].why.empty());
}

// Expressions as users type them, with each element type.
TEST(RunExpression, SimAndCpuAgree) {
  const std::vector<std::string> expressions = {"relu(a @ b)",
                                                "a + c",
                                                "a - 2 * c",
                                                "-(a * c) / (c * c + 1)",
                                                "exp(a) + sqrt(c * c)",
                                                "sum(a)",
                                                "sum(a * c, 0)",
                                                "(a @ b).T",
                                                "a.T @ c",
                                                "a[1:5, ::2]",
                                                "a[0] * c[:, 0:1]",
                                                "sum(a[:, 1] @ c)",
                                                "2 - a",
                                                "1 / (c * c + 1)"};
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64, DType::i32, DType::i64}) {
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
        ADD_FAILURE() << (on_sim == nullptr ? std::get<run::RunError>(sim).line : "") << " | "
                      << (on_cpu == nullptr ? std::get<run::RunError>(cpu).line : "");
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

// Compares gradient elements with finite differences of the CPU's results in f64.
TEST(RunExpression, GradientsAreThoseOfTheSum) {
  auto wanted = request("sum(exp(a) * c) + sum(a[0] / (c[1] * c[1] + 1))",
                        {variable("a", {3, 4}, DType::f64), variable("c", {3, 4}, DType::f64)});
  wanted.gradients = true;
  const auto done = result_of(wanted);
  EXPECT_TRUE(done.good());
  ASSERT_EQ(done.gradients.size(), 2u);
  std::vector<double> a(12), c(12), of_a(12);
  std::vector<std::uint8_t> bytes(12 * sizeof(double));
  run::generate(DType::f64, run::FillRandom{1}, bytes);
  std::memcpy(a.data(), bytes.data(), bytes.size());
  run::generate(DType::f64, run::FillRandom{2}, bytes);
  std::memcpy(c.data(), bytes.data(), bytes.size());
  ASSERT_EQ(done.gradients[0].second.size(), bytes.size());
  std::memcpy(of_a.data(), done.gradients[0].second.data(), bytes.size());
  for (std::size_t i = 0; i < 12; ++i) {
    double want = std::exp(a[i]) * c[i];
    if (i < 4) want += 1 / (c[4 + i] * c[4 + i] + 1);
    EXPECT_NEAR(of_a[i], want, 1e-14) << i;
  }
}

TEST(RunExpression, CastsWhatProductsGet) {
  auto wanted = request("relu(a @ b)", {variable("a", {20, 9}), variable("b", {9, 4})});
  wanted.autocast = DType::bf16;
  const auto done = result_of(wanted);
  EXPECT_EQ(done.result.dtype, DType::bf16);
  EXPECT_EQ(done.bytes.size(), 20u * 4 * 2);
  EXPECT_TRUE(done.good());
}

TEST(RunExpression, EmptyTensorsLaunchNothing) {
  const auto done = result_of(request("relu(a)", {variable("a", {0, 3})}));
  EXPECT_TRUE(done.launches.empty());
  EXPECT_TRUE(done.bytes.empty());
  EXPECT_TRUE(done.good());
}

struct Refusal {
  std::string expression;
  std::vector<ops::Variable> inputs;
  std::string words;
  std::optional<std::size_t> position;
};

TEST(RunExpression, RefusesInOneLineAtThePlace) {
  const Refusal refusals[] = {
      {"a @ b", {variable("a", {2, 3})}, "b has no shape", 4},
      {"a + relu", {variable("a", {2, 3})}, "relu is a function: its brackets are missing", 4},
      {"2 + 3", {variable("a", {2, 3})}, "only numbers", 0},
      {"a @ b", {}, "a and b have no shape", {}},
      {"a", {variable("a", {2}), variable("c", {2})}, "c has a shape, but is not in a", {}},
      {"a", {variable("a", {2}), variable("a", {3})}, "two shapes", {}},
      {"a", {variable("a", {2}, DType::u8)}, "a is u8; tensors are f16", {}},
      {"a @ a", {variable("a", {1 << 20, 1 << 20})}, "give smaller shapes", {}},
      {"a @ b", {variable("a", {2, 3}), variable("b", {4, 5})}, "must be equal", 2},
      // The result is small, but the summed tensor is not.
      {"sum(a[:, None] * a)", {variable("a", {1 << 20})}, "give smaller shapes", {}},
      {"relu(a", {variable("a", {2})}, "never closed", 4},
      {"a + b", {variable("a", {2, 3}), variable("b", {2})}, "", 2},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.expression + " " + refusal.words);
    const auto ran = run::run_expression(request(refusal.expression, refusal.inputs));
    const auto* const error = std::get_if<run::RunError>(&ran);
    ASSERT_NE(error, nullptr);
    EXPECT_THAT(error->line, ::testing::HasSubstr(refusal.words));
    EXPECT_THAT(error->line, ::testing::Not(::testing::HasSubstr("\n")));
    EXPECT_EQ(error->place.has_value(), refusal.position.has_value());
    if (error->place && refusal.position) {
      EXPECT_EQ(error->place->position, *refusal.position);
    }
  }
}

/// The simulated GPU in place of a real one.
class StandInGpu : public run::GpuBackend {
 public:
  explicit StandInGpu(gpu::Device device) : device_(std::move(device)) {}
  ops::Memory& memory(ops::Observer* observer) override {
    run::SimOptions options;
    options.ptx_folder = assets() / "ptx";
    return sim_.emplace(device_, std::move(options), observer).memory();
  }
  void synchronize() override {}
  void probe_placement(bool on) override { probed += on ? 1 : 0; }
  std::string compute_capability() const override { return "9.0"; }
  void launch(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands) override {
    sim_->launch(launch, operands);
    ++launches;
    if (launches == spoilt) {
      const std::vector<std::uint8_t> bytes(4, 0x40);
      sim_->memory().write(operands.back().address(), bytes);
    }
  }
  void complete(trace::Trace& trace) override {
    for (SliceId s = 0; s < trace.slices.size(); ++s)
      if (trace.slices.kind[s] == SliceKind::kernel) trace.slices.duration[s] = trace.slices.start[s] = 1'000'000;
  }
  int launches = 0, spoilt = 0, probed = 0;

 private:
  gpu::Device device_;
  std::optional<run::SimBackend> sim_;
};

TEST(RunExpression, ARealGpuIsCheckedThenRecorded) {
  const auto wanted = request("relu(a @ b)", {variable("a", {20, 9}), variable("b", {9, 4})}, Target::cuda);
  StandInGpu gpu(wanted.device);
  const auto ran = run::run_expression(wanted, &gpu);
  ASSERT_TRUE(std::holds_alternative<run::RunResult>(ran)) << std::get<run::RunError>(ran).line;
  const auto& done = std::get<run::RunResult>(ran);
  EXPECT_TRUE(done.good());
  EXPECT_EQ(gpu.launches, 4);
  EXPECT_EQ(done.launches.size(), 2u);
  EXPECT_EQ(done.checks.back().op, "recorded run");
  EXPECT_EQ(done.trace.records.time_origin(), trace::Origin::measured);
  ASSERT_EQ(done.trace.records.kernels.size(), 2u);
  EXPECT_EQ(done.trace.records.kernels[0].buffers.size(), 2u);
  EXPECT_EQ(done.trace.records.kernels[1].buffers.at(0).kind, trace::InitialBuffer::Kind::produced);
  EXPECT_EQ(done.trace.records.kernels[1].digests.size(), 2u);
  const auto on_sim = result_of(request("relu(a @ b)", wanted.inputs));
  EXPECT_EQ(done.bytes, on_sim.bytes);
}

TEST(RunExpression, ARealGpuGetsGivenElementsInBothRuns) {
  auto wanted = request("a + a", {variable("a", {3})}, Target::cuda);
  const float given[] = {1, 2, 4};
  wanted.given["a"].resize(sizeof given);
  std::memcpy(wanted.given["a"].data(), given, sizeof given);
  StandInGpu gpu(wanted.device);
  const auto ran = run::run_expression(wanted, &gpu);
  ASSERT_TRUE(std::holds_alternative<run::RunResult>(ran)) << std::get<run::RunError>(ran).line;
  const auto& done = std::get<run::RunResult>(ran);
  EXPECT_TRUE(done.good());
  EXPECT_EQ(floats(done.bytes), (std::vector<float>{2, 4, 8}));
  EXPECT_EQ(done.trace.records.kernels.at(0).buffers.at(0).kind, trace::InitialBuffer::Kind::bytes);
}

TEST(RunExpression, PlacementIsAskedForInARunOfItsOwn) {
  auto wanted = request("a + a", {variable("a", {20, 9})}, Target::cuda);
  wanted.placement = true;
  StandInGpu gpu(wanted.device);
  const auto ran = run::run_expression(wanted, &gpu);
  ASSERT_TRUE(std::holds_alternative<run::RunResult>(ran)) << std::get<run::RunError>(ran).line;
  EXPECT_EQ(gpu.probed, 1);
  EXPECT_EQ(gpu.launches, 3);
}

TEST(RunExpression, ARealGpusStagesAreTold) {
  auto wanted = request("a + a", {variable("a", {20, 9})}, Target::cuda);
  wanted.placement = true;
  std::vector<std::string> stages;
  wanted.progress = [&](const std::string& what, std::uint64_t, std::uint64_t of) {
    EXPECT_EQ(of, 0u);  // the total is unknown
    stages.push_back(what);
  };
  StandInGpu gpu(wanted.device);
  ASSERT_TRUE(std::holds_alternative<run::RunResult>(run::run_expression(wanted, &gpu)));
  EXPECT_EQ(stages, (std::vector<std::string>{"checking each op against the cpu", "finding out where blocks run",
                                              "recording the run", "reading the GPU's records"}));
}

// Corrupts the second launch of the checked run, then of the recorded run.
TEST(RunExpression, ARealGpuThatErrsIsToldOn) {
  for (const int spoilt : {2, 4}) {
    const auto wanted = request("relu(a @ b)", {variable("a", {20, 9}), variable("b", {9, 4})}, Target::cuda);
    StandInGpu gpu(wanted.device);
    gpu.spoilt = spoilt;
    const auto ran = run::run_expression(wanted, &gpu);
    ASSERT_TRUE(std::holds_alternative<run::RunResult>(ran));
    EXPECT_FALSE(std::get<run::RunResult>(ran).good()) << "launch " << spoilt;
    EXPECT_EQ(std::get<run::RunResult>(ran).checks.back().mismatches, 1u) << "the two runs differ";
  }
}

TEST(RunExpression, ARealGpuIsRefusedWhereNoneIsLinked) {
  const auto ran = run::run_expression(request("a", {variable("a", {2})}, Target::cuda));
  ASSERT_TRUE(std::holds_alternative<run::RunError>(ran));
  EXPECT_THAT(std::get<run::RunError>(ran).line, ::testing::HasSubstr("cuda"));
}

TEST(RunExpression, ADescriptionWithoutTheHostsTimesIsRefused) {
  auto wanted = request("a + 1", {variable("a", {2})});
  wanted.device.host_launch_call.value.reset();
  const auto ran = run::run_expression(wanted);
  ASSERT_TRUE(std::holds_alternative<run::RunError>(ran));
  EXPECT_THAT(std::get<run::RunError>(ran).line, ::testing::HasSubstr("host_launch_call"));
}

TEST(RunExpression, CanBeCancelled) {
  const std::atomic<bool> cancel = true;
  auto wanted = request("a @ a", {variable("a", {64, 64})});
  wanted.cancel = &cancel;
  const auto ran = run::run_expression(wanted);
  ASSERT_TRUE(std::holds_alternative<run::RunError>(ran));
  EXPECT_TRUE(std::get<run::RunError>(ran).cancelled);
}

TEST(RunExpression, TwoRunsGiveTheSameBytes) {
  const auto wanted =
      request("relu(a @ b) + c", {variable("a", {40, 24}), variable("b", {24, 33}), variable("c", {33})});
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
