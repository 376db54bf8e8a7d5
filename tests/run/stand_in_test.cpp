// warpwalk's own kernels as stand-ins for PyTorch's, whose code and inputs are not recorded by its profiler.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/run/replay/history.h"
#include "core/run/replay/stand_in_ops.h"
#include "core/trace/read/read_trace.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::h200_options;

/// A trace of one op that launches a kernel, as PyTorch's profiler writes it.
trace::Trace launched_by(std::string_view op, std::string_view args) {
  const std::string text = fmt::format(
      R"({{"schemaVersion": 1, "traceEvents": [
{{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1, "tid": 1, "ts": 100, "dur": 50, "args": {{{}}}}},
{{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 110, "dur": 5, "args": {{"correlation": 1}}}},
{{"ph": "X", "cat": "kernel", "name": "theirs", "pid": 0, "tid": 7, "ts": 120, "dur": 9, "args": {{"correlation": 1, "device": 0, "stream": 7}}}}
]}})",
      op, args);
  trace::ReadResult read = trace::read_trace_text(text);
  EXPECT_FALSE(read.error) << *read.error;
  return std::move(read.trace);
}

std::string input_args(std::string_view dims, std::string_view strides, std::string_view types,
                       std::string_view values) {
  return fmt::format(R"("Input Dims": {}, "Input Strides": {}, "Input type": {}, "Concrete Inputs": {})", dims, strides,
                     types, values);
}

std::shared_ptr<const History> built_stand_in(const trace::Trace& trace) {
  return testing::built_history(trace, trace.kernel_order[0]);
}

std::string refused_stand_in(const trace::Trace& trace, const HistoryOptions& options = h200_options()) {
  return testing::refused_history(trace, trace.kernel_order[0], options);
}

// The stand-in, the op that it replaces, and the shapes.
std::string what(const History& history) {
  std::string shapes;
  for (const auto& input : history.replaced.inputs)
    shapes += fmt::format("{}{}", shapes.empty() ? "" : " by ", fmt::join(input, "x"));
  return fmt::format("{} for {}, {}", history.entry, history.replaced.op, shapes);
}

const std::string product_args =
    input_args("[[48, 40], [40, 32]]", "[[40, 1], [32, 1]]", R"(["float", "float"])", R"(["", ""])");

TEST(StandIn, HasTheOpsShapesAndSaysWhatItIs) {
  const auto history = built_stand_in(launched_by("aten::mm", product_args));
  EXPECT_TRUE(history->stand_in);
  EXPECT_EQ(history->entry, "matmul_tiled");
  EXPECT_EQ(what(*history), "matmul_tiled for aten::mm, 48x40 by 40x32");
  EXPECT_THAT(history->source, ::testing::HasSubstr("matmul_tiled"));
  EXPECT_THAT(history->ptx, ::testing::HasSubstr(".entry matmul_tiled"));
  EXPECT_EQ(history->digests, History::Digests::none);
  EXPECT_EQ(history->simulation.counters.blocks, 2u * 3u);
  ASSERT_EQ(history->before.buffers.size(), 3u);
  EXPECT_EQ(history->before.buffers[0].bytes.size(), 48u * 40 * 4);
  EXPECT_EQ(history->before.buffers[2].bytes.size(), 48u * 32 * 4);
  EXPECT_FALSE(history->before.buffers[2].initialized);
  EXPECT_TRUE(history->simulation.findings.empty());
}

TEST(StandIn, OfAddmmAddsTheBiasToo) {
  const auto history = built_stand_in(launched_by(
      "aten::addmm", input_args("[[32], [48, 40], [40, 32], [], []]", "[[1], [40, 1], [32, 1], [], []]",
                                R"(["float", "float", "float", "Scalar", "Scalar"])", R"(["", "", "", "1", "1"])")));
  EXPECT_EQ(what(*history), "addmm_f32 for aten::addmm, 32 by 48x40 by 40x32");
}

TEST(StandIn, OpsWithADefinitionNeedNoRowOfTheirOwn) {
  EXPECT_EQ(what(*built_stand_in(launched_by("aten::_softmax",
                                             input_args("[[20, 30], [], []]", "[[30, 1], [], []]",
                                                        R"(["float", "Scalar", "Scalar"])", R"(["", "1", "False"])")))),
            "softmax for aten::_softmax, 20x30");
  EXPECT_EQ(what(*built_stand_in(launched_by(
                "aten::gelu", input_args("[[20, 30], []]", "[[30, 1], []]", R"(["c10::Half", ""])", R"(["", ""])")))),
            "gelu_f16 for aten::gelu, 20x30");
  EXPECT_EQ(what(*built_stand_in(launched_by(
                "aten::pow", input_args("[[20, 30], []]", "[[30, 1], []]", R"(["float", "Scalar"])", R"(["", "2"])")))),
            "pow_number_f32 for aten::pow, 20x30");
}

