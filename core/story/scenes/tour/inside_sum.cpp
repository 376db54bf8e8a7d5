// Chapter 4 of the tour, a lane: its sum grows, lanes sit out at the edge of the result, and the sum is written to the
// number's address.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/scenes/tour/inside.h"
#include "core/story/scenes/tour/inside_code.h"

namespace warpwalk::story {
namespace {

using Type = PlaneItem::Type;
using Align = PlaneItem::Align;

constexpr double strips_at = 124, strips_to = 1208;

// How many products have room beside one another, by the longest of their numbers.
std::int64_t shown_products(const Tour& s, const std::vector<float>& sums) {
  std::size_t longest = 1;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(sums.size()); ++k) {
    const double a = s.product.inputs[0].at(s.number.at.row, k), b = s.product.inputs[1].at(k, s.number.at.column);
    for (const double number : {a, b, a * b, static_cast<double>(sums[static_cast<std::size_t>(k)])})
      longest = std::max(longest, short_number(number).size());
  }
  constexpr double letter = 8.6, around = 6, most = 32;  // more cannot be read
  return static_cast<std::int64_t>(
      std::min(most, (strips_to - strips_at) / (letter * static_cast<double>(longest) + around)));
}

// The register that has the sum after the kth of `count` products: an instruction may write the sum into another one
// than the instruction before. Empty if it is not known.
std::string own_register(const Tour& s, std::size_t k, std::size_t count) {
  const HistoryView& history = s.input.history;
  if (history.travel == nullptr || history.trail == nullptr || !history.own()) return {};
  const std::vector<PartialSum> sums = partial_sums(s.number, *history.trail);
  return sums.size() != count ? std::string() : register_of(*history.travel, history.trail->origin.steps[sums[k].step]);
}

// The register that is stored; empty if it is not known.
std::string stored_register(const Tour& s) {
  const HistoryView& history = s.input.history;
  if (history.travel == nullptr || history.trail == nullptr || !history.own()) return {};
  return register_of(*history.travel, history.trail->store());
}

std::string register_text(const Tour& s, const std::string& name) {
  return name.empty() ? s.word("register") : s.word("register_name", {{"register", name}});
}

// A line of the source, shortened to what has room.
std::string fitted_line(const std::string& line) {
  constexpr std::size_t room = 78;
  return line.size() <= room ? line : line.substr(0, room - 3) + "...";
}

}  // namespace

// --- The sum grows

std::string sum_section(const Tour& s) {
  return s.product.sums(s.number.at.row, s.number.at.column).empty() ? "sum.other" : "sum";
}

void sum_values(const Tour& s, Narration::Values& values) { values.insert_or_assign("sum", sum_line(s).sum); }

