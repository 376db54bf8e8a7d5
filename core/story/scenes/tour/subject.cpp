#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/tour/tour.h"

namespace warpwalk::story {
namespace {

// The launch as it was, whatever the controls of the launch scene are set to.
SceneInput as_launched(const SceneInput& input) {
  SceneInput copy = input;
  copy.controls.clear_scene("launch");
  return copy;
}

std::uint64_t block_of(const SceneInput& input, const MatrixProduct& product, const ElementIndex& at) {
  if (const run::NumberTrail* const trail = input.history.trail; trail != nullptr) return trail->warp.block;
  return static_cast<std::uint64_t>(at.row / product.tile_rows * product.across + at.column / product.tile_columns);
}

bool has_tour(const WalkTimes& times) {
  const auto& receipt = times.receipt();
  if (!receipt || receipt->skewed() || times.walk.ops.empty()) return false;
  const auto product = matrix_product(times.trace, times.walk);
  if (!product || product->inputs.size() != 2) return false;
  const auto number = followed_number(times.trace, times.walk, {});
  return number && number->product && recorded_sms(times.trace, times.walk) > 0;
}

struct HasTour {
  bool yes = false;
};
HasTour made_tour(const Trace& trace, const Walk& walk) { return {has_tour(WalkTimes(trace, walk))}; }

// ns since the trace's start, if the walk has a tour.
std::optional<std::int64_t> anchor(const WalkTimes& times, std::int64_t Receipt::*member) {
  if (!times.once(made_tour).yes) return {};
  return analysis::since_start(times.trace, *times.receipt().*member);
}

void add_shape_values(Tour& s) {
  const auto put = [&](std::string_view key, std::int64_t value) {
    s.values.insert_or_assign(std::string(key), with_thousands(value));
  };
  const MatrixProduct& product = s.product;
  put("m", product.m);
  put("n", product.n);
  put("k", product.k);
  put("row", s.number.at.row);
  put("column", s.number.at.column);
  put("tile_rows", product.tile_rows);
  put("tile_columns", product.tile_columns);
  put("across", product.across);
  put("down", product.down);
  put("blocks", static_cast<std::int64_t>(s.plan.blocks));
  put("threads", s.plan.threads);
  put("block", static_cast<std::int64_t>(s.block));
  put("sm", s.sm);
  put("sms", s.sms());
  put("blocks_per_sm", s.plan.occupancy.blocks_per_sm);
  put("at_once", static_cast<std::int64_t>(s.plan.slots()));
  put("waiting", static_cast<std::int64_t>(s.plan.blocks - std::min(s.plan.blocks, s.plan.slots())));
  s.values.insert_or_assign("number", s.number.name());
  // Where the trace's times are from: "measured", or "simulated" in a run of an expression.
  s.values.insert_or_assign("recorded", s.input.narration.text("origin", name_of(s.trace().records.time_origin())));
  s.values.insert_or_assign("gpu", s.plan.device->name);
  const auto result = s.result();
  s.values.insert_or_assign("result", result ? short_number(*result) : std::string("?"));
}

}  // namespace

std::string Tour::word(std::string_view key, const Narration::Values& more) const {
  Narration::Values all = values;
  for (const auto& [name, value] : more) all.insert_or_assign(name, value);
  return input.narration.text("tour.word", key, all);
}

std::string Tour::element(std::size_t operand, std::int64_t row, std::int64_t column) const {
  return operand < product.inputs.size() ? short_number(product.inputs[operand].at(row, column)) : std::string();
}

std::optional<float> Tour::result() const {
  const std::vector<float> sums = product.sums(number.at.row, number.at.column);
  return sums.empty() ? std::nullopt : std::optional(sums.back());
}

std::string launched_kernel(const Tour& s) {
  constexpr std::size_t longest = 24;
  return analysis::shortened(
      analysis::kernel_function_name(analysis::plain_kernel_name(s.trace().name(s.walk().kernel))), longest);
}

std::optional<std::int64_t> tour_start(const WalkTimes& times) { return anchor(times, &Receipt::op_start); }
std::optional<std::int64_t> tour_launch(const WalkTimes& times) { return anchor(times, &Receipt::launch_start); }
std::optional<std::int64_t> tour_returned(const WalkTimes& times) { return anchor(times, &Receipt::launch_end); }
std::optional<std::int64_t> tour_kernel(const WalkTimes& times) { return anchor(times, &Receipt::kernel_start); }
std::optional<std::int64_t> tour_end(const WalkTimes& times) { return anchor(times, &Receipt::kernel_end); }

Tour tour_subject(const Here& here) {
  const SceneInput& input = here.input;
  auto number = followed_number(input.trace, input.walk, input.controls);
  Tour s{here,
         input,
         common_values(input),
         *number,
         *matrix_product(input.trace, input.walk),
         *here.times.receipt(),
         *launch_plan(as_launched(input), Placed::first_wave)};
  s.block = block_of(input, s.product, s.number.at);
  if (const auto placed = std::ranges::find(s.plan.placed, s.block, &PlacedBlock::block); placed != s.plan.placed.end())
    s.sm = placed->sm;
  add_shape_values(s);
  return s;
}

}  // namespace warpwalk::story
