// For untimed work, the texts give the counters but no times.
#include <regex>
#include <utility>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

const Crafted& counted_walk() { return crafted_named("untimed: counted, with conflicts"); }
const Crafted& lost() { return crafted_named("untimed: a real run that lost the kernel's time"); }

std::string scene_words(const Crafted& made, std::string_view scene_name = {}) {
  std::string words;
  const auto wanted = [&](const Scene& scene) {
    for (const std::string_view of_the_gpu :
         {"lab/parameters", "lab/validation", "lab/memory-hierarchy", "lab/ptx-sass", "lab/why-gpus", "lab/tiling",
          "lab/latency-hiding", "lab/host-device", "lab/tensors", "lab/streams", "lab/allocator", "lab/observe",
          "lab/cuda-triton", "lab/torch-compile", "lab/storage", "lab/collectives"})
      if (scene.name == of_the_gpu) return false;  // its times are the GPU's, not the walk's
    return scene_name.empty() || scene.name == scene_name;
  };
  for_each_beat(
      made.trace, made.walk, english(), [&](const Scene&, const Stage& stage) { words += transcript(stage); }, {}, {},
      {}, wanted);
  return words;
}

SceneInput input_of(const Crafted& made) {
  return {made.trace, made.walk, english(), hardware(), Moment{}, {}, Naming::both, {}};
}

TEST(Untimed, TheTraceSaysWhy) {
  EXPECT_EQ(time_record_of(counted_walk().trace, counted_walk().walk), TimeRecord::unclocked);
  EXPECT_EQ(time_record_of(lost().trace, lost().walk), TimeRecord::unrecorded);
  EXPECT_EQ(time_record_of(sample("relu_matmul"), default_walk(sample("relu_matmul"))), TimeRecord::timed);
  const trace::Trace cpu = SmallTrace().op("aten::relu", 0, 10).read();
  EXPECT_EQ(time_record_of(cpu, default_walk(cpu)), TimeRecord::timed);
}

TEST(Untimed, NoTimeIsToldOfARunWithoutAClock) {
  const std::regex time("[0-9] (ns|µs|ms|s)\\b");
  std::size_t checked = 0;
  for (const Crafted& made : crafted()) {
    if (time_record_of(made.trace, made.walk) != TimeRecord::unclocked) continue;
    if (has_time(made.trace, made.walk.launch)) continue;  // the CPU's times are a model's
    ++checked;
    const std::string words = scene_words(made);
    std::smatch found;
    EXPECT_FALSE(std::regex_search(words, found, time)) << made.name << ": " << found.prefix().str().substr(0, 0)
                                                        << words.substr(static_cast<std::size_t>(found.position()), 80);
  }
  EXPECT_GE(checked, 3u);
}

TEST(Untimed, NothingIsSaidToBeFirstOrToTakeNoTime) {
  for (const Crafted& made : crafted()) {
    if (!is_untimed(made.trace, made.walk)) continue;
    const std::string words = scene_words(made);
    for (const std::string_view untrue :
         {"The GPU is done before", "No time in the queue", "Most of the time is", "before the call had even",
          "By its own clock", "clocks of CPU and GPU differ", "time, to scale", "stood before this one", "at 0 ns"})
      EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr(untrue))) << made.name;
  }
}

TEST(Untimed, WhatIsOnRecordOfTheCpuIsStillTold) {
  const std::string words = scene_words(lost(), "boardroom");
  EXPECT_THAT(words, ::testing::HasSubstr("aten::relu, on the CPU: 100.0 µs"));
  EXPECT_THAT(words, ::testing::HasSubstr("cudaLaunchKernel: 5.0 µs"));
  EXPECT_THAT(words, ::testing::HasSubstr("The time of this work: not recorded"));
}

TEST(Untimed, TheReceiptHasCountsWithTheirOrigin) {
  const std::string words = scene_words(counted_walk(), "map");
  for (const std::string_view line :
       {"Warp instructions: 5,280 [simulated]", "Active lanes, on average: 25 of 32 lanes [derived: ",
        "Sectors of 32 B per load, on average: 4 sectors each [derived: ",
        "Sectors of 32 B per store, on average: 2.5 sectors each [derived: ", "Bank conflicts: 3,696 [simulated]",
        "3,696 bank conflicts in shared memory", "528 loads and 132 stores"})
    EXPECT_THAT(words, ::testing::HasSubstr(line));
}

TEST(Untimed, AMeanIsNotRoundedToAWholeNumberThatItIsNot) {
  Crafted made = std::move(crafted_untimed().front());
  for (trace::NamedCounter& counter : made.trace.records.kernels[0].counters)
    if (counter.name == "thread_instructions") counter.value = 5280 * 32 - 100;
  const std::vector<CountedLine> lines = counted_lines(input_of(made), CountedGroup::instructions);
  ASSERT_EQ(lines.size(), 2u);
  ASSERT_TRUE(lines[1].each);
  EXPECT_EQ(lines[1].each->text(), "31.98 of 32 lanes");
  EXPECT_EQ(counted_variant(input_of(made), CountedGroup::instructions), "");
}

TEST(Untimed, WhatWasNotCountedIsNoLine) {
  Crafted made = std::move(crafted_untimed().front());
  made.trace.records.kernels[0].counters = {{"warp_instructions", 8, Origin::simulated}};
  EXPECT_EQ(counted_lines(input_of(made), CountedGroup::instructions).size(), 1u);
  EXPECT_TRUE(counted_lines(input_of(made), CountedGroup::global).empty());
  EXPECT_TRUE(counted_lines(input_of(made), CountedGroup::shared).empty());
}

TEST(Untimed, TheOrderIsDrawnWithoutAScale) {
  const auto timeline = [](const Crafted& made) {
    TimelinePicture last;
    for_each_beat(
        made.trace, made.walk, english(),
        [&](const Scene&, const Stage& stage) {
          if (const auto* const picture = std::get_if<TimelinePicture>(&stage.picture)) last = *picture;
        },
        {}, {}, {}, [](const Scene& scene) { return scene.name == "boardroom"; });
    return last;
  };
  const TimelinePicture two = timeline(counted_walk());
  ASSERT_EQ(two.groups.size(), 2u);
  EXPECT_TRUE(two.untimed);
  EXPECT_TRUE(two.measures.empty());
  EXPECT_EQ(two.groups[0].rows.at(0).bars.at(0).label, "cudaLaunchKernel");
  EXPECT_EQ(two.groups[1].rows.at(0).bars.at(0).label, "column_sums");
  std::int64_t place = 0;
  for (const RowGroup& group : timeline(lost()).groups)
    for (const Row& row : group.rows) EXPECT_EQ(row.bars.at(0).start, place++) << row.name;
  EXPECT_EQ(place, 8);  // a frame, five of seven ops, the call, the kernel
}

TEST(Untimed, BuffersAreToldWithoutAddresses) {
  const std::string words = scene_words(counted_walk(), "warehouse");
  for (const std::string_view line : {"buffer: filled: 1,000 × f32, 3.9 KiB [simulated]; every element 1.5",
                                      "buffer: result: 512 B [simulated]; never written", "7 buffers"})
    EXPECT_THAT(words, ::testing::HasSubstr(line));
  EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("0x")));
  EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("blocks on record")));
}

}  // namespace
}  // namespace warpwalk::story::testing
