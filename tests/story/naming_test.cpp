#include "core/story/elements/naming.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

TEST(Naming, HasTheThreeChoices) {
  for (const Naming naming : {Naming::hardware, Naming::company, Naming::both})
    EXPECT_EQ(naming_named(name_of(naming)), naming);
  EXPECT_FALSE(naming_named("mine"));
  EXPECT_FALSE(naming_named(""));
}

TEST(Naming, SaysOneNameOrBoth) {
  EXPECT_EQ(name_in(english(), Naming::hardware, "sm"), "SM");
  EXPECT_EQ(name_in(english(), Naming::company, "sm"), "VP");
  EXPECT_EQ(name_in(english(), Naming::both, "sm"), "SM (VP)");
}

TEST(Naming, EveryNameOfTheNarrationCanBeSaidAndNoneIsMissing) {
  for (const Naming naming : {Naming::hardware, Naming::company, Naming::both}) {
    Narration::Values values;
    add_names(english(), naming, values);
    std::set<std::string> sections;
    for (const std::string& text : texts_in(english_text()))
      if (text.starts_with("name.")) sections.insert("n." + text.substr(5, text.find('/') - 5));
    EXPECT_EQ(sections.size(), values.size());
    for (const auto& [key, value] : values) {
      EXPECT_TRUE(sections.contains(key)) << key;
      EXPECT_THAT(value, ::testing::Not(::testing::HasSubstr("(no narration"))) << key;
    }
  }
}

TEST(Naming, ChangesWhatTheStageCallsThingsAndNothingElse) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  for (const Scene& scene : scenes()) {
    SceneInput input = {trace, walk, english(), hardware(), {Moment::Kind::beat, 1, 1}};
    std::map<Naming, Stage> stages;
    for (const Naming naming : {Naming::hardware, Naming::company, Naming::both}) {
      input.naming = naming;
      stages[naming] = *stage_at(scene, input);
      EXPECT_THAT(everything_on(stages[naming]), ::testing::Not(::testing::HasSubstr("(no ")));
    }
    EXPECT_NE(stages[Naming::hardware].scene_label, stages[Naming::company].scene_label);
    EXPECT_THAT(stages[Naming::both].scene_label, ::testing::HasSubstr(stages[Naming::hardware].scene_label));
    EXPECT_THAT(stages[Naming::both].scene_label, ::testing::HasSubstr(stages[Naming::company].scene_label));
    EXPECT_EQ(stages[Naming::hardware].facts.size(), stages[Naming::company].facts.size());
    for (std::size_t i = 0; i < stages[Naming::hardware].route.size(); ++i) {
      EXPECT_NE(stages[Naming::hardware].route[i].name, "");
      EXPECT_EQ(stages[Naming::hardware].route[i].value, stages[Naming::company].route[i].value);
    }
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
