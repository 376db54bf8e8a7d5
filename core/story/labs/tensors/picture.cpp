// Pictures of a tensor and its storage.
#include <algorithm>

#include <fmt/ranges.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/story/labs/tensors/tensors.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view element_control = "lab/tensors.element";

// Adds the meaning of the tones, if there are several.
void add_legend(const Tensors& lab, std::initializer_list<std::pair<Tone, std::string_view>> words, CellGrid& cells) {
  cells.legend = legend(cells, lab.input, "lab/tensors.word", words);
  if (cells.legend.size() < 2) cells.legend.clear();
}

std::string number(std::int64_t value) { return fmt::to_string(value); }

Figure sum_of(const Tensors& lab, std::int64_t value, std::string_view formula) {
  return Figure::derived(number(value), lab.word(formula));
}

}  // namespace

std::vector<Panel> element_panels(const Tensors& lab) {
  const ops::Geometry& g = lab.geometry();
  const std::size_t dims = g.dims();
  if (lab.is_empty()) return {{lab.word("no_elements", {{"code", lab.last_code()}}), 1, CellGrid{}}};
  const std::int64_t columns = dims > 0 ? g.sizes[dims - 1] : 1, rows = dims > 1 ? g.sizes[dims - 2] : 1;
  const std::int64_t slab = columns * rows, slabs = std::ssize(lab.places) / slab;
  const std::int64_t first = lab.element / slab / max_slabs * max_slabs;
  std::vector<Panel> panels;
  for (std::int64_t s = first; s < std::min(slabs, first + max_slabs); ++s) {
    CellGrid cells;
    cells.columns = static_cast<std::size_t>(columns);
    for (std::int64_t i = s * slab; i < (s + 1) * slab; ++i) {
      const std::int64_t at = lab.places[static_cast<std::size_t>(i)];
      const bool together = at == lab.place() && i != lab.element;
      cells.cells.push_back({together ? Tone::shared : Tone::memory,
                             number(lab.last().storage[static_cast<std::size_t>(at)]),
                             lab.word("element_tip", {{"index", lab.index_text(i)}, {"sum", lab.place_text(i)}}),
                             {{std::string(element_control), static_cast<double>(i)}}});
    }
    if (lab.element / slab == s) cells.followed = static_cast<std::size_t>(lab.element % slab);
    cells.legend = legend(cells, lab.input, "lab/tensors.word", {{Tone::shared, "same_place"}});
    // The matrix of a larger tensor is named by the indices before: "[0, 1, :, :]".
    std::string heading = lab.word("elements", {{"code", lab.last_code()}, {"sizes", analysis::sizes_text(g.sizes)}});
    if (dims > 2) {
      const std::vector<std::int64_t> index = index_of(g, s * slab);
      heading = fmt::format("[{}, :, :]", fmt::join(index.begin(), index.end() - 2, ", "));
      if (slabs > max_slabs && s == first)
        heading += lab.word("of_slabs", {{"shown", number(max_slabs)}, {"all", number(slabs)}});
    }
    panels.push_back({std::move(heading), 1, std::move(cells)});
  }
  return panels;
}

Panel storage_panel(const Tensors& lab) {
  const std::vector<std::int64_t>& storage = lab.last().storage;
  CellGrid cells;
  cells.columns = std::min<std::size_t>(storage.size(), 24);
  for (std::int64_t at = 0; at < std::ssize(storage); ++at) {
    const auto reader = std::ranges::find(lab.places, at);
    const bool read = reader != lab.places.end();
    const std::int64_t first = reader - lab.places.begin();
    Cell& cell = cells.cells.emplace_back();
    cell.tone = read ? Tone::memory : Tone::quiet;
    cell.label = number(storage[static_cast<std::size_t>(at)]);
    cell.tip = read ? lab.word("place_tip", {{"place", number(at)}, {"index", lab.index_text(first)}})
                    : lab.word("unread_tip", {{"place", number(at)}});
    if (read) cell.sets = {{std::string(element_control), static_cast<double>(first)}};
  }
  if (!lab.is_empty()) cells.followed = static_cast<std::size_t>(lab.place());
  add_legend(lab, {{Tone::memory, "read"}, {Tone::quiet, "unread"}}, cells);
  const std::string_view heading = lab.has(StepEffect::copy) ? "new_storage" : "storage";
  return {lab.word(heading, {{"places", count_text(lab.input.narration, "element", std::ssize(storage))}}), 1,
          std::move(cells)};
}

Panel old_storage_panel(const Tensors& lab) {
  // The numbers in a copy are the places in the first storage that they come from.
  const std::vector<std::int64_t>& copied = lab.last().storage;
  CellGrid cells;
  cells.columns = std::min<std::size_t>(lab.first.storage.size(), 24);
  for (const std::int64_t at : lab.first.storage)
    cells.cells.push_back({std::ranges::find(copied, at) == copied.end() ? Tone::quiet : Tone::shared, number(at),
                           lab.word("old_tip", {{"place", number(at)}})});
  if (!lab.is_empty()) cells.followed = static_cast<std::size_t>(copied[static_cast<std::size_t>(lab.place())]);
  add_legend(lab, {{Tone::shared, "copied"}, {Tone::quiet, "left_out"}}, cells);
  return {lab.word("old_storage"), 1, std::move(cells)};
}

