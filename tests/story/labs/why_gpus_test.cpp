// The lab "why-gpus": its figures are those of the records, and its tasks and question follow from them.
#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

const records::CoreTimes& times_of(std::string_view work, double size) {
  const std::vector<records::CoreTimes>& all = hardware().core_times;
  const auto found =
      std::ranges::find_if(all, [&](const records::CoreTimes& one) { return one.work == work && one.size == size; });
  if (found == all.end()) throw std::out_of_range("no such time");
  return *found;
}

TEST(LabRuns, AreReadAndWrongLinesAreNamed) {
  const std::string head =
      "launch,gpu,cycles_measured,cycles_simulated,active_measured,active_simulated,issue_measured_pct,"
      "issue_simulated_pct,dram_measured_bytes,dram_simulated_bytes,l1_measured_pct,l1_simulated_pct,"
      "global_sectors,shared_wavefronts,warp_instructions,occupancy_pct\n";
  const auto read = records::parse_lab_runs(
      head + "a_1,h200,5,6,7,8,9,10,11,12,13,14,15,16,17,18\nb_2,h200_2sm,,6,,8,,10,,12,,14,15,16,17,18\n");
  ASSERT_TRUE(read) << read.error();
  const auto& runs = *read;
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].cycles.measured, 5);
  EXPECT_EQ(runs[0].l1_hits.simulated, 14);
  EXPECT_EQ(runs[0].occupancy, 18);
  EXPECT_FALSE(runs[1].active.measured);
  EXPECT_EQ(runs[1].active.simulated, 8);
  EXPECT_EQ(find_run(runs, "b_2", "h200_2sm"), &runs[1]);
  EXPECT_EQ(find_run(runs, "b_2"), nullptr);
  for (const char* const wrong : {"a_1,h200,5\n", "a_1,h200,5,,7,8,9,10,11,12,13,14,15,16,17,18\n",
                                  "a_1,h200,x,6,7,8,9,10,11,12,13,14,15,16,17,18\n"}) {
    const auto bad = records::parse_lab_runs(head + wrong);
    ASSERT_FALSE(bad) << wrong;
    EXPECT_EQ(bad.error().find("line 2"), 0u) << bad.error();
  }
  EXPECT_FALSE(records::parse_lab_runs("launch,gpu\n"));
}

TEST(CoreTimes, AreReadAndWrongLinesAreNamed) {
  const std::string head = "work,size,cores,one_core_ns,all_cores_ns,gpu_ns\n";
  const auto read = records::parse_core_times(head + "chain,1,,1.3,,2.3\nbusy,4,16,500,3700,8700\n");
  ASSERT_TRUE(read) << read.error();
  const auto& times = *read;
  EXPECT_FALSE(times[0].all_cores);
  EXPECT_EQ(times[1].cores, 16);
  EXPECT_EQ(times[1].all_cores, 3700);
  for (const char* const wrong : {"busy,4,16,500,,8700\n", "busy,4,,500,3700,8700\n", "busy,0,16,500,3700,8700\n",
                                  "busy,4,16,0,3700,8700\n", "busy,4,16,500,3700,-1\n", "busy,4\n"}) {
    const auto bad = records::parse_core_times(head + wrong);
    ASSERT_FALSE(bad) << wrong;
    EXPECT_EQ(bad.error().find("line 2"), 0u) << bad.error();
  }
}

TEST(WhyGpus, AThreadAloneTakesItsStepsOneAfterTheOther) {
  const Stage stage = lab_with("lab/why-gpus", 1, {{"steps", 160}, {"loads", 2}});
  const records::CoreTimes& chain = times_of("chain", 1);
  const records::CoreTimes& chase = times_of("chase", 536870912);
  EXPECT_EQ(fact_text(stage, "One CPU core"), time_text(160 * chain.one_core + 2 * chase.one_core));
  EXPECT_EQ(fact_text(stage, "One GPU thread"), time_text(160 * chain.gpu + 2 * chase.gpu));
}

TEST(WhyGpus, ShowsTheMeasuredTimesOfTheChosenSize) {
  for (const double size : {1.0, 16384.0, 67108864.0}) {
    const Stage stage = lab_with("lab/why-gpus", 3, {{"work", 1}, {"elements", size}});
    const records::CoreTimes& times = times_of("saxpy", size);
    EXPECT_EQ(fact_text(stage, "H200"), time_text(times.gpu));
    EXPECT_EQ(fact_text(stage, "All CPU cores"), time_text(*times.all_cores));
  }
}

// The first size from which on the GPU is ahead, by a look at all sizes.
TEST(WhyGpus, TheCrossoverIsTheFirstSizeFromWhichTheGpuIsAhead) {
  for (const auto& [work, choice] : {std::pair{"busy", 0.0}, {"saxpy", 1.0}}) {
    double first = 0;
    for (const records::CoreTimes& from : hardware().core_times) {
      if (from.work != work || first != 0) continue;
      if (std::ranges::all_of(hardware().core_times, [&](const records::CoreTimes& one) {
            return one.work != work || one.size < from.size || (one.gpu < one.one_core && one.gpu < *one.all_cores);
          }))
        first = from.size;
    }
    ASSERT_GT(first, 1);
    const Stage stage = lab_with("lab/why-gpus", 3, {{"work", choice}});
    EXPECT_THAT(stage.sentence,
                ::testing::HasSubstr("From " + with_thousands(static_cast<std::int64_t>(first)) + " elements on"));
  }
}

TEST(WhyGpus, MoreSmsAreFasterIfThereAreEnoughBlocks) {
  for (const auto& [blocks, choice] : {std::pair{8, 0.0}, {64, 1.0}, {1024, 2.0}}) {
    const Stage stage = lab_with("lab/why-gpus", 4, {{"blocks", choice}});
    const std::string launch = "busy_" + std::to_string(blocks);
    const auto cycles = [&](std::string_view gpu) {
      return *find_run(hardware().lab_runs, launch, gpu)->cycles.simulated;
    };
    EXPECT_EQ(fact_text(stage, "8 SMs"), with_thousands(static_cast<std::int64_t>(cycles("h200_8sm"))) + " cycles");
    const double speedup = cycles("h200_2sm") / cycles("h200");
    EXPECT_GT(speedup, blocks == 8 ? 1.0 : blocks == 64 ? 8.0 : 40.0);
    EXPECT_LT(speedup, 132.0 / 2);
  }
}

TEST(WhyGpus, TasksAreDoneByTheSettings) {
  const auto done = [](double work, double elements) {
    return tasks_done("lab/why-gpus", {{"work", work}, {"elements", elements}});
  };
  EXPECT_EQ(done(0, 1), "-----");
  EXPECT_EQ(done(1, 1024), "x----");
  EXPECT_EQ(done(0, 4096), "-x---");
  EXPECT_EQ(done(1, 1048576), "--x--");
  EXPECT_EQ(done(0, 67108864), "---x-");
  EXPECT_EQ(done(0, 65536), "----x");
}

TEST(WhyGpus, WithoutRecordsItSaysSo) {
  for (const std::int64_t beat : {1, 3, 4, 5}) {
    const Stage stage = lab_without_records("lab/why-gpus", beat);
    EXPECT_EQ(stage.title, "No measurement is recorded here");
    ASSERT_EQ(stage.missing.size(), 1u);
    EXPECT_THAT(stage.missing.front(), ::testing::HasSubstr(beat == 4 ? "h200_labs.csv" : "h200_cores.csv"));
  }
  EXPECT_EQ(lab_without_records("lab/why-gpus", 2).title, "Latency or throughput");
}

}  // namespace
}  // namespace warpwalk::story::testing
