#include "core/analysis/walk.h"

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/trace/link.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

SmallTrace two_ops() {
  return SmallTrace()
      .frame("outer.py(1): main", -20, 400)
      .frame("inner.py(2): step", -10, 350)
      .op("aten::mul", 0, 50)
      .call("cudaLaunchKernel", 10, 5, 1)
      .kernel("short_one", 20, 30, 1)
      .op("aten::matmul", 60, 90)
      .op("aten::mm", 65, 80)
      .call("cudaLaunchKernel", 70, 5, 2)
      .kernel("long_one", 80, 100, 2)
      .call("cudaLaunchKernel", 90, 5, 3)
      .kernel("middle_one", 190, 60, 3);
}

TEST(DefaultWalk, FollowsTheOpWithTheMostGpuTimeAndOfEqualsTheOutermost) {
  const Trace trace = two_ops().read();
  const Walk walk = default_walk(trace);
  EXPECT_EQ(walk.op, slice_named(trace, "aten::matmul"));
  EXPECT_EQ(walk.kernel, slice_named(trace, "long_one"));
  EXPECT_EQ(walk.launch, slice_named(trace, "cudaLaunchKernel", 1));
  EXPECT_EQ(walk.ops, (std::vector{slice_named(trace, "aten::matmul"), slice_named(trace, "aten::mm")}));
  EXPECT_EQ(walk.frames,
            (std::vector{slice_named(trace, "outer.py(1): main"), slice_named(trace, "inner.py(2): step")}));
  EXPECT_EQ(walk.gpu_pieces, 2u);
  EXPECT_FALSE(walk.empty());
}

TEST(DefaultWalk, WithoutGpuWorkTheLongestOp) {
  const Trace trace = SmallTrace().op("aten::a", 0, 10).op("aten::b", 20, 40).op("aten::c", 25, 30).read();
  const Walk walk = default_walk(trace);
  EXPECT_EQ(walk.op, slice_named(trace, "aten::b"));
  EXPECT_EQ(walk.ops, std::vector{slice_named(trace, "aten::b")});
  EXPECT_EQ(walk.kernel, no_slice);
  EXPECT_EQ(walk.launch, no_slice);
  EXPECT_EQ(walk.gpu_pieces, 0u);
}

TEST(DefaultWalk, WithoutOpsTheLongestKernel) {
  const Trace trace = SmallTrace().kernel("a", 0, 10, 1).kernel("b", 20, 40, 2).kernel("c", 70, 30, 3).read();
  const Walk walk = default_walk(trace);
  EXPECT_EQ(walk.kernel, slice_named(trace, "b"));
  EXPECT_EQ(walk.op, no_slice);
  EXPECT_TRUE(walk.ops.empty());
}

TEST(DefaultWalk, AKernelWhoseLaunchIsUnknownIsBetterThanAnOpThatStartsNothing) {
  const Trace trace = SmallTrace().op("aten::a", 0, 500).kernel("b", 20, 40, 2).read();
  EXPECT_EQ(default_walk(trace).kernel, slice_named(trace, "b"));
}

TEST(DefaultWalk, OfNothingIsEmpty) {
  EXPECT_TRUE(default_walk(Trace{}).empty());
  EXPECT_TRUE(default_walk(SmallTrace().frame("a.py(1): f", 0, 10).read()).empty());
}

TEST(DefaultWalk, CountsCopiesAsGpuTime) {
  const Trace trace =
      two_ops().op("aten::copy_", 300, 20).call("cudaMemcpyAsync", 305, 5, 9).copy("Memcpy DtoH", 320, 1000, 9).read();
  EXPECT_EQ(default_walk(trace).op, slice_named(trace, "aten::copy_"));
  EXPECT_EQ(default_walk(trace).kernel, slice_named(trace, "Memcpy DtoH"));
}

TEST(Follow, OpsAndKernelsByTheirOrderOfStart) {
  const Trace trace = two_ops().read();
  const std::vector<std::string_view> ops = {"aten::mul", "aten::matmul", "aten::mm"};
  for (std::size_t n = 0; n < ops.size(); ++n) {
    const auto walk = follow(trace, "op:" + std::to_string(n));
    ASSERT_TRUE(walk) << walk.error();
    EXPECT_EQ(trace.name(walk->op), ops[n]);
    EXPECT_EQ(number_of(trace, walk->op), n);
  }
  const std::vector<std::string_view> kernels = {"short_one", "long_one", "middle_one"};
  for (std::size_t n = 0; n < kernels.size(); ++n) {
    const auto walk = follow(trace, "kernel:" + std::to_string(n));
    ASSERT_TRUE(walk) << walk.error();
    EXPECT_EQ(trace.name(walk->kernel), kernels[n]);
    EXPECT_EQ(number_of(trace, walk->kernel), n);
    EXPECT_EQ(walk->launch, slice_named(trace, "cudaLaunchKernel", static_cast<int>(n)));
    EXPECT_EQ(walk->gpu_pieces, 1u);
  }
}

