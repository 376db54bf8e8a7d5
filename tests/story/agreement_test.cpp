// Tests that the scenes of a walk agree with each other.
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/transcript.h"
#include "tests/story/stages.h"
#include "tests/story/whole_walk.h"

namespace warpwalk::story::testing {
namespace {

// The moment that a stage's figures belong to; empty for a stage of the whole launch. A figure may change from moment
// to moment, but not at one moment.
std::string moment_of(const Stage& stage) {
  for (const Control& control : stage.controls)
    if (control.name == "time") return control.shown;
  if (!stage.cycle) return "";
  // The lanes show one instruction, the schedulers the cycles around one cycle.
  std::string moment = fmt::format("cycle {}, {}", stage.cycle->at, fact_text(stage, "Instruction"));
  for (const Control& control : stage.controls)
    if (control.name == "width") moment += ", " + control.shown;
  return moment;
}

struct Said {
  std::string value, where;
};

void expect_agreement(const Crafted& walk) {
  std::map<std::string, std::map<std::string, Said>> said;  // by label, by moment
  for_each_scene_beat(walk, [&](const Scene& scene, const Stage& stage) {
    const std::string where = fmt::format("{} b{}", scene.name, stage.beat);
    for (const Fact& fact : stage.facts) {
      const auto [at, added] = said[fact.label].emplace(moment_of(stage), Said{fact.figure.text(), where});
      EXPECT_EQ(fact.figure.text(), at->second.value)
          << '"' << fact.label << "\" in " << where << " and in " << at->second.where;
    }
  });
  // A figure of the whole launch has its value at every moment.
  for (const auto& [label, values] : said) {
    const auto whole = values.find("");
    if (whole == values.end()) continue;
    for (const auto& [moment, value] : values)
      EXPECT_EQ(value.value, whole->second.value)
          << '"' << label << "\" in " << value.where << " and in " << whole->second.where;
  }
}

TEST(Agreement, AFigureOfOneNameHasOneValueInTheWholeWalk) { expect_agreement(opening_walk()); }

}  // namespace
}  // namespace warpwalk::story::testing
