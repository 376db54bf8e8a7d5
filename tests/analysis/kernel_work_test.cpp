// FLOPs and bytes from the shapes of ops, against counts by hand.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/kernels/work_amount.h"
#include "core/trace/read/read_trace.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

// The arguments of an op as the profiler writes them.
struct RecordedOp {
  std::string name, dims, types, concrete = "[]", strides = "[]";

  std::string args() const {
    return fmt::format(
        R"("Input Dims": {}, "Input type": {}, "Concrete Inputs": {}, "Input Strides": {}, "External id": 1)", dims,
        types, concrete, strides);
  }
};

constexpr std::string_view two_floats = R"(["float", "float"])";

// An op that launches kernels of these names and times (µs).
trace::Trace traced(const RecordedOp& op, const std::vector<std::pair<std::string, double>>& kernels) {
  SmallTrace trace;
  trace.op(op.name, 0, 100, op.args());
  double at = 200;
  int correlation = 1;
  for (const auto& [name, time] : kernels) {
    trace.call("cudaLaunchKernel", 10 + correlation, 0.5, correlation).kernel(name, at, time, correlation);
    at += time + 1;
    ++correlation;
  }
  return trace.read();
}

WorkAmount work_of(const RecordedOp& op) {
  const trace::Trace trace = traced(op, {{"kernel", 10}});
  return work_amount(trace, slice_named(trace, "kernel"));
}

void expect_work(const RecordedOp& op, double flops, double bytes) {
  const WorkAmount work = work_of(op);
  ASSERT_TRUE(work.flops && work.bytes) << op.name;
  EXPECT_DOUBLE_EQ(*work.flops, flops) << op.name;
  EXPECT_DOUBLE_EQ(*work.bytes, bytes) << op.name;
}