TEST(Follow, AnInnerOpKeepsTheOpsAroundIt) {
  const Trace trace = two_ops().read();
  const Walk walk = *follow(trace, "op:2");
  EXPECT_EQ(walk.op, slice_named(trace, "aten::mm"));
  EXPECT_EQ(walk.ops, (std::vector{slice_named(trace, "aten::matmul"), slice_named(trace, "aten::mm")}));
  EXPECT_EQ(follow(trace, "kernel:2")->op, slice_named(trace, "aten::mm"));
}

TEST(Follow, AnOuterOpGoesDownToTheOneThatLaunches) {
  const Trace trace = SmallTrace()
                          .op("outer", 0, 100)
                          .op("first", 5, 10)
                          .op("second", 20, 60)
                          .op("third", 30, 40)
                          .call("cudaLaunchKernel", 40, 5, 1)
                          .kernel("k", 50, 5, 1)
                          .op("last", 85, 10)
                          .read();
  const Walk walk = *follow(trace, "op:0");
  EXPECT_EQ(walk.op, slice_named(trace, "outer"));
  EXPECT_EQ(walk.ops,
            (std::vector{slice_named(trace, "outer"), slice_named(trace, "second"), slice_named(trace, "third")}));
  EXPECT_EQ(follow(trace, "op:1")->kernel, no_slice);
  EXPECT_EQ(follow(trace, "op:4")->kernel, no_slice);
}

TEST(Follow, AGraphLaunchStartsManyKernelsAndTheLongestIsFollowed) {
  SmallTrace small;
  small.op("graph", 0, 40).call("cudaGraphLaunch", 10, 5, 1);
  for (int i = 0; i < 50; ++i) small.kernel("node_" + std::to_string(i), 20 + 10 * i, i == 31 ? 9 : 5, 1);
  const Trace trace = small.read();
  const Walk walk = default_walk(trace);
  EXPECT_EQ(walk.gpu_pieces, 50u);
  EXPECT_EQ(trace.name(walk.kernel), "node_31");
  for (std::size_t n = 0; n < 50; ++n) {
    const Walk one = follow_gpu_work(trace, trace.kernel_order[n]);
    EXPECT_EQ(one.launch, walk.launch);
    EXPECT_EQ(one.op, walk.op);
  }
}

TEST(Follow, AKernelWithoutALaunchHasNoOp) {
  const Trace trace = SmallTrace().op("aten::a", 0, 50).kernel("k", 20, 10, 4).read();
  const Walk walk = *follow(trace, "kernel:0");
  EXPECT_EQ(walk.kernel, slice_named(trace, "k"));
  EXPECT_EQ(walk.launch, no_slice);
  EXPECT_EQ(walk.op, no_slice);
  EXPECT_TRUE(walk.ops.empty());
  EXPECT_FALSE(walk.empty());
}

TEST(Follow, AnotherThreadsOpAtTheSameTimeIsNotInvolved) {
  const Trace trace = SmallTrace()
                          .op("mine", 0, 100)
                          .op("other", 0, 100, {}, 11)
                          .call("cudaLaunchKernel", 40, 5, 1, 11)
                          .kernel("k", 50, 5, 1)
                          .read();
  EXPECT_EQ(follow_op(trace, slice_named(trace, "mine")).kernel, no_slice);
  EXPECT_EQ(follow_op(trace, slice_named(trace, "other")).kernel, slice_named(trace, "k"));
  EXPECT_EQ(default_walk(trace).op, slice_named(trace, "other"));
}

TEST(FollowErrors, SayWhatThereIs) {
  const Trace trace = two_ops().read();
  EXPECT_EQ(follow(trace, "op:3").error(), "op:3: this trace has op:0 to op:2");
  EXPECT_EQ(follow(trace, "kernel:3").error(), "kernel:3: this trace has kernel:0 to kernel:2");
  const Trace cpu = SmallTrace().op("aten::a", 0, 10).read();
  EXPECT_EQ(follow(cpu, "kernel:0").error(), "kernel:0: this trace has no kernels");
  EXPECT_EQ(follow(Trace{}, "op:0").error(), "op:0: this trace has no ops");
}