Panel place_panel(const Tensors& lab) {
  const ops::Geometry& g = lab.geometry();
  const std::vector<std::int64_t> index = index_of(g, lab.element);
  TablePicture table;
  table.columns = {{lab.word("dimension_head"), 2},
                   {lab.word("index_head"), 1, true},
                   {lab.word("stride_head"), 1, true},
                   {lab.word("product_head"), 1.5, true}};
  table.rows.push_back({{word_cell(lab.word("offset")), word_cell(""), word_cell(""),
                         figure_cell(sum_of(lab, g.offset, "offset_formula"))},
                        false});
  for (std::size_t dim = 0; dim < g.dims(); ++dim)
    table.rows.push_back(
        {{word_cell(lab.word("dimension", {{"n", fmt::to_string(dim)}, {"size", number(g.sizes[dim])}})),
          number_cell(index[dim]), number_cell(g.strides[dim]),
          figure_cell(sum_of(lab, index[dim] * g.strides[dim], "product_formula"))},
         false});
  table.rows.push_back({{word_cell(lab.word("place")), word_cell(""), word_cell(""),
                         figure_cell(sum_of(lab, lab.place(), "place_formula"))},
                        true});
  return {lab.word("place_of", {{"code", lab.last_code()}, {"index", lab.index_text(lab.element)}}), 1,
          std::move(table)};
}

Panel dims_panel(const Tensors& lab) {
  const ops::Geometry& g = lab.geometry();
  const ops::Sizes row_major = ops::row_major(g.sizes);
  TablePicture table;
  table.columns = {{lab.word("dimension_head"), 1.4},
                   {lab.word("size_head"), 1, true},
                   {lab.word("stride_head"), 1, true},
                   {lab.word("row_major_head"), 1.4, true},
                   {lab.word("agrees_head"), 1.4}};
  for (std::size_t dim = 0; dim < g.dims(); ++dim) {
    const bool one = g.sizes[dim] == 1, agrees = g.strides[dim] == row_major[dim];
    table.rows.push_back({{word_cell(lab.word("dimension_n", {{"n", fmt::to_string(dim)}})), number_cell(g.sizes[dim]),
                           number_cell(g.strides[dim]), figure_cell(sum_of(lab, row_major[dim], "row_major_formula")),
                           word_cell(lab.word(one      ? "size_one"
                                              : agrees ? "yes"
                                                       : "no"),
                                     one || agrees ? Tone::work : Tone::refused)},
                          false});
  }
  return {lab.word("dims", {{"code", lab.last_code()}, {"offset", number(g.offset)}}), 1.25, std::move(table)};
}

Panel order_panel(const Tensors& lab) {
  ScatterPicture picture;
  const auto end = static_cast<double>(lab.places.size()), top = static_cast<double>(lab.last().storage.size());
  const auto axis = [](std::string label, double to) {
    ScatterAxis made = {std::move(label), -0.5, to - 0.5, false, {}};
    const int step = to > 40 ? 12 : to > 12 ? 6 : 3;
    for (int tick = 0; tick < static_cast<int>(to); tick += step)
      made.ticks.emplace_back(static_cast<double>(tick), fmt::to_string(tick));
    return made;
  };
  picture.across = axis(lab.word("order_axis"), end);
  picture.up = axis(lab.word("place_axis"), top);
  picture.groups = {{lab.word("element_of", {{"code", lab.last_code()}}), Tone::memory},
                    {lab.word("followed"), Tone::followed}};
  for (std::int64_t i = 0; i < std::ssize(lab.places); ++i) {
    const auto at = static_cast<double>(lab.places[static_cast<std::size_t>(i)]);
    const bool here = i == lab.element;
    picture.points.push_back({static_cast<double>(i), at, here ? 1u : 0u, lab.index_text(i),
                              lab.word("n_place", {{"place", with_marks(fmt::format("{:g}", at))}}), here});
  }
  const auto offset = static_cast<double>(lab.geometry().offset);
  const double length = std::min(end - 1, top - 1 - offset);
  if (length > 0) picture.lines.push_back({{0, offset}, {length, offset + length}, lab.word("contiguous_line"), true});
  return {lab.word("order"), 1, std::move(picture)};
}

Panel steps_panel(const Tensors& lab, bool known) {
  TablePicture table;
  table.columns = {{lab.word("step_head"), 1, false, true},      {lab.word("effect_head"), 1, false, true},
                   {lab.word("sizes_head"), 1, false, true},     {lab.word("strides_head"), 1, false, true},
                   {lab.word("offset_head"), 1, true, true},     {lab.word("contiguous_head"), 1, false, true},
                   {lab.word("why_head"), 1, false, false, true}};
  const auto add = [&](std::string code, TableCell effect, const ops::Geometry& g, std::string why, bool shown) {
    TableCell text = word_cell(std::move(code));
    text.code = true;
    TableRow& row = table.rows.emplace_back();
    row.cells = {text, std::move(effect)};
    if (shown)
      for (TableCell& cell : std::vector<TableCell>{word_cell(analysis::strides_text(g.sizes)),
                                                    word_cell(analysis::strides_text(g.strides)), number_cell(g.offset),
                                                    word_cell(lab.word(g.contiguous() ? "yes" : "no"))})
        row.cells.push_back(std::move(cell));
    else
      row.cells.resize(6, word_cell("?", Tone::quiet));
    row.cells.push_back(word_cell(shown ? std::move(why) : "?", Tone::quiet));
  };
  add("a", word_cell(""), lab.first.geometry, "", true);
  for (const TakenStep& step : lab.chain) {
    const auto effect = static_cast<std::size_t>(step.effect);
    const bool shown = known || &step != &lab.chain.back();
    add(step.code,
        shown ? word_cell(lab.word(fmt::format("effect_{}", effect_keys[effect])), effect_tones[effect])
              : word_cell("?", Tone::quiet),
        step.after.geometry, step.why, shown);
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
