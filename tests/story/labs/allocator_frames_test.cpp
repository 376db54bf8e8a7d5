// The lab "allocator" names lines of Python, also when a stack begins with frames of C++.
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/labs/allocator/held.h"
#include "core/story/labs/allocator/plan.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using namespace allocator_lab;

// The line of a stack of these frames, the innermost first.
std::string own_line(std::vector<MemorySnapshot::Frame> frames, std::size_t callers = 0) {
  MemorySnapshot snapshot;
  snapshot.frames = std::move(frames);
  std::vector<std::uint32_t>& stack = snapshot.stacks.emplace_back();
  for (std::uint32_t i = 0; i < snapshot.frames.size(); ++i) stack.push_back(i);
  const MemorySnapshot::Frame* const frame = own_frame(snapshot, 0, callers);
  return frame == nullptr ? "none" : frame_text(*frame);
}

const std::string site = "/home/user/.venv/lib/python3.13/site-packages/";

TEST(AllocatorFrames, ASnapshotWithCppFramesHasItsLinesOfPython) {
  const trace::ReadResult file = read_trace_file("tests/trace/data/wild/16_snapshot_cpp_frames.pickle");
  const MemorySnapshot snapshot = trace::memory_snapshot(file.trace).value();
  const HeldMemory held = held_at(file.trace, snapshot, 0, file.trace.memory.size());
  const std::vector<LineSum> sums = sums_by_line(snapshot, held);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].line, "model.py:22 forward");
  EXPECT_EQ(sums[0].bytes, 256 * mib);
  EXPECT_EQ(sums[1].line, "optim.py:82 step");
  EXPECT_EQ(sums[1].bytes, 64 * mib);
  // The callers are lines of Python, too.
  const std::vector<LineSum> callers = sums_by_line(snapshot, held, 1);
  ASSERT_EQ(callers.size(), 2u);
  EXPECT_EQ(callers[0].line, "train.py:40 <module>");
  EXPECT_EQ(callers[1].line, "optimizer.py:493 wrapper");
  for (const std::size_t outer : {2u, 9u})
    for (const LineSum& sum : sums_by_line(snapshot, held, outer))
      EXPECT_THAT(sum.line, ::testing::StartsWith("train.py"));
}

TEST(AllocatorFrames, TheInnermostOwnFrameIsChosen) {
  EXPECT_EQ(own_line({{"??", "torch::unwind::unwind()", 0},
                      {site + "torch/nn/modules/linear.py", "forward", 134},
                      {"/home/user/my_model.py", "forward", 9},
                      {"/home/user/train.py", "main", 3}}),
            "my_model.py:9 forward");
  // Without a line of the program: the innermost line of Python.
  EXPECT_EQ(own_line({{"CUDACachingAllocator.cpp", "malloc", 0},
                      {site + "torch/optim/adam.py", "step", 238},
                      {site + "torch/optim/optimizer.py", "wrapper", 533}}),
            "adam.py:238 step");
  // Typed in, or in a notebook; <frozen ...> is part of Python.
  EXPECT_EQ(own_line({{"<frozen importlib._bootstrap>", "_call", 1}, {"<stdin>", "<module>", 2}}),
            "<stdin>:2 <module>");
  EXPECT_EQ(own_line({{site + "torch/functional.py", "f", 7}, {"/tmp/ipykernel_12/345.py", "<module>", 4}}),
            "345.py:4 <module>");
}

TEST(AllocatorFrames, WithoutPythonTheFrameNamesASourceOrNothing) {
  EXPECT_EQ(own_line({{"??", "torch::unwind::unwind()", 0}, {"", "at::empty()", 0}, {"my_extension.cpp", "run", 40}}),
            "my_extension.cpp:40 run");
  EXPECT_EQ(own_line({{"??", "torch::unwind::unwind()", 0}, {"unwind.cpp", "torch::unwind::unwind()", 3}}), "none");
  EXPECT_EQ(own_line({}), "none");
}

// Memory of a backward pass: autograd's thread has no frames of Python.
TEST(AllocatorFrames, AStackOfAutogradIsNamedAfterItsOp) {
  const trace::ReadResult file = read_trace_file("tests/trace/data/wild/26_snapshot_autograd.pickle");
  const MemorySnapshot snapshot = trace::memory_snapshot(file.trace).value();
  const HeldMemory held = held_at(file.trace, snapshot, 0, file.trace.memory.size());
  const std::vector<LineSum> sums = sums_by_line(snapshot, held);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].line, "backward: aten::mm");
  EXPECT_EQ(sums[0].bytes, 12 * mib);
  EXPECT_EQ(sums[1].line, "model.py:12 forward");
  // The outermost op, not the parts of it.
  EXPECT_EQ(own_line({{"CUDACachingAllocator.cpp", "c10::cuda::CUDACachingAllocator::malloc(unsigned long)", 0},
                      {"EmptyTensor.cpp", "at::detail::empty_cuda(c10::ArrayRef<long>)", 0},
                      {"??", "at::_ops::empty_like::redispatch(c10::DispatchKeySet)", 0},
                      {"??", "at::_ops::matmul::call(at::Tensor const&, at::Tensor const&)", 0}}),
            "aten::matmul");
}

}  // namespace
}  // namespace warpwalk::story::testing
