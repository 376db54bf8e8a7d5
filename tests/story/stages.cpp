#include "tests/story/stages.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {

Stage stage_of(const Scene& scene, const SceneInput& input) {
  auto stage = stage_at(scene, input);
  EXPECT_TRUE(stage) << stage.error();
  return *std::move(stage);
}

Stage stage_at_beat(const Scene& scene, const Trace& trace, const Walk& walk, std::int64_t beat, double phase,
                    const Controls& controls) {
  return stage_of(scene, {trace, walk, english(), hardware(), {Moment::Kind::beat, beat, phase}, controls});
}

std::int64_t beat_named(const Scene& scene, const Trace& trace, const Walk& walk, std::string_view key) {
  const std::vector<Beat> beats = scene.beats(trace, walk);
  const auto found = std::ranges::find(beats, key, &Beat::key);
  if (found != beats.end()) return found - beats.begin() + 1;
  ADD_FAILURE() << scene.name << " has no beat " << key;
  return 1;
}

const Fact* find_fact(const Stage& stage, std::string_view label) {
  for (const Fact& fact : stage.facts)
    if (fact.label == label) return &fact;
  return nullptr;
}

const Figure& fact_figure(const Stage& stage, std::string_view label) {
  if (const Fact* const fact = find_fact(stage, label)) return fact->figure;
  ADD_FAILURE() << "no fact " << label << " in\n" << transcript(stage);
  static const Figure none = Figure::explained("");
  return none;
}

std::string fact_text(const Stage& stage, std::string_view label) {
  const Fact* const fact = find_fact(stage, label);
  return fact == nullptr ? "(none)" : fact->figure.text();
}

}  // namespace warpwalk::story::testing
