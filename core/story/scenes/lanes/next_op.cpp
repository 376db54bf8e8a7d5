// The op after the followed one: relu on the elements of a matrix product, lane by lane.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/analysis/names/names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/facts/words/opening_line.h"
#include "core/story/pictures/panels.h"
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

std::array<LaneElement, lanes_per_warp> elements_of(const MatrixProduct& product, const NextOp& next, std::int64_t warp,
                                                    std::int64_t which) {
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

// Whether the kernel is relu of kernels/: thread i has element i.
bool is_own_relu(const trace::KernelRecord* record) { return record != nullptr && record->entry == "relu"; }

std::string two_decimals(float value) { return fmt::format("{:.2f}", value); }

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

}  // namespace

std::optional<NextOp> next_op(const Trace& trace, const Walk& walk) {
  if (walk.ops.empty()) return {};
  const std::optional<OpeningLine> line = opening_line(trace, walk);
  if (!line || line->second == no_slice || line->second == walk.ops.front() || trace.name(line->second) != "aten::relu")
    return {};
  const std::optional<MatrixProduct> product = matrix_product(trace, walk);
  if (!product || product->sums(0, 0).empty()) return {};
  const Walk after = follow_op(trace, line->second);
  if (after.kernel == no_slice || after.gpu_pieces != 1) return {};
  NextOp next{line->second, after.kernel, 1, product->m, product->n};
  if (is_own_relu(kernel_record(trace, after))) return next;
  const std::optional<std::int64_t> width = analysis::read_kernel_name(trace.name(after.kernel)).vector_width;
  if (!width || *width <= 0) return {};
  next.width = *width;
  return next;
}

Stage next_op_stage(const SceneInput& input, const std::vector<Beat>& beats, Narration::Values values) {
  const Trace& trace = input.trace;
  const NextOp next = *next_op(trace, input.walk);
  const MatrixProduct product = *matrix_product(trace, input.walk);
  ControlSet controls(input, "lanes");
  const std::int64_t shown_warps = std::min(most_warps, next.warps());
  // The warp that reads the followed number, and its thread among all.
  std::optional<std::int64_t> reader, reader_warp;
  std::int64_t which = 0;  // of the elements that a lane takes at once
  if (const auto number = followed_number(trace, input.walk, input.controls)) {
    const std::int64_t element = number->at.row * next.columns + number->at.column;
    reader = element / next.width;
    which = element % next.width;
    if (*reader / lanes_per_warp < shown_warps) reader_warp = *reader / lanes_per_warp;
  }
  const std::int64_t warp = controls.slider("next_warp", steps_by(0, static_cast<double>(shown_warps - 1), 1),
                                            reader_warp.value_or(0), reader_warp ? "number_warp" : "first_warp");
  const auto lanes = elements_of(product, next, warp, which);
  const auto kept = std::ranges::count_if(lanes, [](const LaneElement& at) { return at.exists && at.keeps(); });
  const auto zero = std::ranges::count_if(lanes, [](const LaneElement& at) { return at.exists && !at.keeps(); });
  values["next_kernel"] = analysis::shortened(analysis::label_of(trace, next.kernel), 40);
  values["next_warp"] = with_thousands(warp);
  values["keep"] = count_text(input.narration, "lane", kept);
  values["zero"] = count_text(input.narration, "lane", zero);
  values["width"] = std::to_string(next.width);
  values["which"] = std::to_string(which + 1);
  std::vector<Beat> named = beats;
  if (next.width > 1) named[static_cast<std::size_t>(input.moment.value - 1)].key += ".wide";
  Stage stage = common_stage(input, "lanes", named, values, "warp");
  FactWriter facts(input, values, stage);
  facts.fact("next_kernel", facts.recorded(values.at("next_kernel")));
  facts.duration("next_time", next.kernel);
  if (has_time(trace, next.kernel) && has_time(trace, input.walk.kernel) &&
      trace.slices.start[next.kernel] >= trace.slices.end(input.walk.kernel))
    facts.difference("next_gap", trace.slices.start[next.kernel] - trace.slices.end(input.walk.kernel));
  facts.derived("next_keep", values.at("keep"));
  facts.derived("next_zero", values.at("zero"));
  std::optional<std::size_t> followed;
  if (reader && *reader / lanes_per_warp == warp) followed = static_cast<std::size_t>(*reader % lanes_per_warp);
  stage.picture = only(relu_picture(input, lanes, followed));
  stage.controls = controls.take();
  stage.motion_seconds = 3;
  return stage;
}

}  // namespace warpwalk::story
