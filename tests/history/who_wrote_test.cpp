// Who wrote what (core/gpu/history/writer) names the same store as the origin of a number (core/gpu/history/origin),
// for blocks that run alone and for those that depend on others; and what an answer says of bytes that were not
// written.
#include "core/gpu/history/writer/who_wrote.h"

#include <gtest/gtest.h>

#include "core/gpu/exec/launch_addresses.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/history/writer/nan_source.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

class SameStore : public ::testing::TestWithParam<const char*> {};

TEST_P(SameStore, AsTheOrigin) {
  const run::LoadedLaunch loaded = timed::load(std::string("cases/") + GetParam() + "/launch.json");
  const Launch& before = loaded.launch;
  const std::vector<std::uint64_t> addresses = buffer_addresses(*loaded.program, before);
  LaunchWriters writers(timed::h200(), *loaded.program, before);
  std::size_t written = 0;
  for (std::size_t b = 0; b < before.buffers.size(); ++b)
    for (const std::size_t part : {0, 3, 7}) {
      const std::uint64_t bytes = before.buffers[b].bytes.size();
      if (bytes < 4) continue;
      WriterQuestion question;
      question.place.address = addresses[b] + (bytes - 4) * part / 7 / 4 * 4;
      const auto answer = writers.ask(question);
      ASSERT_TRUE(answer) << answer.error();
      const auto origin = find_origin(timed::h200(), *loaded.program, before, question.place.address, 4);
      ASSERT_TRUE(origin) << origin.error();
      ASSERT_EQ(answer->written(), origin->written()) << before.buffers[b].name << " " << part;
      if (!answer->written()) continue;
      ++written;
      const OriginStep &step = answer->writer().step, &expected = origin->steps.back();
      EXPECT_EQ(step.warp, expected.warp);
      EXPECT_EQ(step.instruction, expected.instruction);
      EXPECT_EQ(step.occurrence, expected.occurrence);
      EXPECT_EQ(step.lanes, expected.lanes);
      EXPECT_EQ(step.value, expected.value);
      // What it was computed from was there before: the block's own memory, or another writer's.
      for (std::size_t i = 0; i < std::min<std::size_t>(answer->reads.size(), 3); ++i) {
        const auto earlier = writers.ask(question_about(*answer, answer->reads[i]));
        ASSERT_TRUE(earlier) << earlier.error();
        if (!earlier->written()) continue;
        EXPECT_FALSE(earlier->writer().step.accesses.empty());
      }
    }
  EXPECT_GT(written, 0U);
}

INSTANTIATE_TEST_SUITE_P(Cases, SameStore,
                         ::testing::Values("shipped_vecadd", "shipped_matmul_tiled", "shipped_softmax",
                                           "shipped_histogram", "cooperative_tiles", "scan_lookback",
                                           "generic_pointers", "cluster_reduction", "cluster_histogram", "last_block",
                                           "atomics_global", "async_pipeline", "radix_sort", "wmma", "attention",
                                           "tensor_pipeline", "recursion", "local_arrays"),
                         [](const auto& test) { return std::string(test.param); });

TEST(WhoWrote, LaterAnswersRunOnlyTheirBlock) {
  const run::LoadedLaunch loaded = timed::load("cases/shipped_matmul_tiled/launch.json");
  LaunchWriters writers(timed::h200(), *loaded.program, loaded.launch);
  const std::vector<std::uint64_t> addresses = buffer_addresses(*loaded.program, loaded.launch);
  WriterQuestion question;
  question.place.address = addresses.back();
  const auto first = writers.ask(question);
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->written());
  EXPECT_EQ(first->whole_runs, 1U);
  const auto again = writers.ask(question);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->whole_runs, 0U);
  EXPECT_EQ(again->group_runs, 2U);
}

TEST(WhoWrote, FindsNansOfAllFormats) {
  EXPECT_TRUE(is_nan(0x7e00, 2, NumberFormat::f16));
  EXPECT_FALSE(is_nan(0x7c00, 2, NumberFormat::f16));  // infinity
  EXPECT_TRUE(is_nan(0x7fc0'3f80, 4, NumberFormat::bf16));
  EXPECT_FALSE(is_nan(0x3f80'7f80, 4, NumberFormat::bf16));
  EXPECT_TRUE(is_nan(0xffff'ffff, 4, NumberFormat::f32));
  EXPECT_FALSE(is_nan(0xff80'0000, 4, NumberFormat::f32));
  EXPECT_TRUE(is_nan(0x7ff8'0000'0000'0000, 8, NumberFormat::f64));
  EXPECT_FALSE(is_nan(0xfff0'0000'0000'0000, 8, NumberFormat::f64));
}

}  // namespace
}  // namespace warpwalk::gpu
