// Pictures of a warp that reads a view.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/tensors/tensors.h"

namespace warpwalk::story {
namespace {

std::string times_text(double times) { return with_marks(fmt::format("{:.3g}", times)); }

// The view of this stride that was measured; null without a record.
const records::ViewTime* measured(const Tensors& lab, std::int64_t stride) {
  return find_view(lab.input.hardware.view_times, stride == Tensors::row_length ? "transposed" : "columns",
                   static_cast<double>(stride));
}

}  // namespace

std::optional<double> measured_times(const Tensors& lab, std::int64_t stride) {
  const records::ViewTime *const packed = measured(lab, 1), *const here = measured(lab, stride);
  if (packed == nullptr || here == nullptr) return {};
  return here->ns / packed->ns;
}

Panel read_panel(const Tensors& lab) {
  const std::int64_t bytes = element_types[lab.type].bytes;
  ScatterPicture picture;
  picture.across = {lab.word("stride_axis"), 0.8, 6000, true, {}};
  for (const std::int64_t tick : {1, 2, 4, 8, 16, 32, 4096})
    picture.across.ticks.emplace_back(static_cast<double>(tick), with_thousands(tick));
  picture.groups = {{lab.word("derived_bytes", {{"type", std::string(element_types[lab.type].name)}}), Tone::shared},
                    {lab.word("measured_time"), Tone::work}};
  double top = 1;
  const auto add = [&](std::int64_t stride, double times, std::size_t group, bool named) {
    top = std::max(top, times);
    picture.points.push_back({static_cast<double>(stride), times, group, lab.read_text(stride),
                              lab.word("n_times", {{"n", times_text(times)}}), named});
  };
  for (const double one : Tensors::read_strides) {
    const auto stride = static_cast<std::int64_t>(one);
    add(stride, WarpRead(stride, bytes).moved_times(), 0, stride == lab.stride);
    if (const auto times = measured_times(lab, stride)) add(stride, *times, 1, false);
  }
  if (picture.points.back().group == 0) picture.groups.pop_back();
  picture.up = {lab.word("times_axis"), 0, top * 1.1, false, {}};
  const int step = top > 12 ? 4 : top > 6 ? 2 : 1;
  for (int tick = 0; tick <= static_cast<int>(top); tick += step)
    picture.up.ticks.emplace_back(tick, fmt::to_string(tick));
  const auto here = static_cast<double>(lab.stride);
  picture.lines.push_back({{here, 0}, {here, picture.up.to}, "", true});
  return {lab.word("reading"), 2.4, std::move(picture)};
}

Panel read_table(const Tensors& lab) {
  const std::int64_t bytes = element_types[lab.type].bytes;
  TablePicture table;
  table.columns = {{lab.word("read_head"), 2.2},           {lab.word("sectors_head"), 1, true},
                   {lab.word("lines_head"), 1, true},      {lab.word("moved_head"), 1, true},
                   {lab.word("efficiency_head"), 1, true}, {lab.word("time_head"), 1.4, true},
                   {lab.word("times_head"), 1, true}};
  const double packed = measured(lab, 1) == nullptr ? 0 : measured(lab, 1)->ns;
  const auto add = [&](std::string code, const WarpRead& read, const records::ViewTime* time, bool followed) {
    TableRow& row = table.rows.emplace_back();
    row.followed = followed;
    row.cells = {word_cell(std::move(code))};
    row.cells.back().code = true;
    const auto derived = [&](double value, Unit unit, std::string_view formula) {
      row.cells.push_back(figure_cell(Figure::derived(value, unit, lab.word(formula))));
    };
    derived(static_cast<double>(read.sectors), Unit::count, "sectors_formula");
    derived(static_cast<double>(read.lines), Unit::count, "lines_formula");
    derived(static_cast<double>(read.sectors * 32), Unit::bytes, "moved_formula");
    derived(read.efficiency(), Unit::percent, "efficiency_formula");
    if (time == nullptr) {
      row.cells.resize(table.columns.size(), word_cell(""));
      return;
    }
    row.cells.push_back(figure_cell(Figure::recorded(time->ns, Unit::nanoseconds, Origin::measured)));
    row.cells.push_back(figure_cell(Figure::derived(times_text(time->ns / packed), lab.word("times_formula"))));
  };
  std::vector<std::int64_t> strides = {1, 2, 8, lab.stride, Tensors::row_length};
  std::ranges::sort(strides);
  strides.erase(std::unique(strides.begin(), strides.end()), strides.end());
  for (const std::int64_t stride : strides)
    add(lab.read_text(stride), WarpRead(stride, bytes), measured(lab, stride), stride == lab.stride);
  // The kernel follows the strides of the result, so it reads side by side here.
  add(lab.word("kept"), WarpRead(1, bytes),
      find_view(lab.input.hardware.view_times, "kept", static_cast<double>(Tensors::row_length)), false);
  return {"", 1, std::move(table)};
}

Panel read_links(const Tensors& lab) {
  // lab/coalescing has strides up to 40; from 32 bytes on, each lane has a sector of its own.
  const std::string stride = fmt::to_string(std::min<std::int64_t>(lab.stride, 32));
  const Narration& words = lab.input.narration;
  Card card;
  card.heading = words.text("lab/tensors.card", "heading");
  card.text = words.text("lab/tensors.card", "text", {{"stride", stride}});
  card.foot = "lab/coalescing";
  card.link.scene = "lab/coalescing";
  card.link.beat = "stride";
  card.link.settings = {"lab/coalescing.stride=" + stride};
  CardColumn column;
  column.head = lab.word("go_on");
  column.tone = Tone::memory;
  column.cards.push_back(std::move(card));
  CardPicture picture;
  picture.columns.push_back(std::move(column));
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