PlanePicture sum_plane(const Tour& s, double phase) {
  const InsideSm sm(s, s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, false);
  const SumLine code = sum_line(s);
  const std::vector<float> sums = s.product.sums(s.number.at.row, s.number.at.column);
  const std::int64_t count = static_cast<std::int64_t>(sums.size());
  // The motion begins slowly, so that the first sums can be followed.
  const double run = part(phase, 0.05, 0.97);
  const std::int64_t k =
      count == 0
          ? 0
          : std::clamp<std::int64_t>(std::llround(std::pow(run, 1.6) * static_cast<double>(count - 1)), 0, count - 1);
  const auto at = static_cast<std::size_t>(k);
  // The source.
  double y = 44;
  plane.text("code head", sm.at(24, 10, 780, 28), s.word("code_head"), Type::heading);
  const std::vector<SumLine::Line> lines = code.known() ? code.around : std::vector<SumLine::Line>{{code.line, true}};
  for (std::size_t i = 0; i < lines.size(); ++i, y += 32)
    if (lines[i].lit) {
      PlaneItem& line = plane.box("code line", sm.at(20, y, 812, 30), Tone::work, fitted_line(lines[i].text));
      line.type = Type::mono;
      line.align = Align::left;
    } else {
      plane.text(fmt::format("source {}", i), sm.at(26, y, 800, 30), fitted_line(lines[i].text), Type::mono,
                 Align::left, Tone::quiet);
    }
  // The values beside the names.
  const std::int64_t row = s.number.at.row, column = s.number.at.column;
  const auto name = [&](const char* id, double top, const std::string& text, const std::string& element) {
    plane.text(fmt::format("{} name", id), sm.at(852, top, 190, 30), text, Type::mono, Align::left);
    plane.text(fmt::format("{} element", id), sm.at(852, top + 28, 190, 24), element, Type::label, Align::left,
               Tone::quiet);
  };
  const std::string a = s.element(0, row, k), b = s.element(1, k, column);
  name("factor a", 44, code.a, element_name('a', row, k));
  plane.text("factor a value", sm.at(1050, 44, 158, 46), a, Type::figure, Align::right);
  name("factor b", 104, code.b, element_name('b', k, column));
  plane.text("factor b value", sm.at(1050, 104, 158, 46), b, Type::figure, Align::right);
  const std::string register_now = count == 0 ? std::string() : own_register(s, at, sums.size());
  name("sum", 164, code.sum, register_text(s, register_now));
  const std::string before = at == 0 ? "0" : count == 0 ? "?" : short_number(static_cast<double>(sums[at - 1]));
  const std::string after = count == 0 ? "?" : short_number(static_cast<double>(sums[at]));
  plane.text("sum value", sm.at(1000, 164, 208, 46), fmt::format("{} → {}", before, after), Type::figure, Align::right,
             Tone::followed);
  PlaneItem& held = plane.box("register", sm.at(900, 222, 308, 52), Tone::followed,
                              fmt::format("{} = {}", register_now.empty() ? code.sum : register_now, after));
  held.type = Type::figure;
  held.tip = s.word("register_tip");
  held.origin = Origin::simulated;
  if (count == 0) return plane.take();
  // The factors, their products and the sums; around the one that is added now, if there are too many.
  const std::int64_t shown = std::min(count, shown_products(s, sums));
  const std::int64_t first = std::clamp<std::int64_t>(k - shown / 2, 0, count - shown);
  constexpr double strips_y = 300, strip_step = 50, strip_high = 42;
  const double each = (strips_to - strips_at) / static_cast<double>(shown);
  const auto strip_name = [&](const char* id, int strip, const std::string& text) {
    plane.text(id, sm.at(24, strips_y + strip_step * strip, 98, strip_high), text, Type::body);
  };
  strip_name("strip a", 0, fmt::format("a[{}, k]", row));
  strip_name("strip b", 1, fmt::format("b[k, {}]", column));
  strip_name("strip products", 2, s.word("products"));
  strip_name("strip sums", 3, s.word("sums"));
  for (std::int64_t i = first; i < first + shown; ++i) {
    const auto box = [&](int strip) {
      return sm.at(strips_at + each * static_cast<double>(i - first), strips_y + strip_step * strip, each - 2,
                   strip_high);
    };
    const double x = s.product.inputs[0].at(row, i), z = s.product.inputs[1].at(i, column);
    const Tone tone = i == k ? Tone::followed : Tone::shared;
    plane.box(fmt::format("a {}", i), box(0), tone, short_number(x));
    plane.box(fmt::format("b {}", i), box(1), tone, short_number(z));
    if (i > k) continue;
    plane.box(fmt::format("product {}", i), box(2), i == k ? Tone::followed : Tone::plain, short_number(x * z));
    plane.box(fmt::format("sum {}", i), box(3), i == k ? Tone::followed : Tone::plain,
              short_number(static_cast<double>(sums[static_cast<std::size_t>(i)])));
  }
  return plane.take();
}

// --- At the edge