TEST(KernelWork, AProductHasTwoFlopsPerMultiplyAdd) {
  // 64·1,024 results of 10 multiply-adds; 640 + 10,240 + 65,536 floats.
  expect_work({"aten::mm", "[[64, 10], [10, 1024]]", std::string(two_floats)}, 1'310'720, 305'664);
  EXPECT_EQ(work_of({"aten::mm", "[[64, 10], [10, 1024]]", std::string(two_floats)}).rule, WorkRule::product);
}

TEST(KernelWork, AddedTensorsAreReadButAddNoFlops) {
  const std::string dims = "[[1024], [64, 512], [512, 1024], [], []]";
  const std::string types = R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar", "Scalar"])";
  expect_work({"aten::addmm", dims, types, R"(["", "", "", "1", "1"])"}, 67'108'864,
              2.0 * (1024 + 64 * 512 + 512 * 1024 + 64 * 1024));
  // beta is 0: the added tensor is ignored.
  expect_work({"aten::addmm", dims, types, R"(["", "", "", "0", "1"])"}, 67'108'864,
              2.0 * (64 * 512 + 512 * 1024 + 64 * 1024));
}

TEST(KernelWork, BatchedProducts) {
  expect_work({"aten::bmm", "[[8, 128, 64], [8, 64, 32]]", R"(["c10::Half", "c10::Half"])"}, 4'194'304,
              2.0 * 8 * (128 * 64 + 64 * 32 + 128 * 32));
  expect_work({"aten::baddbmm", "[[2, 3, 5], [2, 3, 4], [2, 4, 5], [], []]",
               R"(["float", "float", "float", "Scalar", "Scalar"])", R"(["", "", "", "1", "1"])"},
              2 * 2 * 3 * 4 * 5, 4.0 * 2 * (3 * 4 + 4 * 5 + 2 * 3 * 5));
}

TEST(KernelWork, LinearMultipliesTheLastDimension) {
  expect_work({"aten::linear", "[[2, 7, 16], [5, 16], [5]]", R"(["float", "float", "float"])"}, 2 * 14 * 16 * 5,
              4 * (2 * 7 * 16 + 5 * 16 + 5 + 2 * 7 * 5));
}

TEST(KernelWork, RepeatedElementsAreReadOnce) {
  // The first factor repeats one row 64 times.
  expect_work({"aten::mm", "[[64, 10], [10, 4]]", std::string(two_floats), "[]", "[[0, 1], [4, 1]]"}, 2 * 64 * 10 * 4,
              4 * (10 + 40 + 64 * 4));
}

// Multiply-adds of a convolution, counted one by one, as are products with padding.
double counted_convolution(int batch, int in, int out, int groups, int size, int kernel, int stride, int padding,
                           int dilation) {
  double count = 0;
  for (int y = 0; y * stride + dilation * (kernel - 1) < size + 2 * padding; ++y)
    for (int x = 0; x * stride + dilation * (kernel - 1) < size + 2 * padding; ++x)
      for (int channel = 0; channel < out; ++channel) count += static_cast<double>(in / groups) * kernel * kernel;
  return batch * count;
}

TEST(KernelWork, ConvolutionsTakeStridePaddingAndDilationFromTheRecord) {
  const std::string types = R"(["float", "float", "", "", "", "Scalar"])";
  // cudnn_convolution(self, weight, padding, stride, dilation, groups)
  // 5 × 5 with padding 1 and stride 2 gives 3 × 3.
  const RecordedOp strided = {"aten::cudnn_convolution", "[[1, 3, 5, 5], [4, 3, 3, 3], [], [], [], []]", types,
                              R"(["", "", "[1, 1]", "[2, 2]", "[1, 1]", "1"])"};
  EXPECT_EQ(2 * counted_convolution(1, 3, 4, 1, 5, 3, 2, 1, 1), 1944);
  expect_work(strided, 1944, 4 * (75 + 108 + 4 * 9));
  const RecordedOp dilated = {"aten::cudnn_convolution", "[[2, 8, 9, 9], [8, 1, 3, 3], [], [], [], []]", types,
                              R"(["", "", "[0, 0]", "[1, 1]", "[2, 2]", "8"])"};
  expect_work(dilated, 2 * counted_convolution(2, 8, 8, 8, 9, 3, 1, 0, 2), 4 * (2 * 8 * 81 + 72 + 2 * 8 * 25));
}

TEST(KernelWork, TheSameConvolutionThroughItsOtherOps) {
  // convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
  const std::string types = R"(["float", "float", "float", "", "", "", "Scalar", "", "Scalar"])";
  expect_work({"aten::convolution", "[[1, 3, 5, 5], [4, 3, 3, 3], [4], [], [], [], [], [], []]", types,
               R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1"])"},
              1944, 4 * (75 + 108 + 4 + 36));
  // Transposed: 3 × 3 with stride 2 gives 6 × 6; each of 9 inputs is multiplied with each element of the weight.
  expect_work({"aten::convolution", "[[1, 4, 3, 3], [4, 2, 2, 2], [], [], [], [], [], [], []]",
               R"(["float", "float", "", "", "", "", "Scalar", "", "Scalar"])",
               R"(["", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "True", "[0, 0]", "1"])"},
              2 * 9 * (4 * 2 * 2 * 2), 4 * (4 * 9 + 32 + 2 * 36));
  // Without the concrete arguments, the result's size is not known.
  EXPECT_EQ(work_of({"aten::cudnn_convolution", "[[1, 3, 5, 5], [4, 3, 3, 3], [], [], [], []]",
                     R"(["float", "float", "", "", "", "Scalar"])"})
                .rule,
            WorkRule::none);
}

// convolution_backward of the strided convolution above, with both gradients.
RecordedOp backward_op(const std::string& mask) {
  return {"aten::convolution_backward", "[[1, 4, 3, 3], [1, 3, 5, 5], [4, 3, 3, 3], [], [], [], [], [], [], [], []]",
          R"(["float", "float", "float", "", "", "", "", "Scalar", "", "Scalar", ""])",
          fmt::format(R"(["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "{}"])", mask)};
}

TEST(KernelWork, TheTwoGradientsOfAConvolutionGoToTwoKernels) {
  const trace::Trace trace =
      traced(backward_op("[True, True, False]"), {{"dgrad", 10}, {"transform", 2}, {"wgrad", 30}});
  for (const char* name : {"dgrad", "wgrad"}) {
    const WorkAmount work = work_amount(trace, slice_named(trace, name));
    ASSERT_TRUE(work.flops) << name;
    EXPECT_DOUBLE_EQ(*work.flops, 1944) << name;
  }
  const WorkAmount helper = work_amount(trace, slice_named(trace, "transform"));
  EXPECT_FALSE(helper.flops);
  EXPECT_TRUE(helper.counted_elsewhere);
  // One gradient is half of the work.
  EXPECT_DOUBLE_EQ(*work_of(backward_op("[False, True, False]")).flops, 1944);
  EXPECT_DOUBLE_EQ(*work_of(backward_op("[True, True, False]")).flops, 2 * 1944);
}

TEST(KernelWork, AttentionIsTwoProducts) {
  // scaled_dot_product_attention(query, key, value, mask, dropout, is_causal): batch 2, heads 4, length 16, width 8.
  const std::string dims = "[[2, 4, 16, 8], [2, 4, 16, 8], [2, 4, 16, 8], [], [], []]";
  const std::string types = R"(["c10::Half", "c10::Half", "c10::Half", "", "Scalar", "Scalar"])";
  const double tensor = 2.0 * 2 * 4 * 16 * 8;
  expect_work({"aten::scaled_dot_product_attention", dims, types, R"(["", "", "", "", "0.", "False"])"},
              4.0 * 2 * 4 * 16 * 16 * 8, 4 * tensor);
  // Row i of the mask leaves i + 1 of 16 columns: 136 of 256 pairs.
  double pairs = 0;
  for (int i = 0; i < 16; ++i) pairs += i + 1;
  expect_work({"aten::scaled_dot_product_attention", dims, types, R"(["", "", "", "", "0.", "True"])"},
              2 * (2 * pairs * 8) * 2 * 4, 4 * tensor);
}

TEST(KernelWork, FlashAttentionHasTheHeadsBehindTheLength) {
  // batch 2, length 16, heads 4, width 8
  const std::string dims = "[[2, 16, 4, 8], [2, 32, 4, 8], [2, 32, 4, 8], [], [], [], [], [], [], []]";
  const std::string types = R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "", "", "Scalar", "Scalar", "Scalar",
                                "Scalar", "Scalar"])";
  const std::string concrete = R"(["", "", "", "", "", "16", "32", "0.", "False", "False"])";
  expect_work({"aten::_flash_attention_forward", dims, types, concrete}, 4.0 * 2 * 4 * 16 * 32 * 8,
              2.0 * (2 * (2 * 16 * 4 * 8) + 2 * (2 * 32 * 4 * 8)));
}

