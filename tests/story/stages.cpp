#include "tests/story/stages.h"

#include <gtest/gtest.h>

#include "core/story/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {

Stage stage_at_beat(const Scene& scene, const Trace& trace, const Walk& walk, std::int64_t beat, double phase,
                    const Controls& controls) {
  auto [stage, error] =
      stage_at(scene, {trace, walk, english(), hardware(), {Moment::Kind::beat, beat, phase}, controls});
  EXPECT_FALSE(error) << *error;
  return stage;
}

const Figure& fact_figure(const Stage& stage, std::string_view label) {
  for (const Fact& one : stage.facts)
    if (one.label == label) return one.figure;
  ADD_FAILURE() << "no fact " << label << " in\n" << transcript(stage);
  static const Figure none = Figure::explained("");
  return none;
}

}  // namespace warpwalk::story::testing