namespace {

// A block at the edge of the result whose tile is larger than what is left of it.
struct EdgeBlock {
  std::uint64_t block = 0;
  std::int64_t first_row = 0, first_column = 0;
  std::vector<bool> works;  ///< by lane of its first warp
  std::int64_t working() const { return std::ranges::count(works, true); }
};

// The last block of the followed one's row of tiles, else of its column; none if the tiles fit.
std::optional<EdgeBlock> edge_block(const Tour& s) {
  const auto place = thread_place(s);
  if (!place) return {};
  const MatrixProduct& p = s.product;
  EdgeBlock edge;
  std::int64_t tile_row = s.number.at.row / p.tile_rows, tile_column = s.number.at.column / p.tile_columns;
  if (p.n % p.tile_columns != 0)
    tile_column = p.across - 1;
  else if (p.m % p.tile_rows != 0)
    tile_row = p.down - 1;
  else
    return {};
  edge.block = static_cast<std::uint64_t>(tile_row * p.across + tile_column);
  edge.first_row = tile_row * p.tile_rows;
  edge.first_column = tile_column * p.tile_columns;
  for (std::int64_t lane = 0; lane < ThreadPlace::lanes; ++lane)
    edge.works.push_back(edge.first_row + lane / place->columns < p.m &&
                         edge.first_column + lane % place->columns < p.n);
  return edge;
}

// The SM of a block, if it starts at once.
std::uint32_t sm_of(const Tour& s, std::uint64_t block) {
  const auto at = std::ranges::find(s.plan.placed, block, &PlacedBlock::block);
  return at == s.plan.placed.end() ? s.sm : at->sm;
}

std::string bound_code(const Tour& s) {
  return s.product.n % s.product.tile_columns != 0 ? fmt::format("column < {}", s.product.n)
                                                   : fmt::format("row < {}", s.product.m);
}

}  // namespace

std::string edge_section(const Tour& s) {
  const auto edge = edge_block(s);
  return !edge ? "edge.none" : s.product.n % s.product.tile_columns != 0 ? "edge" : "edge.rows";
}

void edge_values(const Tour& s, Narration::Values& values) {
  const auto edge = edge_block(s);
  if (!edge) return;
  const MatrixProduct& p = s.product;
  values.insert_or_assign("edge_block", with_thousands(static_cast<std::int64_t>(edge->block)));
  values.insert_or_assign("first_column", with_thousands(edge->first_column));
  values.insert_or_assign("first_row", with_thousands(edge->first_row));
  values.insert_or_assign("columns_left", with_thousands(std::min(p.tile_columns, p.n - edge->first_column)));
  values.insert_or_assign("rows_left", with_thousands(std::min(p.tile_rows, p.m - edge->first_row)));
  values.insert_or_assign("warp_rows", fmt::to_string(thread_place(s)->rows()));
  values.insert_or_assign("working", with_thousands(edge->working()));
}

std::optional<Ask> edge_question(const Tour& s) {
  const auto edge = edge_block(s);
  if (!edge || edge->working() == ThreadPlace::lanes) return {};
  Ask ask{.key = "edge", .about = "edge", .options = {}, .facts = {}};
  ask.options = number_options(s.input.narration, "lane", edge->working(), {8, 16, 24, 32});
  edge_values(s, ask.values);
  return ask;
}

