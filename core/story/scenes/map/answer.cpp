// The number in the place of the question mark of the first scene, and what the next op makes of it.
#include <fmt/format.h>

#include "core/run/replay/number_trail.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/simulated/line_matrices.h"
#include "core/story/scenes/map/map.h"

namespace warpwalk::story {
namespace {

struct MapAnswer {
  const SceneInput& input;
  FollowedNumber number;
  OpeningLine line;
  const run::NumberTrail& trail;
  Narration::Values values;
};

std::string answer_without_trail(const Here& here, Narration::Values& values) {
  const SceneInput& input = here.input;
  if (input.history.trail != nullptr && followed_number(input.trace, input.walk, input.controls)) return "";
  values["reason"] = input.history.no_trail;
  return input.history.no_trail.empty() ? "answer.building" : "answer.none";
}

MapAnswer answer_subject(const Here& here) {
  const SceneInput& input = here.input;
  MapAnswer s{input, *followed_number(input.trace, input.walk, input.controls), *opening_line(input.trace, input.walk),
              *input.history.trail, common_values(input)};
  s.values["c"] = s.number.name();
  s.values["value"] = value_text(s.number, s.trail.bits);
  if (s.line.second != no_slice) s.values["next"] = std::string(input.trace.name(s.line.second));
  if (s.trail.next) {
    const run::NextNumber& next = *s.trail.next;
    s.values["result"] = value_text(s.number, next.written);
    s.values["reader"] = fmt::format("{}", next.lane);
    s.values["reader_warp"] = warp_name(input.narration, {0, next.warp.warp, next.warp.block});
  }
  return s;
}

std::string answer_section(const MapAnswer& s) {
  if (!s.trail.next) return "answer";
  return s.trail.next->written == s.trail.bits ? "answer.kept" : "answer.changed";
}

void answer_facts(const MapAnswer& s, FactWriter& facts) {
  const auto simulated = [&](std::string_view key, std::string text) {
    facts.fact(key, Figure::recorded(std::move(text), Origin::simulated));
  };
  simulated("number", fmt::format("{} = {}", s.number.name(), s.values.at("value")));
  if (s.trail.next) {
    simulated("next_result", s.values.at("result"));
    simulated("next_warp", s.values.at("reader_warp"));
    simulated("next_lane", s.values.at("reader"));
  }
  if (s.input.history.stand_in()) simulated("stand_in", stand_in_text(s.input.narration, *s.input.history.history));
  add_replay_facts(s.input, facts.stage());
}

void answer_picture(const MapAnswer& s, Stage& stage) {
  OpeningPicture picture;
  for (const LineToken& token : s.line.tokens) picture.tokens.push_back({token.text, token.followed, 1});
  add_line_matrices(s.input, s.line, s.values.at("value"), picture);
  if (!picture.numbers.empty()) picture.numbers += " " + s.input.narration.text("map.answer_word", "results");
  if (s.trail.next && !picture.matrices.empty()) {
    const OpeningMatrix* made = marked_result(picture);
    if (made == nullptr) made = &picture.matrices.back();
    OpeningMatrix result = *made;
    result.name = s.values.at("next");
    result.sign = "→";
    if (result.row && result.column) result.corner[*result.row][*result.column] = s.values.at("result");
    result.shown = eased(part(s.input.moment.phase, 0.4, 0.9));
    picture.matrices.insert(picture.matrices.begin() + (made - picture.matrices.data()) + 1, std::move(result));
  }
  stage.picture = only(std::move(picture));
}

std::optional<std::int64_t> answer_anchor(const WalkTimes& t) {
  if (!followed_number(t.trace, t.walk, {}) || !opening_line(t.trace, t.walk)) return {};
  return 0;  // with the beat before it
}

constexpr Frame<MapAnswer> answer_frame = {
    .subject = answer_subject, .stop = "op", .instead = answer_without_trail, .values = [](const MapAnswer& s) {
      return s.values;
    }};

constexpr BeatOf<MapAnswer> answer_beat = {.key = "answer",
                                           .anchor = answer_anchor,
                                           .needs = Needs::cycles,
                                           .first_route = true,
                                           .section = answer_section,
                                           .facts = answer_facts,
                                           .picture = answer_picture};

}  // namespace

std::shared_ptr<const AnyBeat> map_answer_beat() { return framed(answer_frame, answer_beat); }

}  // namespace warpwalk::story
