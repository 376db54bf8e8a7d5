// Pictures of a warp that reads a view.
#include <algorithm>
#include <cmath>

#include "core/story/labs/tensors/picture.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t measured_bytes = 4;  // of an element, in tests/validate/views.py

std::string bytes_per_element(const Tensors& lab, double bytes) {
  return lab.word("n_bytes", {{"n", fmt::format("{:.3g}", bytes)}});
}

}  // namespace

Panel read_panel(const Tensors& lab) {
  const std::int64_t bytes = element_types[lab.type].bytes;
  ScatterPicture picture;
  picture.across = {lab.word("stride_axis"), 0.8, 6000, true, {}};
  for (const std::int64_t tick : {1, 2, 4, 8, 16, 32, 4096})
    picture.across.ticks.emplace_back(static_cast<double>(tick), with_thousands(tick));
  picture.up = {lab.word("moved_axis"), 0, 36, false, {}};
  for (const int tick : {0, 8, 16, 24, 32}) picture.up.ticks.emplace_back(tick, fmt::format("{} B", tick));
  picture.groups = {{lab.word("derived_sectors", {{"type", std::string(element_types[lab.type].name)}}), Tone::shared}};
  const auto add = [&](std::int64_t stride, double value, std::size_t group, bool named) {
    picture.points.push_back(
        {static_cast<double>(stride), value, group, lab.read_text(stride), bytes_per_element(lab, value), named});
  };
  for (const double stride : Tensors::read_strides) {
    const auto at = static_cast<std::int64_t>(stride);
    add(at, WarpRead(at, bytes).moved_per_element(), 0, at == lab.stride);
  }
  const double here = WarpRead(lab.stride, bytes).moved_per_element();
  picture.lines.push_back(
      {{0.8, static_cast<double>(bytes)}, {6000, static_cast<double>(bytes)}, lab.word("asked_for"), true});
  picture.lines.push_back({{static_cast<double>(lab.stride), 0}, {static_cast<double>(lab.stride), here}, "", true});
  return {lab.word("moved"), 2.4, std::move(picture)};
}

Panel read_table(const Tensors& lab) {
  const std::int64_t bytes = element_types[lab.type].bytes;
  TablePicture table;
  table.columns = {{lab.word("read_head"), 1.6},          {lab.word("distance_head"), 1.2, true},
                   {lab.word("sectors_head"), 1.2, true}, {lab.word("lines_head"), 1.2, true},
                   {lab.word("moved_head"), 1.4, true},   {lab.word("efficiency_head"), 1.2, true}};
  std::vector<std::int64_t> strides = {1, 2, 8, lab.stride, Tensors::row_length};
  std::ranges::sort(strides);
  strides.erase(std::ranges::unique(strides).begin(), strides.end());
  for (const std::int64_t stride : strides) {
    const WarpRead read(stride, bytes);
    TableCell code = word_cell(lab.read_text(stride));
    code.code = true;
    const auto derived = [&](std::int64_t value, Unit unit, std::string_view formula) {
      return figure_cell(Figure::derived(static_cast<double>(value), unit, lab.word(formula)));
    };
    table.rows.push_back(
        {{code, derived(stride * bytes, Unit::bytes, "distance_formula"),
          derived(read.sectors, Unit::count, "sectors_formula"), derived(read.lines, Unit::count, "lines_formula"),
          derived(read.sectors * 32, Unit::bytes, "moved_formula"),
          figure_cell(Figure::derived(read.efficiency(), Unit::percent, lab.word("efficiency_formula")))},
         stride == lab.stride});
  }
  return {"", 1, std::move(table)};
}

Panel read_links(const Tensors& lab) {
  // lab/coalescing has strides up to 40; from 32 bytes on, each lane has a sector of its own.
  const std::int64_t stride = std::min<std::int64_t>(lab.stride, 32);
  const auto card = [&](std::string_view key, CardLink link) {
    const std::string section = fmt::format("lab/tensors.card.{}", key);
    const Narration& n = lab.input.narration;
    return Card{n.text(section, "heading"), n.text(section, "text", {{"stride", fmt::to_string(stride)}}), link.scene,
                link};
  };
  CardPicture picture;
  picture.columns.push_back(
      {lab.word("go_on"),
       Tone::memory,
       {card("coalescing", {"lab/coalescing", "stride", {fmt::format("lab/coalescing.stride={}", stride)}, {}}),
        card("tiling", {"lab/tiling", "tile", {}, {}})},
       1});
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
