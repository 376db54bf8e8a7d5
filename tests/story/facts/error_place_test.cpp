// An error is shown where it was made: at the warp, the lane and the address that the sanitizer names.
#include <gtest/gtest.h>

#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/scene_list.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

gpu::WarpPlace warp_of_block(std::uint32_t warp, std::uint64_t block) {
  gpu::WarpPlace place;
  place.warp = warp;
  place.block = block;
  return place;
}

// Thread (5, 2, 0) of block (1, 0, 0), of blocks of 16 x 8 threads: thread 37, lane 5 of warp 1.
TEST(ErrorPlace, BelongsToTheWarpOfItsThread) {
  const Crafted& race = crafted_inner_named("inner: a race");
  run::History history = *race.simulated;
  history.before.grid = {4, 1, 1};
  history.before.block = {16, 8, 1};
  gpu::Finding& finding = history.simulation.findings.front();
  finding.block = {1, 0, 0};
  finding.thread = {5, 2, 0};
  const ErrorThread thread = thread_of(history, finding);
  EXPECT_EQ(thread.block, 1u);
  EXPECT_EQ(thread.warp, 1u);
  EXPECT_EQ(thread.lane, 5);
  std::size_t at_line = 0;
  for (std::uint32_t i = 0; i < instruction_count(*race.travel); ++i) {
    const FoundError own = error_at(*race.travel, history, warp_of_block(1, 1), i);
    const FoundError other = error_at(*race.travel, history, warp_of_block(0, 1), i);
    const FoundError elsewhere = error_at(*race.travel, history, warp_of_block(1, 0), i);
    ASSERT_EQ(own.finding, other.finding);
    if (own.finding == nullptr) continue;
    ++at_line;
    EXPECT_TRUE(own.by_warp);
    EXPECT_FALSE(other.by_warp);
    EXPECT_FALSE(elsewhere.by_warp);
    EXPECT_EQ(error_text(english(), history, own), "what the sanitizer says");
    EXPECT_EQ(error_text(english(), history, other), "warp 1 of block 1: what the sanitizer says");
  }
  EXPECT_GE(at_line, 1u);
}

// Two errors at one line: a warp is told of its own.
TEST(ErrorPlace, AWarpIsToldOfItsOwnError) {
  const Crafted& race = crafted_inner_named("inner: a race");
  run::History history = *race.simulated;
  history.before.block = {64, 1, 1};
  gpu::Finding second = history.simulation.findings.front();
  second.thread = {40, 0, 0};
  second.message = "the second";
  history.simulation.findings.push_back(second);
  for (std::uint32_t i = 0; i < instruction_count(*race.travel); ++i)
    if (const FoundError found = error_at(*race.travel, history, warp_of_block(1, 0), i); found.finding != nullptr) {
      EXPECT_EQ(found.finding->message, "the second");
      EXPECT_TRUE(found.by_warp);
    }
}

Stage lanes_stage(std::string_view name, std::string_view beat) {
  const Crafted& one = crafted_inner_named(name);
  const Scene& scene = *find_scene("lanes");
  SceneInput input{one.trace, one.walk, english(), hardware(), {}, one.controls};
  input.moment = {Moment::Kind::beat, beat_named(scene, one.trace, one.walk, beat), 1};
  input.history = one.view();
  return stage_of(scene, input);
}

TEST(ErrorPlace, AnAccessToAnotherAddressIsNotTheError) {
  EXPECT_NE(find_fact(lanes_stage("inner: an error", "fold"), "The error here"), nullptr);
  // The same line, but the sanitizer found the error at another address.
  const Stage other = lanes_stage("inner: misaligned", "fold");
  EXPECT_EQ(find_fact(other, "The error here"), nullptr);
  EXPECT_NE(find_fact(other, "An error at this line"), nullptr);
}

}  // namespace
}  // namespace warpwalk::story::testing