PlanePicture edge_plane(const Tour& s, double phase) {
  const auto edge = edge_block(s);
  const InsideSm sm(s, edge ? sm_of(s, edge->block) : s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, false);
  const bool asked = open_question(s, edge_question(s));
  const auto place = thread_place(s);
  const std::int64_t columns = place ? place->columns : ThreadPlace::lanes / 2, rows = ThreadPlace::lanes / columns;
  const double split = asked ? 0 : part(phase, 0.25, 0.5), joined = asked ? 0 : part(phase, 0.75, 1);
  Narration::Values values;
  edge_values(s, values);
  plane.text("edge head", sm.at(24, 10, 900, 28), edge ? s.word("edge_head", values) : s.word("edge_none"),
             Type::heading);
  // The followed number waits in its register, where it was left.
  plane.box("register", sm.at(1000, 10, 208, 32), Tone::followed);
  PlaneItem& value = plane.box("value", sm.at(1004, 12, 200, 28), Tone::followed,
                               fmt::format("{} = {}", s.number.name(), s.values.at("result")));
  if (s.result()) value.origin = Origin::derived;
  const double wide = 1184.0 / static_cast<double>(columns), high = 196.0 / static_cast<double>(rows);
  // The columns of c over the lanes.
  for (std::int64_t lane = 0; lane < ThreadPlace::lanes; ++lane) {
    const std::int64_t row = lane / columns, column = lane % columns;
    const bool works = !edge || edge->works[static_cast<std::size_t>(lane)];
    const PlaneBox box =
        sm.at(24 + wide * static_cast<double>(column), 78 + high * static_cast<double>(row), wide - 4, high - 6);
    // A lane that sits out is an outline.
    PlaneItem& item =
        plane.box(fmt::format("lane {}", lane), box, Tone::work, s.word("lane", {{"n", fmt::to_string(lane)}}));
    if (asked || works) {
      item.tone = asked ? Tone::plain : Tone::work;
    } else {
      item.kind = split < 0.5 ? PlaneItem::Kind::box : PlaneItem::Kind::frame;
      item.tone = split < 0.5 ? Tone::work : Tone::quiet;
    }
    if (row > 0) continue;
    const std::int64_t number = (edge ? edge->first_column : 0) + column;
    plane.text(fmt::format("column {}", column), sm.at(24 + wide * static_cast<double>(column), 50, wide - 4, 24),
               fmt::to_string(number), Type::label, Align::centre, number < s.product.n ? Tone::plain : Tone::quiet);
  }
  if (!edge) return plane.take();
  // Where c ends.
  const std::int64_t left = std::min(s.product.tile_columns, s.product.n - edge->first_column);
  if (left < columns) {
    const double x = 22 + wide * static_cast<double>(left);
    plane.line("edge of c", sm.x(x), sm.y(48), sm.x(x), sm.y(282), Tone::memory);
    plane.text("edge name", sm.at(x + 8, 278, 500, 26), s.word("edge_of_c"), Type::body, Align::left, Tone::memory);
  }
  // The mask, before the condition, under it and behind it: a bit for each lane.
  const std::string condition = bound_code(s);
  const auto mask = [&](const char* id, double y, const std::string& text, bool inside, double shown) {
    std::vector<Tone> bits;
    std::int64_t on = 0;
    for (const bool works : edge->works) {
      bits.push_back(!inside || works ? Tone::work : Tone::quiet);
      on += !inside || works;
    }
    const int across = static_cast<int>(bits.size());
    plane.text(fmt::format("mask {}", id), sm.at(24, y, 250, 40), text, Type::mono).shown = shown;
    plane.cells(fmt::format("mask {} bits", id), sm.at(280, y + 4, 740, 34), across, std::move(bits)).shown = shown;
    PlaneItem& item =
        plane.text(fmt::format("mask {} lanes", id), sm.at(1030, y, 178, 42),
                   s.word("of_lanes", {{"n", fmt::to_string(on)}}), Type::figure, Align::right, Tone::work);
    item.shown = shown;
    item.tip = s.word("mask_tip");
    item.origin = Origin::derived;
  };
  if (asked) {
    plane.text("condition", sm.at(24, 330, 1184, 44), fmt::format("if ({})  c[row, column] = sum", condition),
               Type::figure);
    return plane.take();
  }
  plane.text("mask head", sm.at(24, 312, 700, 28), s.word("mask_head"), Type::body);
  mask("before", 346, s.word("mask_before"), false, part(phase, 0.1, 0.25));
  mask("inside", 398, fmt::format("if ({})", condition), true, split);
  mask("after", 450, s.word("mask_after"), false, joined);
  return plane.take();
}

// --- The store

