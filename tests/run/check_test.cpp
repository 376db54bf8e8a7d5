// The tolerances of checks, and errors that they must detect.
#include <cmath>
#include <cstring>
#include <limits>

#include "core/ops/library/library.h"
#include "core/run/check/check_rule.h"
#include "core/run/check/op_checker.h"
#include "core/run/launch/generate.h"
#include "tests/run/walk_runs.h"

namespace warpwalk::testing {
namespace {

using ops::DType;
using run::CheckRule;

std::vector<std::uint8_t> bytes_of_floats(const std::vector<float>& values) {
  std::vector<std::uint8_t> out(values.size() * sizeof(float));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

run::Judged judged(std::string_view op, std::int64_t terms, float got, float want, double size) {
  const std::vector<double> sizes = {size};
  return run::judge(run::rule_of(op, DType::f32, terms), DType::f32, bytes_of_floats({got}), bytes_of_floats({want}),
                    sizes);
}

TEST(Check, ArithmeticIsToTheBit) {
  for (const std::string_view op : {"aten::add.Tensor", "aten::mul.Tensor", "aten::div.Tensor", "aten::sqrt",
                                    "aten::relu", "aten::copy_", "aten::neg", "aten::threshold_backward"}) {
    EXPECT_EQ(run::rule_of(op, DType::f32, 1).kind, CheckRule::Kind::exact) << op;
    EXPECT_EQ(judged(op, 1, 1.0F, 1.0F, 0).mismatches, 0u);
    EXPECT_EQ(judged(op, 1, std::nextafter(1.0F, 2.0F), 1.0F, 0).mismatches, 1u);
    EXPECT_EQ(judged(op, 1, -0.0F, 0.0F, 0).mismatches, 1u);
    EXPECT_EQ(judged(op, 1, NAN, NAN, 0).mismatches, 0u);
  }
}

TEST(Check, IntegersAreToTheBitInSumsToo) {
  EXPECT_EQ(run::rule_of("aten::mm", DType::i32, 100).kind, CheckRule::Kind::exact);
  EXPECT_EQ(run::rule_of("aten::sum.dim_IntList", DType::i64, 100).kind, CheckRule::Kind::exact);
}

TEST(Check, TheExponentialMayBeTwoUlpOff) {
  float two = 1.0F;
  for (int i = 0; i < 2; ++i) two = std::nextafter(two, 2.0F);
  EXPECT_EQ(judged("aten::exp", 1, two, 1.0F, 0).mismatches, 0u);
  EXPECT_EQ(judged("aten::exp", 1, two, 1.0F, 0).max_error_share, 1.0);
  EXPECT_EQ(judged("aten::exp", 1, std::nextafter(two, 2.0F), 1.0F, 0).mismatches, 1u);
  EXPECT_EQ(judged("aten::exp", 1, INFINITY, 1.0F, 0).mismatches, 1u);
  EXPECT_EQ(judged("aten::exp", 1, NAN, 1.0F, 0).mismatches, 1u);
  EXPECT_EQ(judged("aten::exp", 1, INFINITY, INFINITY, 0).mismatches, 0u);
}

// 62 terms of magnitude 1 that cancel to 0: 64 roundings of 2^-24, relative to the sum of magnitudes, 62.
TEST(Check, SumsMayBeOffByTheirTermsAlone) {
  const float limit = 62 * 64 * 0x1p-24F;
  EXPECT_EQ(judged("aten::mm", 62, limit, 0, 62).mismatches, 0u);
  EXPECT_GT(judged("aten::mm", 62, limit, 0, 62).max_error_share, 0.99);
  EXPECT_EQ(judged("aten::mm", 62, limit * 1.01F, 0, 62).mismatches, 1u);
  EXPECT_EQ(judged("aten::sum.dim_IntList", 62, limit * 1.01F, 0, 62).mismatches, 1u);
  // If only small terms were added, only a small error is allowed.
  EXPECT_EQ(judged("aten::mm", 62, 1e-6F, 0, 0.001).mismatches, 1u);
}

TEST(Check, SumsThatOverflowOnTheWayMayEndInAnInfinity) {
  const double largest = std::numeric_limits<float>::max();
  EXPECT_EQ(judged("aten::mm", 2, INFINITY, 1, 4 * largest).mismatches, 0u);
  EXPECT_EQ(judged("aten::mm", 2, INFINITY, 1, 10).mismatches, 1u);
  EXPECT_EQ(judged("aten::mm", 2, NAN, 1, 10).mismatches, 1u);
  EXPECT_EQ(judged("aten::mm", 2, 1, NAN, 10).mismatches, 1u);
}

// The textbook error bound must accept f32 sums in various orders.
TEST(Check, NoOrderOfAddingIsRefused) {
  for (const std::size_t count : {3u, 17u, 400u, 5000u}) {
    std::vector<std::uint8_t> bytes(count * sizeof(float));
    run::generate(DType::f32, run::FillRandom{count}, bytes);
    std::vector<float> values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    double exact = 0, size = 0;
    float forward = 0, backward = 0, strided = 0;
    for (std::size_t i = 0; i < count; ++i) {
      exact += static_cast<double>(values[i]);
      size += std::abs(static_cast<double>(values[i]));
      forward += values[i];
      backward += values[count - 1 - i];
    }
    for (std::size_t lane = 0; lane < 32; ++lane) {
      float part = 0;
      for (std::size_t i = lane; i < count; i += 32) part += values[i];
      strided += part;
    }
    for (const float got : {forward, backward, strided})
      EXPECT_EQ(judged("aten::sum.dim_IntList", static_cast<std::int64_t>(count), got, static_cast<float>(exact), size)
                    .mismatches,
                0u);
  }
}

/// Runs ops on the CPU in place of a GPU, so that results can be corrupted.
class Checked : public ::testing::Test {
 protected:
  Checked() {
    register_library(dispatcher_);
    register_cpu(dispatcher_);
    dispatcher_.set_memory(memory_);
  }
  ops::Tensor input(const ops::Sizes& sizes, std::uint64_t seed) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(ops::count_of(sizes)) * sizeof(float));
    run::generate(DType::f32, run::FillRandom{seed}, bytes);
    const ops::Tensor made = tensor_from(memory_, DType::f32, sizes, bytes);
    checker_.remember(made);
    return made;
  }
  /// Calls an op as a GPU function does: reports the launch, then produces the result.
  ops::Tensor call(std::string_view op, const std::vector<ops::Argument>& arguments, float spoil = 0) {
    ops::Call begun;
    begun.op = dispatcher_.find(op);
    begun.arguments = arguments;
    checker_.op_begins(begun);
    run::PlannedLaunch launch;
    launch.entry = "kernel";
    checker_.launches(launch);
    const ops::Tensor result = dispatcher_.call(op, arguments);
    if (spoil != 0) change(result, spoil);
    checker_.op_ends(result);
    return result;
  }
  void change(const ops::Tensor& tensor, float by) {
    float first = 0;
    std::uint8_t bytes[sizeof first];
    memory_.read(tensor.address(), bytes);
    std::memcpy(&first, bytes, sizeof first);
    first += by;
    std::memcpy(bytes, &first, sizeof first);
    memory_.write(tensor.address(), bytes);
  }

