// The number in the place of the question mark of the first scene, and what the next op makes of it.
#include <fmt/format.h>

#include "core/run/replay/number_trail.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/simulated/line_matrices.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/pictures/panels.h"
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {

Stage answer_stage(const SceneInput& input, std::vector<Beat> beats, Narration::Values values) {
  Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const auto number = followed_number(input.trace, input.walk, input.controls);
  const auto line = opening_line(input.trace, input.walk);
  const run::NumberTrail* const trail = input.history.trail;
  if (!number || !line || trail == nullptr) {
    values["reason"] = input.history.no_trail;
    shown.key = input.history.no_trail.empty() ? "answer.building" : "answer.none";
    return common_stage(input, "map", beats, values, "op");
  }
  values["c"] = number->name();
  values["value"] = value_text(*number, trail->bits);
  if (line->second != no_slice) values["next"] = std::string(input.trace.name(line->second));
  if (trail->next) {
    const run::NextNumber& next = *trail->next;
    values["result"] = value_text(*number, next.written);
    values["reader"] = fmt::format("{}", next.lane);
    values["reader_warp"] = warp_name(input.narration, {0, next.warp.warp, next.warp.block});
    shown.key = next.written == trail->bits ? "answer.kept" : "answer.changed";
  }
  Stage stage = common_stage(input, "map", beats, values, "op");
  FactWriter facts(input, values, stage);
  const auto simulated = [&](std::string_view key, std::string text) {
    facts.fact(key, Figure::recorded(std::move(text), Origin::simulated));
  };
  simulated("number", fmt::format("{} = {}", number->name(), values.at("value")));
  if (trail->next) {
    simulated("next_result", values.at("result"));
    simulated("next_warp", values.at("reader_warp"));
    simulated("next_lane", values.at("reader"));
  }
  if (input.history.stand_in()) simulated("stand_in", stand_in_text(input.narration, *input.history.history));
  add_replay_facts(input, stage);
  OpeningPicture picture;
  for (const LineToken& token : line->tokens) picture.tokens.push_back({token.text, token.followed, 1});
  add_line_matrices(input, *line, values.at("value"), picture);
  if (!picture.numbers.empty()) picture.numbers += " " + input.narration.text("map.answer_word", "results");
  if (trail->next && !picture.matrices.empty()) {
    OpeningMatrix result = picture.matrices.back();
    result.name = values.at("next");
    result.sign = "→";
    if (result.row && result.column) result.corner[*result.row][*result.column] = values.at("result");
    result.shown = eased(part(input.moment.phase, 0.4, 0.9));
    picture.matrices.push_back(std::move(result));
  }
  stage.picture = only(std::move(picture));
  return stage;
}

}  // namespace warpwalk::story
