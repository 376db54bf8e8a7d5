#include <gtest/gtest.h>

#include "core/trace/nsys/range_name.h"

namespace warpwalk::trace::nsys {
namespace {

TEST(NsysRangeName, ReadsAllPartsOfEmitNvtx) {
  const RangeName name = read_range_name(
      "aten::addmm, seq = 12, op_id = 40, sizes = [[8], [4, 2], [2, 8], [], []], input_op_ids = [(0,-1), (39,0)]");
  EXPECT_EQ(name.name, "aten::addmm");
  EXPECT_TRUE(name.op);
  EXPECT_EQ(name.sequence, 12);
  EXPECT_EQ(name.op_id, 40);
  EXPECT_EQ(name.sizes, "[[8], [4, 2], [2, 8], [], []]");
  EXPECT_EQ(name.input_op_ids, "[(0,-1), (39,0)]");
}

TEST(NsysRangeName, EachPartMayBeMissing) {
  EXPECT_EQ(read_range_name("aten::mm, seq = 5").sequence, 5);
  EXPECT_EQ(read_range_name("aten::empty, op_id = 7").op_id, 7);
  EXPECT_EQ(read_range_name("aten::mm, sizes = [[2, 3]]").sizes, "[[2, 3]]");
  EXPECT_TRUE(read_range_name("MmBackward0, seq = 5").op);
  EXPECT_EQ(read_range_name("MmBackward0, seq = 5").name, "MmBackward0");
  EXPECT_TRUE(read_range_name("aten::_local_scalar_dense").op);
  EXPECT_EQ(read_range_name("autograd::engine::evaluate_function: MmBackward0, op_id = 9").name,
            "autograd::engine::evaluate_function: MmBackward0");
  EXPECT_TRUE(read_range_name("autograd::engine::evaluate_function: MmBackward0, op_id = 9").op);
}

TEST(NsysRangeName, RangesOfTheProgramAreNotOps) {
  // record_function under emit_nvtx has a number but no sequence.
  EXPECT_FALSE(read_range_name("my step, op_id = 9").op);
  EXPECT_EQ(read_range_name("my step, op_id = 9").name, "my step");
  for (const char* text : {"", "forward", "forward, seq", ", seq = 5", "batch, seq = five", "batch, seq = 5 of 9",
                           "a, sizes = [1, 2", "a, sizes = [1,,2]", "a, sizes = [x]", "a, op_id = ", "aten::",
                           "aten::a b", "a, sizes = 5", "a, op_id = 3, seq = 4", "a, seq = 1234567890123456789012"}) {
    const RangeName name = read_range_name(text);
    EXPECT_FALSE(name.op) << text;
    EXPECT_EQ(name.name, text);
    EXPECT_EQ(name.sequence, absent) << text;
  }
}

}  // namespace
}  // namespace warpwalk::trace::nsys
