#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/words/opening_line.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/launch.h"
#include "core/story/stage/control_set.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t shown_steps = 4;    // of the sum, at the same time
constexpr std::int64_t slow_products = 8;  // the first ones are added one by one

/// The part of a product that the beat shows.
struct TileView {
  LaunchSubject launch;
  ControlSet controls;
  MatrixProduct product = {};
  std::int64_t followed = 0;
  std::int64_t row = 0, column = 0;  ///< of the element that is added up: the followed one, else the tile's first one
  bool has_followed = false;         ///< the followed number is in this tile
  bool order_found = false;          ///< the block that stored the followed number has its tile
  std::vector<float> sums = {};
  std::int64_t done = 0;  ///< products that are added
};

std::string size_text(std::int64_t rows, std::int64_t columns) { return analysis::sizes_text({rows, columns}); }
std::string four_decimals(double value) { return with_marks(fmt::format("{:.4f}", value)); }

// First the tile is lifted, then the first products follow one by one, then all the others.
std::int64_t products_at(double phase, std::int64_t k) {
  const std::int64_t slow = std::min(slow_products, k);
  const auto first = static_cast<std::int64_t>(part(phase, 0.15, 0.6) * static_cast<double>(slow) + 0.5);
  const auto rest = static_cast<std::int64_t>(eased(part(phase, 0.6, 1)) * static_cast<double>(k - slow));
  return std::min(k, first + rest);
}

void find_tile(TileView& view) {
  const SceneInput& input = view.launch.input;
  view.product = *matrix_product(input.trace, input.walk);
  const MatrixProduct& p = view.product;
  view.followed = std::min(static_cast<std::int64_t>(view.launch.followed), p.across * p.down - 1);
  view.row = view.followed / p.across * p.tile_rows;
  view.column = view.followed % p.across * p.tile_columns;
  if (const auto number = followed_number(input.trace, input.walk, input.controls); number && number->product) {
    const std::int64_t tile = number->at.row / p.tile_rows * p.across + number->at.column / p.tile_columns;
    if (tile == view.followed) {
      view.has_followed = true;
      view.row = number->at.row;
      view.column = number->at.column;
    }
    const run::NumberTrail* const trail = input.history.trail;
    view.order_found =
        trail != nullptr && !input.history.stand_in() && trail->warp.block == static_cast<std::uint64_t>(tile);
  }
  view.sums = p.sums(view.row, view.column);
}

// Where the tiles come from.
std::string_view rule_of(const TileView& view) {
  switch (view.product.rule) {
    case MatrixProduct::Rule::code: return "code";
    case MatrixProduct::Rule::name: return "name";
    case MatrixProduct::Rule::columns_first: return "columns_first";
    case MatrixProduct::Rule::grid: break;
  }
  return view.order_found ? "grid_found" : "grid";
}

std::string_view source_of(const std::vector<InputValues>& inputs) {
  if (any_recorded_element(inputs)) return "numbers_inside";
  return inputs.front().recorded ? "numbers_recorded" : "numbers_simulated";
}

// The SMs of the blocks that are placed; none for another grid or GPU than the launch had.
std::vector<std::int32_t> sms_of_blocks(const LaunchSubject& subject, std::int64_t tiles) {
  std::vector<std::int32_t> sms(static_cast<std::size_t>(tiles), -1);
  if (subject.plan->what_if) return sms;
  for (const PlacedBlock& block : subject.plan->placed)
    if (block.block < sms.size()) sms[block.block] = static_cast<std::int32_t>(block.sm);
  return sms;
}

// The result of the next op of the line for the sum; empty unless that op is relu.
std::string afterwards(const SceneInput& input, float sum) {
  const std::optional<OpeningLine> line = opening_line(input.trace, input.walk);
  const SliceId root = input.walk.ops.empty() ? no_slice : input.walk.ops.front();
  if (!line || line->second == no_slice || line->second == root || input.trace.name(line->second) != "aten::relu")
    return {};
  return input.narration.text("launch.mosaic", sum > 0 ? "relu_keeps" : "relu_zero", {{"sum", four_decimals(sum)}});
}