TEST(FollowErrors, SayHowToWriteIt) {
  const Trace trace = two_ops().read();
  for (const std::string_view bad : {"", "op", "op:", "op:x", "op:1x", "op:-1", "kernel:", "kernels:1", "1", "block:0",
                                     "op:99999999999999999999999", "OP:1", "op: 1"}) {
    const auto walk = follow(trace, bad);
    ASSERT_FALSE(walk) << bad;
    EXPECT_THAT(walk.error(), ::testing::HasSubstr("write op:N, kernel:N or launch:N"));
  }
}

TEST(GpuTime, AddsUpThroughTheOpsAroundALaunch) {
  const Trace trace = two_ops().read();
  const std::vector<std::int64_t> time = gpu_time_by_slice(trace);
  EXPECT_EQ(time[slice_named(trace, "aten::mul")], 30000);
  EXPECT_EQ(time[slice_named(trace, "aten::matmul")], 160000);
  EXPECT_EQ(time[slice_named(trace, "aten::mm")], 160000);
  EXPECT_EQ(time[slice_named(trace, "outer.py(1): main")], 190000);
}

TEST(WalkOfSamples, EveryKernelsWalkMatchesTheLinks) {
  for (const std::string_view name : sample_names) {
    const Trace& trace = sample(name);
    for (const SliceId kernel : trace.kernel_order) {
      const Walk walk = follow_gpu_work(trace, kernel);
      EXPECT_EQ(walk.launch, trace::launch_of(trace, kernel));
      EXPECT_EQ(walk.op, trace::op_of(trace, kernel));
      ASSERT_FALSE(walk.ops.empty());
      EXPECT_EQ(walk.ops.back(), walk.op);
      for (std::size_t i = 1; i < walk.ops.size(); ++i) {
        EXPECT_LE(trace.slices.start[walk.ops[i - 1]], trace.slices.start[walk.ops[i]]);
        EXPECT_GE(trace.slices.end(walk.ops[i - 1]), trace.slices.end(walk.ops[i]));
      }
    }
  }
}

TEST(FollowLaunch, NamesEveryPieceOfGpuWorkAndFindsItAgain) {
  std::size_t copies = 0;
  for (const std::string_view name : sample_names) {
    const Trace& trace = sample(name);
    for (std::size_t n = 0; n < trace.launched.size(); ++n) {
      const auto walk = follow(trace, fmt::format("launch:{}", n));
      ASSERT_TRUE(walk) << walk.error();
      EXPECT_EQ(walk->kernel, trace.launched[n].second);
      EXPECT_EQ(walk->launch, trace.launched[n].first);
      const std::string again = follow_name(trace, walk->kernel);
      EXPECT_EQ(follow(trace, again)->kernel, walk->kernel) << again;
      copies += again.starts_with("launch:");
    }
    for (const SliceId op : trace.op_order) EXPECT_EQ(follow(trace, follow_name(trace, op))->op, op);
  }
  EXPECT_GT(copies, 10u);
}

TEST(FollowLaunch, WhatIsNotThereIsSaid) {
  const Trace& trace = sample("relu_matmul");
  EXPECT_EQ(follow(trace, "launch:2").error(), "launch:2: this trace has launch:0 to launch:1");
  EXPECT_EQ(follow(Trace{}, "launch:0").error(), "launch:0: this trace has no launches");
  EXPECT_FALSE(follow(trace, "launch:"));
  EXPECT_FALSE(follow(trace, "launch:-1"));
  EXPECT_EQ(follow_name(trace, no_slice), "");
}

TEST(Walk, ThousandsOfNestedOpsAreNotCountedOneByOne) {
  SmallTrace deep;
  constexpr int ops = 5000;
  for (int i = 0; i < ops; ++i) deep.op("aten::deep", i, 4 * ops - 2 * i);
  const Trace trace = deep.call("cudaLaunchKernel", ops + 1, 5, 1).kernel("k", ops + 10, 50, 1).read();
  const Walk walk = default_walk(trace);
  ASSERT_EQ(walk.ops.size(), static_cast<std::size_t>(ops));
  EXPECT_TRUE(has_depth(trace, walk.ops[0], 0));
  EXPECT_TRUE(has_depth(trace, walk.ops[3], 3));
  EXPECT_FALSE(has_depth(trace, walk.ops[3], 2));
  EXPECT_FALSE(has_depth(trace, walk.ops[4000], 4000));  // too far to walk for every bar of a picture
}

}  // namespace
}  // namespace warpwalk::analysis
