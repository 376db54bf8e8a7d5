// Chapter 4 of the tour: one instruction of a warp, and its lanes.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/scenes/tour/inside.h"
#include "core/story/scenes/tour/inside_code.h"

namespace warpwalk::story {
namespace {

using Type = PlaneItem::Type;
using Align = PlaneItem::Align;

// The first product that is not 0 in the followed lane and whose factors of a are not 0 in any: products of 0 look
// alike.
std::int64_t shown_product(const Tour& s, const ThreadPlace& place) {
  if (s.product.inputs.empty()) return 0;
  for (std::int64_t k = 0; k < s.product.k; ++k) {
    bool all = s.product.inputs[1].at(k, s.number.at.column) != 0;
    for (std::int64_t lane = 0; lane < ThreadPlace::lanes; lane += place.columns) {
      const std::int64_t row = number_of(s, place, lane).row;
      all = all && row < s.product.m && s.product.inputs[0].at(row, k) != 0;
    }
    if (all) return k;
  }
  return 0;
}

// The instruction that adds a product, and what it does; the line of the source if the instruction is not known.
std::string adding_instruction(const Tour& s) {
  const HistoryView& history = s.input.history;
  const SumLine line = sum_line(s);
  if (history.travel == nullptr || history.trail == nullptr || history.history == nullptr || !history.own())
    return line.line;
  const std::vector<PartialSum> sums = partial_sums(s.number, *history.trail);
  if (sums.empty()) return line.line;
  const std::uint32_t adds = history.trail->origin.steps[sums.front().step].instruction;
  return fmt::format("{}:  {} += {} * {}", instruction_text(*history.travel, *history.history, adds).text, line.sum,
                     line.a, line.b);
}

}  // namespace

std::optional<Ask> lanes_question(const Tour& s) {
  const auto place = thread_place(s);
  if (!place) return {};
  // The number right of the followed one.
  const ElementIndex asked = {s.number.at.row, s.number.at.column + 1};
  if (asked.column % s.product.tile_columns == 0 || asked.column >= s.product.n ||
      place->lane + 2 >= ThreadPlace::lanes)
    return {};
  const std::int64_t right = place->lane + 1;
  std::map<std::int64_t, const char*> lanes = {{asked.column - tile_column(s), "column"},
                                               {asked.column - tile_column(s) + place->row_of(place->lane), "sum"},
                                               {right + 1, "one"}};
  lanes[right] = "";
  Ask ask{.key = "lanes", .about = "lanes", .options = {}, .facts = {}};
  for (const auto& [lane, key] : lanes) {
    if (lane == right) ask.options.right = ask.options.words.size();
    ask.options.words.push_back(s.word("lane", {{"n", fmt::to_string(lane)}}));
    ask.options.keys.emplace_back(key);
    const ElementIndex has = number_of(s, *place, lane);
    ask.options.values.push_back({{"has", element_name('c', has.row, has.column)}});
  }
  ask.values = {{"asked", element_name('c', asked.row, asked.column)}};
  return ask;
}

void lanes_values(const Tour& s, Narration::Values& values) {
  values.insert_or_assign("warp", fmt::to_string(followed_warp(s)));
  values.insert_or_assign("lane", fmt::to_string(followed_lane(s)));
}

std::string lanes_section(const Tour& s) { return thread_place(s) ? "lanes" : "lanes.other"; }

PlanePicture lanes_plane(const Tour& s, double phase) {
  const InsideSm sm(s, s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, false);
  const auto place = thread_place(s);
  const bool asked = open_question(s, lanes_question(s));
  const std::int64_t own = followed_warp(s), followed = followed_lane(s);
  plane.box("code line", sm.at(360, 12, 848, 40), Tone::work, adding_instruction(s)).type = Type::mono;
  const std::int64_t columns = place ? place->columns : ThreadPlace::lanes / 2, rows = ThreadPlace::lanes / columns;
  const double wide = 1184.0 / static_cast<double>(columns), high = 424.0 / static_cast<double>(rows);
  const std::int64_t k = place ? shown_product(s, *place) : 0;
  plane.text("lanes head", sm.at(24, 12, 330, 40),
             s.word("warp_runs", {{"n", fmt::to_string(own)}, {"k", fmt::to_string(k)}}), Type::heading);
  const double opens = eased(part(phase, 0, 0.55)), numbers = part(phase, 0.6, 1);
  // The row of the warp opens.
  plane.frame(fmt::format("warp {}", own), world::on_way(sm.at(190, 43, 1022, 33), sm.at(14, 62, 1204, 436), opens),
              Tone::followed);
  for (std::int64_t lane = 0; lane < ThreadPlace::lanes; ++lane) {
    const auto row = static_cast<double>(lane / columns), column = static_cast<double>(lane % columns);
    const PlaneBox row_of_warp = sm.at(194 + 31.7 * static_cast<double>(lane), 46, 29.7, 27);
    const PlaneBox to = sm.at(24 + wide * column, 68 + high * row, wide - 4, high - 4);
    const PlaneBox at = world::on_way(row_of_warp, to, opens);
    const Tone tone = lane == followed ? Tone::followed : Tone::quiet;
    plane.box(fmt::format("lane {}", lane), at, tone);
    const auto text = [&](const char* what, double top, double share, std::string words, Type type, double shown) {
      PlaneItem& item =
          plane.box(fmt::format("lane {} {}", lane, what), at.part(0.02, top, 0.96, share), tone, std::move(words));
      item.type = type;
      item.shown = shown < 0.5 ? 0 : 1;  // a box that fades would darken the lane
    };
    text("name", 0.03, 0.12, s.word("lane", {{"n", fmt::to_string(lane)}}), Type::label, part(phase, 0.5, 0.7));
    if (!place) continue;
    const ElementIndex has = number_of(s, *place, lane);
    // While it is asked, two lanes show how the numbers lie.
    if (asked && lane != followed && lane != 0) continue;
    text("number", 0.17, 0.12, element_name('c', has.row, has.column), Type::label, part(phase, 0.5, 0.7));
    const std::string a = s.element(0, has.row, k), b = s.element(1, k, has.column);
    if (a.empty() || b.empty() || asked || has.row >= s.product.m || has.column >= s.product.n) continue;
    constexpr std::size_t one_line = 4;  // letters of both
    if (a.size() + b.size() <= one_line) {
      text("factors", 0.45, 0.16, fmt::format("{} × {}", a, b), Type::body, numbers);
    } else {
      text("factor a", 0.38, 0.14, a, Type::label, numbers);
      text("factor b", 0.54, 0.14, fmt::format("× {}", b), Type::label, numbers);
    }
    const double product = s.product.inputs[0].at(has.row, k) * s.product.inputs[1].at(k, has.column);
    text("product", 0.7, 0.16, fmt::format("= {}", short_number(product)), Type::body, numbers);
  }
  return plane.take();
}

}  // namespace warpwalk::story