TEST(KernelWork, CudnnsAttentionHasTheHeadsInFront) {
  const std::string t = "[16, 8, 256, 64]";
  const RecordedOp op = {
      "aten::_cudnn_attention_forward", fmt::format("[{0}, {0}, {0}, [], [], [], [], [], [], [], [], [], []]", t),
      R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "", "", "", "Scalar", "Scalar", "Scalar", "Scalar",
          "Scalar", "Scalar", ""])",
      R"(["", "", "", "", "", "", "256", "256", "True", "0.", "False", "False", ""])"};
  expect_work(op, 4.0 * 16 * 8 * 256 * 256 * 64, 4 * 2.0 * 16 * 8 * 256 * 64);
}

TEST(KernelWork, AttentionsGradientsAreFiveProducts) {
  // _scaled_dot_product_flash_attention_backward(grad_out, q, k, v, out, logsumexp, ...)
  const std::string t = "[1, 2, 8, 4]";
  const std::string dims = fmt::format("[{0}, {0}, {0}, {0}, {0}, [1, 2, 8], [], [], [], [], [], [], [], []]", t);
  const std::string types =
      R"(["c10::Half", "c10::Half", "c10::Half", "c10::Half", "c10::Half", "float", "", "", "", "", "Scalar", "Scalar",
          "", ""])";
  const std::string concrete = R"(["", "", "", "", "", "", "", "", "8", "8", "0.", "False", "", ""])";
  expect_work({"aten::_scaled_dot_product_flash_attention_backward", dims, types, concrete},
              5.0 * 2 * (1 * 2 * 8 * 8 * 4), 8.0 * 2 * (1 * 2 * 8 * 4));
}

