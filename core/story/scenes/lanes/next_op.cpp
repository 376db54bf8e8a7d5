// The op after the followed one: relu on the elements of a matrix product, lane by lane.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/launch/relu_after.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/scenes/lanes/lanes.h"
#include "core/story/stage/control_set.h"

namespace warpwalk::story {
namespace {

constexpr int lanes_per_warp = 32;
constexpr std::int64_t most_warps = 256;  // that can be chosen

/// One of the elements that a lane of relu's kernel takes, and what becomes of it.
struct LaneElement {
  std::int64_t row = 0, column = 0;
  float value = 0;
  bool exists = false;  // the last warp may have lanes without an element
  bool keeps() const { return value > 0; }
};

std::array<LaneElement, lanes_per_warp> elements_of(const MatrixProduct& product, const ReluAfter& next,
                                                    std::int64_t warp, std::int64_t which) {
  std::array<LaneElement, lanes_per_warp> lanes;
  for (std::int64_t lane = 0; lane < lanes_per_warp; ++lane) {
    const std::int64_t index = (warp * lanes_per_warp + lane) * next.width + which;
    if (index >= next.rows * next.columns) continue;
    LaneElement& at = lanes[static_cast<std::size_t>(lane)];
    at = {index / next.columns, index % next.columns, 0, true};
    at.value = product.sums(at.row, at.column).back();
  }
  return lanes;
}

std::string two_decimals(float value) { return with_marks(fmt::format("{:.2f}", value)); }

// Each lane reads its element and keeps it, or writes zero.
WarpPicture relu_picture(const SceneInput& input, const std::array<LaneElement, lanes_per_warp>& lanes,
                         std::optional<std::size_t> followed) {
  const auto word = [&](std::string_view key) { return input.narration.text("lanes.next_word", key); };
  WarpPicture picture;
  picture.word_lane = word("lane");
  picture.instruction = word("result");
  picture.out = eased(part(input.moment.phase, 0.05, 0.45));
  picture.back = eased(part(input.moment.phase, 0.55, 0.95));
  picture.values = {{word("element"), Tone::memory, false, {}},
                    {word("value"), Tone::plain, false, {}},
                    {word("result"), Tone::work, true, {}}};
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const LaneElement& at = lanes[lane];
    picture.lanes[lane].active = at.exists;
    picture.lanes[lane].followed = lane == followed;
    if (!at.exists) continue;
    picture.lanes[lane].tone = at.keeps() ? Tone::work : Tone::refused;
    picture.values[0].lanes[lane] = fmt::format("[{}, {}]", at.row, at.column);
    picture.values[1].lanes[lane] = two_decimals(at.value);
    picture.values[2].lanes[lane] = at.keeps() ? two_decimals(at.value) : "0";
  }
  picture.legend = {{Tone::work, word("keeps")}, {Tone::refused, word("writes_zero")}};
  return picture;
}

/// One warp of relu's kernel.
struct NextWarp {
  const SceneInput& input;
  ReluAfter next;
  ControlSet controls{input, "lanes"};
  std::optional<std::size_t> followed = {};  ///< the lane that reads the followed number
  std::array<LaneElement, lanes_per_warp> lanes = {};
  Narration::Values values = {};
};

NextWarp next_warp(const Here& here) {
  const SceneInput& input = here.input;
  NextWarp s{input, *relu_after(input.trace, input.walk)};
  const std::int64_t shown_warps = std::min(most_warps, s.next.warps());
  // The warp that reads the followed number, and its thread among all.
  std::optional<std::int64_t> reader, reader_warp;
  std::int64_t which = 0;  // of the elements that a lane takes at once
  if (const auto number = followed_number(input.trace, input.walk, input.controls)) {
    const std::int64_t element = number->at.row * s.next.columns + number->at.column;
    reader = element / s.next.width;
    which = element % s.next.width;
    if (*reader / lanes_per_warp < shown_warps) reader_warp = *reader / lanes_per_warp;
  }
  const std::int64_t warp = s.controls.slider("next_warp", steps_by(0, static_cast<double>(shown_warps - 1), 1),
                                              reader_warp.value_or(0), reader_warp ? "number_warp" : "first_warp");
  if (reader && *reader / lanes_per_warp == warp) s.followed = static_cast<std::size_t>(*reader % lanes_per_warp);
  s.lanes = elements_of(*matrix_product(input.trace, input.walk), s.next, warp, which);
  const auto count = [&](bool keeps) {
    return count_text(input.narration, "lane", std::ranges::count_if(s.lanes, [&](const LaneElement& at) {
                        return at.exists && at.keeps() == keeps;
                      }));
  };
  s.values = common_values(input);
  s.values["next_kernel"] = analysis::shortened(analysis::label_of(input.trace, s.next.kernel), 40);
  s.values["next_warp"] = with_thousands(warp);
  s.values["keep"] = count(true);
  s.values["zero"] = count(false);
  s.values["width"] = std::to_string(s.next.width);
  s.values["which"] = std::to_string(which + 1);
  return s;
}

void next_facts(const NextWarp& s, FactWriter& facts) {
  const Trace& trace = s.input.trace;
  const SliceId kernel = s.input.walk.kernel;
  facts.fact("next_kernel", facts.recorded(s.values.at("next_kernel")));
  facts.duration("next_time", s.next.kernel);
  if (has_time(trace, s.next.kernel) && has_time(trace, kernel) &&
      trace.slices.start[s.next.kernel] >= trace.slices.end(kernel))
    facts.difference("next_gap", trace.slices.start[s.next.kernel] - trace.slices.end(kernel));
  facts.derived("next_keep", s.values.at("keep"));
  facts.derived("next_zero", s.values.at("zero"));
}

constexpr Frame<NextWarp> of_next_op = {
    .subject = next_warp,
    .stop = "warp",
    .values = [](const NextWarp& s) { return s.values; },
    .facts = next_facts,
    .complete = [](NextWarp& s, const Narration::Values&, Stage& stage) { stage.controls = s.controls.take(); }};

}  // namespace

std::shared_ptr<const AnyBeat> next_op_beat() {
  return framed(of_next_op,
                {
                    .key = "next",
                    .anchor = [](const WalkTimes& t) -> std::optional<std::int64_t> {
                      const std::optional<ReluAfter> next = relu_after(t.trace, t.walk);
                      if (!next) return {};
                      return t.start(next->kernel);
                    },
                    .needs = Needs::history,  // its line says where the number is
                    .first_route = true,
                    .motion_seconds = 3,
                    .section = [](const NextWarp& s) { return std::string(s.next.width > 1 ? "next.wide" : "next"); },
                    .picture = [](const NextWarp& s,
                                  Stage& stage) { stage.picture = only(relu_picture(s.input, s.lanes, s.followed)); },
                });
}

}  // namespace warpwalk::story