TEST(StandIn, OfClampMinWithZeroIsRelu) {
  const auto clamp = [](std::string_view bound) {
    return launched_by("aten::clamp_min", input_args("[[100, 7], []]", "[[7, 1], []]", R"(["float", "Scalar"])",
                                                     fmt::format(R"(["", "{}"])", bound)));
  };
  EXPECT_EQ(what(*built_stand_in(clamp("0"))), "relu for aten::clamp_min, 100x7");
  EXPECT_THAT(refused_stand_in(clamp("0.5")), ::testing::HasSubstr("aten::clamp_min with a bound other than 0"));
}

TEST(StandIn, LargerThanTheLimitIsRefusedAndNotMadeSmaller) {
  HistoryOptions options = h200_options();
  options.max_warp_instructions = 1000;
  EXPECT_EQ(refused_stand_in(launched_by("aten::mm", product_args), options),
            "its PTX is not recorded; a stand-in is not possible either: aten::mm on these shapes would take about "
            "7,680 warp instructions, but at most 1,000 are simulated");
}

// 1000 x 48 elements that span 3.8 GiB: a trace of 1 kB must not take all memory.
TEST(StandIn, TensorsThatSpanTooManyBytesAreRefused) {
  EXPECT_EQ(refused_stand_in(launched_by("aten::mm", input_args("[[1000, 48], [48, 32]]", "[[1024000, 1], [32, 1]]",
                                                                R"(["float", "float"])", R"(["", ""])"))),
            "its PTX is not recorded; a stand-in is not possible either: its tensors span 3.8 GiB from their first to "
            "their last elements, but a stand-in is built from at most 1 GiB");
}

TEST(StandIn, WhatIsMissingIsSaid) {
  const auto meaning = [](std::string_view op, std::string_view args, std::string_view words) {
    const std::string reason = refused_stand_in(launched_by(op, args));
    EXPECT_THAT(reason, ::testing::HasSubstr(words));
    EXPECT_TRUE(reason.starts_with("its PTX is not recorded; a stand-in is not possible either: ")) << reason;
  };
  meaning("aten::mm", R"("External id": 5)", "for aten::mm, the shapes of its inputs were not recorded");
  meaning("aten::mm", R"("Input Dims": [[4, 4], [4, 4]])", "for aten::mm, the types of its inputs were not recorded");
  meaning("aten::mm", R"("Input Dims": [[2, 2], [2, 2]], "Input type": ["float", "float"])",
          "the strides of its inputs");
  meaning("aten::mm", input_args("[[2, 2], 5]", "[[2, 1], [2, 1]]", R"(["float", "float"])", "[]"),
          "of its input 1 cannot be read");
  meaning("aten::mm", input_args("[[2, 2], [-2, 2]]", "[[2, 1], [2, 1]]", R"(["float", "float"])", "[]"),
          "of its input 1 cannot be read");
  meaning("aten::mm",
          input_args("[[4611686018427387904, 4], [4, 2]]", "[[4, 1], [2, 1]]", R"(["float", "float"])", "[]"),
          "the shape of its input 0 is not possible");
  meaning("aten::mm", input_args("[[2, 2]]", "[[2, 1], [2, 1]]", R"(["float", "float"])", "[]"), "cannot be read");
  meaning("aten::mm", input_args("[[2, 2], []]", "[[2, 1], []]", R"(["float", "Scalar"])", R"(["", "1"])"),
          "the inputs recorded for aten::mm do not match that op");
  meaning("aten::mm", input_args("[[2, 2], [2, 2]]", "[[2, 1], [2, 1]]", R"(["c10::complex<float>", "float"])", "[]"),
          "has the type c10::complex<float>");
  meaning("aten::sin", input_args("[[2, 2]]", "[[2, 1]]", R"(["float"])", "[]"),
          "warpwalk has no kernel of its own for aten::sin");
}

TEST(StandIn, WithoutAnOpThereIsNone) {
  trace::ReadResult read = trace::read_trace_text(
      R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "theirs", "pid": 0, "tid": 7, "ts": 1, "dur": 9}]})");
  EXPECT_EQ(refused_stand_in(read.trace),
            "its PTX is not recorded; a stand-in is not possible either: no op is recorded around its launch");
}

