#include "instrumentation/nvtx_op.h"

#include <gtest/gtest.h>

namespace warpwalk::instrumentation {
namespace {

TEST(NvtxOp, TextsOfEmitNvtx) {
  // Texts written by PyTorch 2.11.
  const NvtxOp mm = parse_nvtx("aten::addmm, seq = 32, op_id = 459, sizes = [[10], [64, 512], [512, 10], [], []]");
  EXPECT_EQ(mm.name, "aten::addmm");
  EXPECT_EQ(mm.sequence, 32);
  EXPECT_EQ(mm.op_id, 459);
  EXPECT_EQ(mm.input_dims, "[[10], [64, 512], [512, 10], [], []]");
  EXPECT_TRUE(mm.op);
  const NvtxOp after = parse_nvtx("aten::t, op_id = 456, sizes = [[10, 512]], input_op_ids = [(454,0)]");
  EXPECT_EQ(after.input_dims, "[[10, 512]]");
  EXPECT_FALSE(after.sequence);
  EXPECT_TRUE(parse_nvtx("AddmmBackward0, seq = 32, op_id = 470").op);
  EXPECT_TRUE(parse_nvtx("torch::autograd::AccumulateGrad, op_id = 3").op);
  EXPECT_TRUE(parse_nvtx("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad, op_id = 2").op);
  EXPECT_TRUE(parse_nvtx("detach, op_id = 3, sizes = [[512, 256]]").op);
}

TEST(NvtxOp, RangesOfTheProgram) {
  const NvtxOp step = parse_nvtx("Optimizer.step#SGD.step, op_id = 143");
  EXPECT_EQ(step.name, "Optimizer.step#SGD.step");
  EXPECT_FALSE(step.op);
  for (const char* const text : {"", "the walk", "seq = 3", "stage: a::b and c", "epoch 12"}) {
    const NvtxOp range = parse_nvtx(text);
    EXPECT_EQ(range.name, text);
    EXPECT_FALSE(range.op) << text;
  }
}

TEST(NvtxOp, WhatIsNoListIsNotKept) {
  for (const char* const list :
       {"[[1, 2", "1, 2]", "[1,, 2]", "[1, x]", "[1 2]", "[-]", "[[1][2]]", "[1,]", "[,1]", "]"})
    EXPECT_EQ(parse_nvtx(std::string("aten::mm, sizes = ") + list).input_dims, "") << list;
  for (const char* const list : {"[]", "[[], []]", "[-1]", "[[[1, 2], [3]], 4]"})
    EXPECT_EQ(parse_nvtx(std::string("aten::mm, sizes = ") + list).input_dims, list);
  EXPECT_FALSE(parse_nvtx("aten::mm, seq = 12x").sequence);
  EXPECT_FALSE(parse_nvtx("aten::mm, seq = 99999999999999999999").sequence);
}

}  // namespace
}  // namespace warpwalk::instrumentation
