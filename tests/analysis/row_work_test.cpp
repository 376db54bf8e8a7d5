// Bytes of norms and look-ups from the shapes of their ops, against counts by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/kernels/work_amount.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

// The work of an op that launches one kernel.
WorkAmount row_op_work(std::string_view op, std::string_view dims, std::string_view types,
                       std::string_view concrete = "[]") {
  SmallTrace made;
  made.op(op, 0, 100,
          fmt::format(R"("Input Dims": {}, "Input type": {}, "Concrete Inputs": {}, "External id": 1)", dims, types,
                      concrete));
  made.call("cudaLaunchKernel", 10, 1, 1).kernel("kernel", 200, 10, 1);
  const trace::Trace trace = made.read();
  return work_amount(trace, slice_named(trace, "kernel"));
}

TEST(RowWork, LayerNormReadsOnceAndWritesTheResultAndTwoFiguresPerRow) {
  // native_layer_norm(input, normalized_shape, weight, bias, eps): 4 × 8 rows of 256 halves; mean and rstd are float.
  const WorkAmount half = row_op_work("aten::native_layer_norm", "[[4, 8, 256], [], [256], [256], []]",
                                      R"(["c10::Half", "ScalarList", "c10::Half", "c10::Half", "Scalar"])",
                                      R"(["", "[256]", "", "", "1e-05"])");
  EXPECT_EQ(half.rule, WorkRule::normalisation);
  EXPECT_FALSE(half.flops);
  EXPECT_DOUBLE_EQ(half.bytes.value_or(0), 2 * (2 * 4 * 8 * 256 + 2 * 256) + 4 * 2 * 32);
  // The shape of the weight says the same if the list was not recorded.
  EXPECT_EQ(row_op_work("aten::native_layer_norm", "[[4, 8, 256], [], [256], [256], []]",
                        R"(["c10::Half", "ScalarList", "c10::Half", "c10::Half", "Scalar"])")
                .bytes,
            half.bytes);
  EXPECT_EQ(row_op_work("aten::native_layer_norm", "[[4, 8, 256], [], [], [], []]",
                        R"(["c10::Half", "ScalarList", "", "", "Scalar"])")
                .rule,
            WorkRule::none)
      << "neither a list nor a weight";
}

TEST(RowWork, RmsNormHasNoMeanAndNoBias) {
  EXPECT_DOUBLE_EQ(
      row_op_work("aten::_fused_rms_norm", "[[32, 128], [], [128], []]",
                  R"(["c10::BFloat16", "ScalarList", "c10::BFloat16", "Scalar"])", R"(["", "[128]", "", "1e-06"])")
          .bytes.value_or(0),
      2 * (2 * 32 * 128 + 128) + 4 * 32);
}

TEST(RowWork, LayerNormsGradientsAreThoseThatTheMaskAsksFor) {
  const auto bytes = [](std::string_view mask) {
    return row_op_work("aten::native_layer_norm_backward",
                       "[[32, 128], [32, 128], [], [32, 1], [32, 1], [128], [128], []]",
                       R"(["float", "float", "ScalarList", "float", "float", "float", "float", ""])",
                       fmt::format(R"(["", "", "[128]", "", "", "", "", "{}"])", mask))
        .bytes.value_or(0);
  };
  const double read = 4 * (2 * 32 * 128 + 2 * 32 + 128);
  EXPECT_DOUBLE_EQ(bytes("[True, True, True]"), read + 4 * (32 * 128 + 128 + 128));
  EXPECT_DOUBLE_EQ(bytes("[True, False, False]"), read + 4 * 32 * 128);
}

TEST(RowWork, GroupNormHasTwoFiguresPerGroup) {
  // native_group_norm(input, weight, bias, N, C, HxW, group, eps): 2 × 32 × 8 × 8 in 4 groups.
  EXPECT_DOUBLE_EQ(row_op_work("aten::native_group_norm", "[[2, 32, 8, 8], [32], [32], [], [], [], [], []]",
                               R"(["float", "float", "float", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar"])",
                               R"(["", "", "", "2", "32", "64", "4", "1e-05"])")
                       .bytes.value_or(0),
                   4 * (2 * 2 * 32 * 64 + 32 + 32 + 2 * 2 * 4));
}

TEST(RowWork, BatchNormUpdatesItsRunningFiguresInTraining) {
  const auto bytes = [](std::string_view op, std::string_view training) {
    return row_op_work(op, "[[2, 3, 4, 4], [3], [3], [3], [3], [], [], []]",
                       R"(["float", "float", "float", "float", "float", "Scalar", "Scalar", "Scalar"])",
                       fmt::format(R"(["", "", "", "", "", "{}", "0.1", "1e-05"])", training))
        .bytes.value_or(0);
  };
  const double through = 4 * (2 * 2 * 3 * 16 + 3 + 3);
  EXPECT_DOUBLE_EQ(bytes("aten::native_batch_norm", "False"), through + 4 * (3 + 3));
  EXPECT_DOUBLE_EQ(bytes("aten::cudnn_batch_norm", "True"), through + 4 * (2 * (3 + 3) + 3 + 3));
  EXPECT_DOUBLE_EQ(bytes("aten::miopen_batch_norm", "True"), bytes("aten::cudnn_batch_norm", "True"));
}

TEST(RowWork, ALookupReadsNoMoreThanTheTable) {
  // index_select(self, dim, index): 100 rows of 64 floats by 8-byte numbers.
  const auto bytes = [](int vocabulary, int dim) {
    return row_op_work("aten::index_select", fmt::format("[[{}, 64], [], [100]]", vocabulary),
                       R"(["float", "Scalar", "long int"])", fmt::format(R"(["", "{}", ""])", dim))
        .bytes.value_or(0);
  };
  EXPECT_DOUBLE_EQ(bytes(50'000, 0), 8 * 100 + 2 * 100 * 64 * 4);
  EXPECT_DOUBLE_EQ(bytes(50'000, -2), bytes(50'000, 0));
  EXPECT_DOUBLE_EQ(bytes(10, 0), 8 * 100 + 100 * 64 * 4 + 10 * 64 * 4) << "each of the 10 rows is read once";
  // embedding(weight, indices, padding_idx, ...)
  EXPECT_DOUBLE_EQ(row_op_work("aten::embedding", "[[50000, 64], [4, 25], [], [], []]",
                               R"(["float", "long int", "Scalar", "Scalar", "Scalar"])")
                       .bytes.value_or(0),
                   bytes(50'000, 0));
}

}  // namespace
}  // namespace warpwalk::analysis