TEST(KernelWork, ElementwiseOpsReadTheirInputsAndWriteTheResult) {
  const WorkAmount relu = work_of({"aten::relu", "[[100, 4]]", R"(["c10::Half"])"});
  EXPECT_DOUBLE_EQ(relu.bytes.value_or(0), 2 * 400 * 2);
  EXPECT_FALSE(relu.flops) << "a comparison is no FLOP";
  // 100 × 4 and a row of 4, one FLOP per element.
  expect_work({"aten::add", "[[100, 4], [4], []]", R"(["float", "float", "Scalar"])"}, 400, 4 * (400 + 4 + 400));
  // The result of a comparison has one byte per element.
  EXPECT_DOUBLE_EQ(*work_of({"aten::gt", "[[100], [100]]", std::string(two_floats)}).bytes, 900);
  // In place, the result has the type of the first input.
  EXPECT_DOUBLE_EQ(*work_of({"aten::mul_", "[[100], [100]]", R"(["c10::Half", "float"])"}).bytes, 200 + 400 + 200);
  EXPECT_DOUBLE_EQ(*work_of({"aten::copy_", "[[100], [100], []]", R"(["c10::Half", "float", "Scalar"])"}).bytes, 600);
}

TEST(KernelWork, WhatIsNotKnownHasNoFigure) {
  EXPECT_EQ(work_of({"aten::topk", "[[64, 10]]", R"(["float"])"}).rule, WorkRule::none);
  EXPECT_EQ(work_of({"aten::mm", "[[64, 10], [11, 4]]", std::string(two_floats)}).rule, WorkRule::none);
  EXPECT_EQ(work_of({"aten::mm", "[[64, 10], [10, 4]]", R"(["c10::complex<float>", "c10::complex<float>"])"}).rule,
            WorkRule::none);
  EXPECT_EQ(work_of({"aten::mm", "[[64, -1], [-1, 4]]", std::string(two_floats)}).rule, WorkRule::none);
  EXPECT_EQ(work_of({"aten::exp", "[[64]]", R"(["long int"])"}).rule, WorkRule::none) << "its result is a float";
  EXPECT_EQ(work_of({"aten::add", "[[64], [3]]", std::string(two_floats)}).rule, WorkRule::none);
}

