// The lab "writing-a-kernel": its kernel against a plain loop in double, its trials against PyTorch 2.11
// (tests/story/dispatch) and finite differences, and the embedded PTX against the file.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/exact_json.h"
#include "core/records/hardware.h"
#include "core/story/labs/writing_a_kernel/host_parts.h"
#include "core/story/labs/writing_a_kernel/kernel_run.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view writing_a_kernel_scene = "lab/writing-a-kernel";

const gpu::Device& h200_device() { return *hardware().find("h200"); }

TEST(WritingAKernel, ThePtxIsThatOfTheFile) {
  EXPECT_EQ(lab_ptx(), file_contents("assets/kernel_lab/leaky_relu.ptx"));
  EXPECT_GT(lab_ptx().size(), 1000u);
}

TEST(WritingAKernel, EveryInstanceComputesWhatALoopInDoubleDoes) {
  // Relative distance of neighbours: one rounding to the type, and for f16, bf16 and f32 one of the product to float.
  const auto epsilon = [](ops::DType dtype) {
    switch (dtype) {
      case ops::DType::f16: return 0x1p-10;
      case ops::DType::bf16: return 0x1p-7;
      case ops::DType::f64: return 0x1p-52;
      default: return 0x1p-22;
    }
  };
  std::size_t runs = 0;
  for (const ops::DType dtype : {ops::DType::f16, ops::DType::bf16, ops::DType::f32, ops::DType::f64})
    for (const std::int64_t stride : {1, 2, 3})
      for (const auto& [n, block] : {std::pair{1, 32}, {100, 64}, {257, 96}})
        for (const double slope : {0.1, -0.5, 1.0}) {
          const KernelRun run = run_kernel(h200_device(), {slope, n, dtype, block, stride, true});
          ASSERT_EQ(run.error, "") << run.entry;
          EXPECT_EQ(run.finding, "") << run.entry;
          EXPECT_EQ(run.different, 0u) << run.entry;
          ASSERT_EQ(run.output.size(), static_cast<std::size_t>(n));
          for (std::int64_t i = 0; i < n; ++i) {
            const double x = static_cast<double>((i * stride * 7) % 23 - 11) / 4, y = x > 0 ? x : x * slope;
            EXPECT_NEAR(run.output[static_cast<std::size_t>(i)], y, std::abs(y) * epsilon(dtype))
                << run.entry << " " << i;
          }
          ++runs;
        }
  EXPECT_EQ(runs, 4u * 3 * 3 * 3);
}

TEST(WritingAKernel, WithoutABoundsCheckEachIdleThreadReadsAndWritesOutside) {
  for (const std::int64_t stride : {1, 2})
    for (const auto& [n, block] : {std::pair{100, 64}, {65, 64}, {128, 64}, {1, 32}}) {
      const KernelRun run = run_kernel(h200_device(), {0.1, n, ops::DType::f32, block, stride, false});
      const std::int64_t threads = (n + block - 1) / block * block;
      EXPECT_EQ(run.stray, static_cast<std::uint64_t>(2 * (threads - n))) << n << " " << block << " " << stride;
      EXPECT_EQ(run.finding.empty(), threads == n);
      EXPECT_EQ(run.different, 0u);
    }
}

TEST(WritingAKernel, TheAliasTrialEndsAsInPyTorch) {
  rapidjson::Document recording;
  ASSERT_FALSE(base::parse_exact(file_contents("tests/story/dispatch/pytorch_2.11.json"), recording).IsError());
  const auto& mistakes = recording["mistakes"];
  const AliasTrial told = try_alias(true, 0.1), untold = try_alias(false, 0.1);
  for (const auto& [name, trial] : {std::pair{"right alias", &told}, {"wrong alias", &untold}}) {
    const auto& version = mistakes[name]["version"];
    EXPECT_EQ(trial->version_before, version[0].GetUint()) << name;
    EXPECT_EQ(trial->version_after, version[1].GetUint()) << name;
    EXPECT_EQ(trial->message.empty(), !mistakes[name].HasMember("backward")) << name;
  }
  const auto& wrong = mistakes["wrong alias"]["grad"];
  ASSERT_EQ(untold.gradient.size(), wrong.Size());
  for (rapidjson::SizeType i = 0; i < wrong.Size(); ++i) EXPECT_NEAR(untold.gradient[i], wrong[i].GetDouble(), 1e-6);
  EXPECT_NE(untold.gradient, untold.right);
  EXPECT_EQ(untold.right, (std::vector<double>{-4, 6}));
}