  ops::CpuMemory memory_;
  ops::Dispatcher dispatcher_;
  run::OpChecker checker_{{}};
};

TEST_F(Checked, OneSpoiltElementIsFound) {
  const ops::Tensor a = input({8, 4}, 1), b = input({4, 6}, 2);
  const ops::Tensor product = call("aten::mm", {a, b});
  call("aten::relu", {product});
  call("aten::mm", {a, b}, 0.001F);
  call("aten::add.Tensor", {a, a}, 0x1p-10F);
  const std::vector<run::OpCheck> checks = checker_.take();
  ASSERT_EQ(checks.size(), 5u);
  const std::uint64_t mismatches[] = {0, 0, 1, 1, 0};
  for (std::size_t i = 0; i < checks.size(); ++i) EXPECT_EQ(checks[i].mismatches, mismatches[i]) << checks[i].op;
  EXPECT_GT(checks[2].max_error_share, 1);
}

TEST_F(Checked, ATensorThatChangesBetweenOpsIsFound) {
  const ops::Tensor a = input({8, 4}, 1);
  const ops::Tensor positive = call("aten::relu", {a});
  change(positive, 1);
  call("aten::neg", {positive});
  const std::vector<run::OpCheck> checks = checker_.take();
  ASSERT_EQ(checks.size(), 3u);
  EXPECT_EQ(checks[1].mismatches, 0u) << "the op itself was right";
  EXPECT_EQ(checks[2].op, "between ops");
  EXPECT_EQ(checks[2].mismatches, 1u);
}

TEST_F(Checked, AnOpInPlaceIsCheckedAgainstWhatItWas) {
  const ops::Tensor a = input({8, 4}, 1);
  call("aten::relu_", {a});
  call("aten::mul_.Tensor", {a, 3.0});
  for (const run::OpCheck& check : checker_.take()) EXPECT_EQ(check.mismatches, 0u) << check.op;
}

}  // namespace
}  // namespace warpwalk::testing
