#include "core/records/validation.h"

#include <set>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

TEST(Validation, ReadsColumnsByTheirNames) {
  const auto read = records::parse_validation(
      "case,more,set,cycles_simulated,cycles_measured,active_measured,active_simulated,spread_pct\r\n"
      "relu,x,reference,110,100,50.5,40,2.5\r\n");
  ASSERT_TRUE(read) << read.error();
  const auto& launches = *read;
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].set, "reference");
  EXPECT_EQ(launches[0].name, "relu");
  EXPECT_EQ(launches[0].cycles_measured, 100);
  EXPECT_EQ(launches[0].cycles_simulated, 110);
  EXPECT_EQ(launches[0].active_measured, 50.5);
  EXPECT_EQ(launches[0].spread, 2.5);
}

TEST(Validation, SaysWhatIsWrong) {
  const std::string header = "set,case,spread_pct,cycles_measured,cycles_simulated,active_measured,active_simulated\n";
  for (const auto& [line, wrong] : {std::pair{"a,b,1,2,3,4", "active_simulated"},
                                    {"a,b,1,0,3,4,5", "cycles_measured"},
                                    {"a,b,x,2,3,4,5", "spread_pct"},
                                    {"a,b,1,2,nan,4,5", "cycles_simulated"},
                                    {"a,,1,2,3,4,5", "case"},
                                    {",b,1,2,3,4,5", "set"}}) {
    const auto read = records::parse_validation(header + line);
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error(), "line 2: " + std::string(wrong) + ": missing, or not a number that is possible here");
  }
  EXPECT_EQ(records::parse_validation("something else\nentirely").error().substr(0, 11), "line 2: set");
  EXPECT_TRUE(records::parse_validation("")->empty());
}

Stage validation_stage(const Hardware& hardware, std::int64_t beat) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  return find_scene("lab/validation")->stage({trace, walk, english(), hardware, {Moment::Kind::beat, beat, 1}});
}

TEST(ValidationLab, ShowsEachLaunchAndItsErrors) {
  Hardware made = hardware();
  made.validation = {{"reference", "near", 1, 10000, 11000, 7000, 7000},
                     {"reference", "far", 1, 20000, 16000, 17000, 12750},
                     {"validate", "held out", 1, 50000, 60000, 47000, 57000},
                     {"reference", "unsteady", 9, 6000, 12000, 3000, 9000}};
  const Stage stage = validation_stage(made, 1);
  EXPECT_EQ(stage.title, "Simulated against measured: 4 launches");
  EXPECT_EQ(fact_text(stage, "Launches that count"), "3");
  EXPECT_EQ(fact_text(stage, "Mean error, looked at"), "15.0 %");
  EXPECT_EQ(fact_text(stage, "Mean error, held out"), "20.0 %");
  EXPECT_EQ(fact_text(stage, "Median error"), "20.0 %");
  EXPECT_EQ(fact_text(stage, "Within 15 %"), "1");
  const ScatterPicture& picture = panel_picture<ScatterPicture>(stage);
  ASSERT_EQ(picture.points.size(), 4u);
  EXPECT_EQ(picture.points[0].group, 0u);
  EXPECT_EQ(picture.points[2].group, 1u);
  EXPECT_EQ(picture.points[3].group, 2u);
  EXPECT_EQ(picture.points[1].text, "20,000 cycles measured, 16,000 simulated: −20 %");
  EXPECT_EQ(picture.across.from, 5000);
  EXPECT_EQ(picture.across.to, 100000);
  EXPECT_EQ(fact_text(validation_stage(made, 2), "Largest error"), "25.0 %");
  EXPECT_NEAR(panel_picture<ScatterPicture>(validation_stage(made, 3)).points[2].y, 20, 1e-9);
}

TEST(ValidationLab, SaysThatThereIsNoRecord) {
  Hardware none = hardware();
  none.validation.clear();
  for (std::int64_t beat = 1; beat <= 3; ++beat) {
    const Stage stage = validation_stage(none, beat);
    EXPECT_TRUE(stage.facts.empty());
    EXPECT_EQ(stage.missing.size(), 1u);
    EXPECT_TRUE(panel_picture<ScatterPicture>(stage).points.empty());
  }
}

TEST(ValidationLab, HasTheLaunchesOfBothSets) {
  EXPECT_GE(hardware().validation.size(), 70u);
  std::set<std::string> sets;
  for (const records::ValidatedLaunch& launch : hardware().validation) sets.insert(launch.set);
  EXPECT_EQ(sets, (std::set<std::string>{"classes", "reference", "validate"}));
}

}  // namespace
}  // namespace warpwalk::story::testing