TEST(WritingAKernel, TheDerivativeIsOneOrTheSlope) {
  for (const double slope : {0.01, 0.3, -0.5, 2.0}) {
    const DerivativeTrial trial = try_derivative(true, slope);
    ASSERT_EQ(trial.autograd.size(), trial.x.size());
    for (std::size_t i = 0; i < trial.x.size(); ++i) {
      EXPECT_EQ(trial.autograd[i], trial.x[i] > 0 ? 1 : slope);
      EXPECT_NEAR(trial.differences[i], trial.autograd[i], 1e-9);
    }
    const DerivativeTrial without = try_derivative(false, slope);
    EXPECT_TRUE(without.autograd.empty());
    EXPECT_FALSE(without.message.empty());
    EXPECT_EQ(without.differences, trial.differences);
  }
}

TEST(WritingAKernel, ThreadsWithoutAnElementAreCounted) {
  for (const auto& [n, block] : {std::pair{100.0, 64.0}, {1.0, 256.0}, {1024.0, 96.0}}) {
    const Stage stage = lab_with(writing_a_kernel_scene, 4, {{"n", n}, {"block", block}});
    int threads = 0, idle = 0;
    while (threads < static_cast<int>(n)) threads += static_cast<int>(block);
    idle = threads - static_cast<int>(n);
    EXPECT_EQ(fact_text(stage, "Threads without an element"), fmt::to_string(idle));
  }
}

TEST(WritingAKernel, TheMessagesAreThoseOfPyTorch) {
  rapidjson::Document recording;
  ASSERT_FALSE(base::parse_exact(file_contents("tests/story/dispatch/pytorch_2.11.json"), recording).IsError());
  const std::string message = recording["mistakes"]["wrong type"]["error"].GetString();
  EXPECT_THAT(message, ::testing::HasSubstr("\"leaky_relu_cuda\" not implemented for"));
  const Stage stage = lab_with(writing_a_kernel_scene, 3, {{"mistake", 2}, {"dtype", 1}});
  const auto& code = panel_picture<CodePicture>(stage);
  bool said = false;
  for (const CodeLine& line : code.columns.at(0).window.lines)
    said |= line.lit && line.text.find("\"leaky_relu_cuda\" not implemented") != std::string::npos;
  EXPECT_TRUE(said);
  EXPECT_EQ(recording["schemas"]["leaky_relu"].GetString(),
            std::string_view("aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor"));
}

TEST(WritingAKernel, TasksAreDoneByTheSettings) {
  EXPECT_EQ(tasks_done(writing_a_kernel_scene, {}), "------");
  EXPECT_EQ(tasks_done(writing_a_kernel_scene, {{"mistake", 3}}), "x-----");
  EXPECT_EQ(tasks_done(writing_a_kernel_scene, {{"mistake", 3}, {"n", 128}}), "-x----");
  EXPECT_EQ(tasks_done(writing_a_kernel_scene, {{"mistake", 2}, {"dtype", 1}}), "--x---");
  EXPECT_EQ(tasks_done(writing_a_kernel_scene, {{"slope", 100}}), "---x--");
  EXPECT_EQ(tasks_done(writing_a_kernel_scene, {{"n", 1024}, {"block", 96}}), "------");
  EXPECT_EQ(tasks_done(writing_a_kernel_scene, {{"layout", 1}}), "-----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