TilePicture tile_picture(const TileView& view) {
  const MatrixProduct& p = view.product;
  const SceneInput& input = view.launch.input;
  const std::int64_t done = view.done;
  const auto word = [&](std::string_view key, const Narration::Values& more = {}) {
    Narration::Values all = more;
    all.insert(view.launch.values.begin(), view.launch.values.end());
    return input.narration.text("launch.mosaic", key, all);
  };
  TilePicture picture;
  picture.m = p.m;
  picture.n = p.n;
  picture.k = p.k;
  picture.tile_rows = p.tile_rows;
  picture.tile_columns = p.tile_columns;
  picture.depth = p.depth;
  picture.rows = p.down;
  picture.columns = p.across;
  picture.followed = view.followed;
  picture.sm = sms_of_blocks(view.launch, p.across * p.down);
  picture.lifted = eased(part(input.moment.phase, 0, 0.15));
  picture.done = done;
  picture.name_a = word("matrix", {{"name", "a"}, {"size", size_text(p.m, p.k)}});
  picture.name_b = word("matrix", {{"name", "b"}, {"size", size_text(p.k, p.n)}});
  picture.name_c = word("matrix", {{"name", "a @ b"}, {"size", size_text(p.m, p.n)}});
  picture.tile_label = word("label");
  picture.word_block = name_in(input.narration, input.naming, "block");
  picture.word_sm = name_in(input.narration, input.naming, "sm");
  picture.word_mapping = word(view.launch.plan->recorded ? "sm_recorded" : "sm_model");
  picture.control = "launch.follow";
  if (view.sums.empty()) {
    picture.missing = word(p.inputs.empty() ? "no_elements" : "no_rule");
    picture.note = word(rule_of(view));
    return picture;
  }
  picture.element = word(view.has_followed ? "followed_element" : "element");
  picture.head_k = "k";
  picture.head_a = fmt::format("a[{}, k]", view.row);
  picture.head_b = fmt::format("b[k, {}]", view.column);
  picture.head_sum = word("sum");
  for (std::int64_t i = std::max<std::int64_t>(0, done - shown_steps); i < std::max(shown_steps, done); ++i) {
    TileStep& step = picture.steps.emplace_back();
    if (i >= done || i >= p.k) continue;  // an empty row keeps its place
    step = {with_thousands(i), four_decimals(p.inputs[0].at(view.row, i)),
            four_decimals(p.inputs[1].at(i, view.column)), four_decimals(view.sums[static_cast<std::size_t>(i)]),
            i + 1 == done};
  }
  picture.sums.assign(view.sums.begin(), view.sums.end());
  picture.progress = word("progress", {{"done", with_thousands(done)}});
  picture.total = four_decimals(done > 0 ? view.sums[static_cast<std::size_t>(done - 1)] : 0.0F);
  picture.afterwards = afterwards(input, view.sums.back());
  picture.afterwards_shown = done == p.k ? 1 : 0;
  picture.note = word(rule_of(view)) + " " +
                 word(source_of(p.inputs), {{"seeds", fmt::format("{}, {}", p.inputs[0].seed, p.inputs[1].seed)}});
  return picture;
}

void put_tile(TileView& view) {
  const MatrixProduct& p = view.product;
  Narration::Values& values = view.launch.values;
  const auto whole = [](std::int64_t n) { return with_thousands(n); };
  values["tile_size"] = size_text(p.tile_rows, p.tile_columns);
  values["columns_first_size"] = size_text(p.tile_columns, p.tile_rows);
  values["tiles"] = size_text(p.down, p.across);
  values["size"] = size_text(p.m, p.n);
  values["k"] = whole(p.k);
  values["depth"] = whole(p.depth);
  values["row"] = whole(view.row);
  values["column"] = whole(view.column);
  values["elements"] = whole(p.tile_rows * p.tile_columns);
  values["tile_blocks"] =
      counted_words(view.launch.input.narration, "blocks", static_cast<std::uint64_t>(p.across * p.down));
}

void set_tile(TileView& view) {
  const MatrixProduct& p = view.product;
  view.done = products_at(view.launch.input.moment.phase, p.k);
  if (!view.sums.empty()) {
    std::vector<double> steps;
    for (std::int64_t i = 0; i < std::min(slow_products, p.k); ++i) steps.push_back(static_cast<double>(i));
    for (std::int64_t i = slow_products; i < p.k; i += std::max<std::int64_t>(1, p.depth))
      steps.push_back(static_cast<double>(i));
    steps.push_back(static_cast<double>(p.k));
    view.done = view.controls.slider("products", std::move(steps), view.done, "motion");
  }
  view.controls.pointed("follow", p.across * p.down - 1, view.followed);
}

TileView tile_subject(const Here& here) {
  TileView view{launch_subject(here.input, Placed::first_wave), ControlSet(here.input, "launch")};
  find_tile(view);
  put_tile(view);
  set_tile(view);
  return view;
}

void tile_facts(const TileView& view, FactWriter& facts) {
  const MatrixProduct& p = view.product;
  facts.derived("tile", size_text(p.tile_rows, p.tile_columns));
  facts.derived("tile_products", static_cast<double>(p.tile_rows * p.tile_columns * p.k), Unit::count);
  if (!view.sums.empty()) facts.derived("element", four_decimals(view.sums.back()));
  if (p.rule != MatrixProduct::Rule::code && !view.order_found) facts.missing("tile_order");
}

std::optional<std::int64_t> tile_anchor(const WalkTimes& t) {
  if (!launches_blocks(t.trace, t.walk) || !matrix_product(t.trace, t.walk)) return {};
  return t.start(t.walk.kernel);
}

constexpr Frame<TileView> tile_frame = {
    .subject = tile_subject,
    .stop = "sm",
    .values = [](const TileView& view) { return view.launch.values; },
    .complete = [](TileView& view, const Narration::Values&, Stage& stage) { stage.controls = view.controls.take(); }};

constexpr BeatOf<TileView> mosaic_beat = {
    .key = "tile",
    .anchor = tile_anchor,
    .first_route = true,
    .motion_seconds = 5,
    .facts = tile_facts,
    .picture = [](const TileView& view, Stage& stage) { stage.picture = only(tile_picture(view)); }};

}  // namespace

std::shared_ptr<const AnyBeat> tile_beat() { return framed(tile_frame, mosaic_beat); }

}  // namespace warpwalk::story