namespace {

std::string result_text(const Tour& s) { return s.values.at("result"); }

// The followed lane with its register, on the SM.
PlanePicture lane_picture(const Tour& s) {
  const InsideSm sm(s, s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, false);
  const auto place = thread_place(s);
  const std::int64_t own = s.input.history.trail != nullptr ? s.input.history.trail->lane : place ? place->lane : 0;
  plane.frame(fmt::format("warp {}", followed_warp(s)), sm.at(14, 62, 1204, 436), Tone::followed);
  plane.text("store head", sm.at(24, 16, 900, 36),
             s.word("lane_stores", {{"n", fmt::to_string(own)}, {"warp", fmt::to_string(followed_warp(s))}}),
             Type::heading);
  plane.frame(fmt::format("lane {}", own), sm.at(300, 120, 632, 320), Tone::followed);
  plane.text("lane name", sm.at(320, 130, 592, 36), s.word("lane", {{"n", fmt::to_string(own)}}), Type::heading,
             Align::centre);
  plane.text("register name", sm.at(320, 190, 592, 36), register_text(s, stored_register(s)), Type::body,
             Align::centre);
  plane.box("register", sm.at(460, 236, 312, 120), Tone::followed);
  PlaneItem& value = plane.box("value", sm.at(500, 256, 232, 80), Tone::followed, result_text(s));
  value.type = Type::figure;
  if (s.result()) value.origin = Origin::derived;
  return plane.take();
}

// The sheets with the number on its place, and its address.
PlanePicture stored_picture(const Tour& s) {
  Plane plane(world::sheets_view);
  plane.frame("memory", world::memory, Tone::memory);
  draw_sheets(plane, s, "");
  const world::Sheets sheets = world::sheets(s.product);
  const double right = sheets.c.right() + 90, top = world::sheets_view.y + 46,
               wide = world::sheets_view.right() - 30 - right;
  PlaneItem& value = plane.box("value", {right, top, 150, 84}, Tone::followed, result_text(s));
  value.type = Type::figure;
  if (s.result()) value.origin = Origin::derived;
  plane.text("value name", {right + 166, top + 12, wide - 166, 60}, s.word("stored"), Type::figure);
  const PlaneBox cell = world::on_c(s.product, s.number.at.row, s.number.at.column, 1, 1);
  plane.line("value mark", right, top + 42, cell.x + cell.width / 2, cell.y + cell.height / 2, Tone::followed);
  const std::int64_t element = s.number.at.row * s.product.n + s.number.at.column;
  const std::int64_t bytes = static_cast<std::int64_t>(s.number.result.element);
  const Narration::Values values = {{"offset", with_thousands(element * bytes)},
                                    {"bytes", fmt::to_string(bytes)},
                                    {"element", with_thousands(element)}};
  plane.text("address name", {right, top + 120, wide, 30}, s.word("address_name"), Type::heading);
  PlaneItem& address =
      plane.text("address", {right, top + 156, wide, 40}, s.word("address_formula", values), Type::figure);
  address.tip = s.word("address_tip", values);
  address.origin = Origin::derived;
  plane.text("address is", {right, top + 200, wide, 40}, s.word("address_offset", values), Type::figure).origin =
      Origin::derived;
  plane.text("sheet c name", {sheets.c.x, sheets.c.bottom() + 4, 260, 24}, s.word("sheet_c"));
  plane.text("store note", {right, top + 262, wide, 70}, s.word("store_note"), Type::body);
  return plane.take();
}

}  // namespace

void store_values(const Tour& s, Narration::Values& values) {
  const auto place = thread_place(s);
  const run::NumberTrail* const trail = s.input.history.trail;
  values.insert_or_assign("lane", fmt::to_string(trail != nullptr ? trail->lane : place ? place->lane : 0));
}

PlanePicture store_plane(const Tour& s, double phase) {
  return between(lane_picture(s), stored_picture(s), part(phase, 0.1, 0.95));
}

}  // namespace warpwalk::story