TEST(KernelWork, AnOpsWorkIsCountedOnceForItsLongestKernel) {
  const RecordedOp mm = {"aten::mm", "[[64, 10], [10, 1024]]", std::string(two_floats)};
  const trace::Trace split = traced(mm, {{"gemm", 10}, {"splitKreduce_kernel", 2}});
  EXPECT_DOUBLE_EQ(work_amount(split, slice_named(split, "gemm")).flops.value_or(0), 1'310'720);
  EXPECT_FALSE(work_amount(split, slice_named(split, "splitKreduce_kernel")).flops);
  // Launches of one name share it by their time.
  const trace::Trace parts = traced(mm, {{"gemm", 10}, {"gemm", 30}, {"tail", 20}});
  EXPECT_DOUBLE_EQ(work_amount(parts, slice_named(parts, "gemm")).flops.value_or(0), 327'680);
  EXPECT_DOUBLE_EQ(work_amount(parts, slice_named(parts, "gemm", 1)).flops.value_or(0), 983'040);
}

// The names are those of cuDNN, in the order in which it launches them; the layout changes take longer.
TEST(KernelWork, AConvolutionsFlopsGoToTheKernelThatCanComputeThem) {
  const RecordedOp op = {"aten::cudnn_convolution", "[[1, 3, 5, 5], [4, 3, 3, 3], [], [], [], []]",
                         R"(["float", "float", "", "", "", "Scalar"])",
                         R"(["", "", "[1, 1]", "[2, 2]", "[1, 1]", "1"])"};  // 1,944 FLOP, see above
  const char* const layout = "void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true>";
  const char* const product = "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16";
  const trace::Trace trace =
      traced(op, {{layout, 60}, {product, 10}, {"void cudnn::ops::nhwcToNchwKernel<float, float, float>", 40}});
  const WorkAmount moved = work_amount(trace, slice_named(trace, layout));
  EXPECT_FALSE(moved.flops);
  EXPECT_TRUE(moved.counted_elsewhere);
  const WorkAmount computed = work_amount(trace, slice_named(trace, product));
  EXPECT_DOUBLE_EQ(computed.flops.value_or(0), 1944);
  EXPECT_FALSE(computed.fewer);
  // Where the product is not recorded, nothing has its FLOPs.
  const trace::Trace alone = traced(op, {{layout, 60}});
  EXPECT_FALSE(work_amount(alone, slice_named(alone, layout)).flops);
}

TEST(KernelWork, WinogradNeedsFewerOperationsThanAreCounted) {
  const std::string transform = "void cudnn::winograd_nonfused::winogradForward";
  const trace::Trace trace = traced(backward_op("[True, False, False]"), {{transform + "Data4x4<float, float>", 20},
                                                                          {transform + "Filter4x4<float, float>", 9},
                                                                          {"volta_sgemm_128x64_nn", 10},
                                                                          {transform + "Output4x4<float, float>", 9}});
  const WorkAmount product = work_amount(trace, slice_named(trace, "volta_sgemm_128x64_nn"));
  EXPECT_DOUBLE_EQ(product.flops.value_or(0), 1944);
  EXPECT_TRUE(product.fewer);
  EXPECT_FALSE(work_amount(trace, slice_named(trace, transform + "Data4x4<float, float>")).flops);
}

TEST(KernelWork, AllAtOnceGivesTheSame) {
  const trace::Trace trace =
      traced(backward_op("[True, True, False]"), {{"dgrad", 10}, {"transform", 2}, {"wgrad", 30}, {"dgrad", 5}});
  const WorkAmounts all(trace);
  double sum = 0;
  for (const SliceId kernel : trace.kernel_order) {
    const WorkAmount one = work_amount(trace, kernel), of = all.of(kernel);
    EXPECT_EQ(one.flops, of.flops) << trace.name(kernel);
    EXPECT_EQ(one.bytes, of.bytes) << trace.name(kernel);
    EXPECT_EQ(one.counted_elsewhere, of.counted_elsewhere) << trace.name(kernel);
    sum += of.flops.value_or(0);
  }
  EXPECT_DOUBLE_EQ(sum, 2 * 1944);
}

TEST(KernelWork, OnlyTheInnermostOpCounts) {
  SmallTrace made;
  const RecordedOp outer = {"aten::linear", "[[64, 10], [1024, 10]]", std::string(two_floats)};
  const RecordedOp inner = {"aten::mm", "[[64, 10], [10, 1024]]", std::string(two_floats)};
  made.op(outer.name, 0, 100, outer.args()).op(inner.name, 10, 50, inner.args());
  made.call("cudaLaunchKernel", 20, 1, 1).kernel("gemm", 200, 10, 1);
  const trace::Trace trace = made.read();
  const WorkAmount work = work_amount(trace, slice_named(trace, "gemm"));
  EXPECT_DOUBLE_EQ(work.flops.value_or(0), 1'310'720);
  EXPECT_EQ(work.op, slice_named(trace, "aten::mm"));
}

TEST(KernelWork, CopiesHaveTheirRecordedBytes) {
  SmallTrace made;
  made.call("cudaMemcpyAsync", 10, 1, 1).copy("Memcpy HtoD (Pinned -> Device)", 20, 5, 1);
  const trace::Trace trace = made.read();
  const WorkAmount work = work_amount(trace, slice_named(trace, "Memcpy HtoD (Pinned -> Device)"));
  EXPECT_EQ(work.rule, WorkRule::recorded);
  EXPECT_DOUBLE_EQ(work.bytes.value_or(0), 4096);
  EXPECT_FALSE(work.flops);
}

}  // namespace
}  // namespace warpwalk::analysis