/// The request to the catalogue, as text.
std::string asked(std::string_view op, std::string_view args) {
  const trace::Trace trace = launched_by(op, args);
  const auto read = recorded_inputs(trace, trace.ops[0]);
  if (!read) return read.error();
  const auto called = catalogue_call(op, *read);
  if (!called) return called.error();
  const auto& call = *called;
  std::string text = call.op;
  for (const Operand& input : call.inputs)
    text += fmt::format(" {}[{}]", name_of(input.dtype), fmt::join(input.geometry.sizes, ","));
  for (const double number : call.numbers) text += fmt::format(" {}", number);
  using Difference = ReplacedOp::Difference;
  switch (call.difference) {
    case Difference::none: return text;
    case Difference::number: return text + " (other number)";
    case Difference::division: return text + " (no division)";
    case Difference::addition: return text + " (no addition)";
  }
  return text;
}

TEST(StandIn, OpsAreNamedWithTheirOverload) {
  const std::string two = input_args("[[4, 3], [3], []]", "[[3, 1], [1], []]",
                                     R"(["c10::Half", "c10::Half", "Scalar"])", R"(["", "", "1"])");
  EXPECT_EQ(asked("aten::add", two), "aten::add.Tensor f16[4,3] f16[3]");
  EXPECT_EQ(asked("aten::add_", two), "aten::add_.Tensor f16[4,3] f16[3]");
  const std::string scaled =
      input_args("[[4], [4], []]", "[[1], [1], []]", R"(["float", "float", "Scalar"])", R"(["", "", "0.5"])");
  EXPECT_EQ(asked("aten::sub", scaled), "aten::sub.Tensor f32[4] f32[4] 0.5");
  const std::string number = input_args("[[4], []]", "[[1], []]", R"(["double", "Scalar"])", R"(["", "0.5"])");
  EXPECT_EQ(asked("aten::mul", number), "aten::mul.Tensor f64[4] 0.5");
  const std::string wrapped = input_args("[[4], []]", "[[1], []]", R"(["float", "long int"])", R"(["", ""])");
  EXPECT_EQ(asked("aten::div", wrapped), "aten::div.Tensor f32[4] 2 (other number)");
  const std::string zero_dim = input_args("[[4], []]", "[[1], []]", R"(["float", "float"])", R"(["", ""])");
  EXPECT_EQ(asked("aten::mul", zero_dim), "aten::mul.Tensor f32[4] f32[]");
  const std::string whole = input_args("[[4, 3], []]", "[[3, 1], []]", R"(["int", ""])", R"(["", ""])");
  EXPECT_EQ(asked("aten::sum", whole), "aten::sum i32[4,3]");
  const std::string dims =
      input_args("[[4, 3], [], [], []]", "[[3, 1], [], [], []]", R"(["c10::BFloat16", "ScalarList", "Scalar", ""])",
                 R"(["", "[0, -1]", "True", ""])");
  EXPECT_EQ(asked("aten::sum", dims), "aten::sum.dim_IntList bf16[4,3] 0 -1 1");
  const std::string filled = input_args("[[4], []]", "[[1], []]", R"(["long int", "Scalar"])", R"(["", "7"])");
  EXPECT_EQ(asked("aten::fill_", filled), "aten::fill_.Scalar i64[4] 7");
  EXPECT_EQ(asked("aten::zero_", filled), "aten::fill_.Scalar i64[4] 0");
}

// Each kernel of the recorded walks must have a stand-in or a reason why not.
TEST(StandIn, EveryKernelOfTheRecordedWalksHasOneOrAReason) {
  for (const char* name : {"relu_matmul", "mlp_train", "two_streams"}) {
    const trace::ReadResult read =
        trace::read_trace(fmt::format("{}/assets/walks/{}.json.gz", WARPWALK_SOURCE_DIR, name));
    HistoryOptions options = h200_options();
    options.max_warp_instructions = std::uint64_t{1} << 20;  // keeps the test fast: larger kernels are refused
    std::size_t built = 0;
    for (const trace::SliceId kernel : read.trace.kernel_order) {
      const auto history = build_history(read.trace, kernel, options);
      if (const auto* const found = std::get_if<0>(&history)) {
        ++built;
        EXPECT_TRUE((*found)->stand_in);
        EXPECT_TRUE((*found)->simulation.findings.empty()) << what(**found);
      } else {
        EXPECT_GT(std::get<NoHistory>(history).reason.size(), 20u);
      }
    }
    if (std::string_view(name) == "mlp_train") {
      EXPECT_GT(built, 0u);
    }
  }
}

}  // namespace
}  // namespace warpwalk::run
