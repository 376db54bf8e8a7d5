// The boardroom: a wait for the GPU names the work that it waits for.
#include "core/story/scenes/boardroom/boardroom.h"

#include <gtest/gtest.h>

#include "core/story/scene_list.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

std::int64_t gpu_running(const Trace& trace, std::string_view kernel) {
  return trace.tracks[trace.slices.track[slice_named(trace, kernel)]].device;
}

// A product of 20 µs, then the sum of its parts, 3 µs: the call waits for both, and longest for the product.
SmallTrace product_in_parts() {
  return SmallTrace()
      .call("cudaLaunchKernel", 0, 4, 1)
      .call("cudaLaunchKernel", 5, 4, 2)
      .kernel("gemm", 8, 20, 1)
      .kernel("splitKreduce_kernel", 29, 3, 2)
      .call("cudaDeviceSynchronize", 10, 24, 3);
}

TEST(AwaitedWork, TheLongestIsNamedAndTheLast) {
  const Trace trace = product_in_parts().read();
  const auto found = awaited_work(trace, slice_named(trace, "cudaDeviceSynchronize"), gpu_running(trace, "gemm"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2u);
  EXPECT_EQ(found->longest, slice_named(trace, "gemm"));
  EXPECT_EQ(found->longest_time, 18000);  // from 10 to 28: what ran before the call was not waited for
  EXPECT_EQ(found->last, slice_named(trace, "splitKreduce_kernel"));
}

TEST(AwaitedWork, WorkThatHadEndedOrGoesOnIsNotWaitedFor) {
  const Trace ended = SmallTrace().kernel("early", 0, 9, 0).call("cudaDeviceSynchronize", 10, 5, 3).read();
  EXPECT_FALSE(awaited_work(ended, slice_named(ended, "cudaDeviceSynchronize"), gpu_running(ended, "early")));
  // A call that waits for one stream, while another one works on.
  const Trace other = SmallTrace()
                          .kernel("long", 0, 100, 0, 13)
                          .kernel("short", 8, 10, 0, 7)
                          .call("cudaStreamSynchronize", 10, 9, 3)
                          .read();
  const auto found = awaited_work(other, slice_named(other, "cudaStreamSynchronize"), gpu_running(other, "long"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 1u);
  EXPECT_EQ(found->longest, slice_named(other, "short"));
  EXPECT_EQ(found->longest_time, 8000);
}

TEST(AwaitedWork, TheSentenceSaysWhatTheWaitIsFor) {
  const Trace trace = product_in_parts().read();
  const Walk walk = *follow(trace, "kernel:1");
  const Scene& scene = *find_scene("boardroom");
  SceneInput input{trace, walk, english(), hardware(), {}, {}};
  input.moment = {Moment::Kind::beat, beat_named(scene, trace, walk, "meanwhile"), 1};
  const Stage stage = stage_of(scene, input);
  EXPECT_NE(stage.sentence.find("2 kernels, copies or fills: longest gemm (18.0 µs), last "
                                "splitKreduce_kernel"),
            std::string::npos)
      << stage.sentence;
}

}  // namespace
}  // namespace warpwalk::story::testing
