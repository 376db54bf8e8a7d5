// Pictures of a matrix in three layouts, and of what device, layout and dtype decide.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/tensors/tensors.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view entry_control = "lab/tensors.entry";
constexpr std::array<Tone, 3> layout_tones = {Tone::host, Tone::shared, Tone::memory};
constexpr std::array<MatrixLayout, 3> all_layouts = {MatrixLayout::strided, MatrixLayout::coo, MatrixLayout::csr};

std::string layout_word(const Tensors& lab, MatrixLayout layout) {
  return lab.word(layout_keys[static_cast<std::size_t>(layout)]);
}

}  // namespace

Panel matrix_panel(const Tensors& lab) {
  CellGrid cells;
  cells.columns = SparseMatrix::columns;
  cells.control = entry_control;
  cells.followed = static_cast<std::size_t>(lab.entry);
  for (std::int64_t i = 0; i < SparseMatrix::count; ++i) {
    const std::int64_t value = lab.matrix.elements[static_cast<std::size_t>(i)];
    cells.cells.push_back({value == 0 ? Tone::quiet : Tone::memory, fmt::to_string(value),
                           lab.word("entry_tip", {{"row", fmt::to_string(i / SparseMatrix::columns)},
                                                  {"column", fmt::to_string(i % SparseMatrix::columns)},
                                                  {"value", fmt::to_string(value)}})});
  }
  cells.legend = legend(cells, lab.input, "lab/tensors.word", {{Tone::memory, "nonzero"}, {Tone::quiet, "zero"}});
  return {lab.word("matrix"), 1, std::move(cells)};
}

std::vector<Panel> array_panels(const Tensors& lab) {
  const std::vector<LayoutArray> arrays = arrays_of(lab.matrix, lab.layout);
  const auto described = described_by(lab.matrix, lab.layout, lab.entry);
  std::vector<Panel> panels;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const LayoutArray& array = arrays[a];
    CellGrid cells;
    cells.columns = std::max<std::size_t>(array.numbers.size(), 1);
    for (std::size_t i = 0; i < array.numbers.size(); ++i) {
      const bool lit = std::ranges::find(described[a], i) != described[a].end();
      const Tone values = array.numbers[i] == 0 ? Tone::quiet : Tone::memory;
      cells.cells.push_back({array.indices ? (lit ? Tone::shared : Tone::plain) : values,
                             fmt::to_string(array.numbers[i]),
                             lab.word("array_tip", {{"array", std::string(array.name)}, {"n", fmt::to_string(i)}})});
    }
    if (!described[a].empty()) cells.followed = described[a].front();
    const std::string type = array.indices ? "int64" : std::string(element_types[lab.type].name);
    // Each panel is as wide as its cells need.
    panels.push_back({lab.word("array", {{"array", std::string(array.name)}, {"type", type}}),
                      std::max<double>(4, static_cast<double>(cells.columns)), std::move(cells)});
  }
  return panels;
}

Panel bytes_panel(const Tensors& lab) {
  const std::int64_t bytes = element_types[lab.type].bytes;
  ScatterPicture picture;
  picture.across = {lab.word("nonzeros_axis"), -0.5, SparseMatrix::count + 0.5, false, {}};
  for (int tick = 0; tick <= SparseMatrix::count; tick += 6)
    picture.across.ticks.emplace_back(tick, fmt::to_string(tick));
  std::int64_t most = 0;
  for (std::size_t l = 0; l < all_layouts.size(); ++l) {
    picture.groups.push_back({layout_word(lab, all_layouts[l]), layout_tones[l]});
    for (std::int64_t nonzeros = 0; nonzeros <= SparseMatrix::count; ++nonzeros) {
      const std::int64_t total = bytes_of(scattered_matrix(nonzeros), all_layouts[l], bytes);
      most = std::max(most, total);
      picture.points.push_back({static_cast<double>(nonzeros), static_cast<double>(total), l,
                                lab.word("n_nonzeros", {{"n", fmt::to_string(nonzeros)}}), fmt::format("{} B", total),
                                false});
    }
  }
  picture.up = {lab.word("bytes_axis"), 0, static_cast<double>(most) * 1.08, false, {}};
  for (std::int64_t tick = 0; tick <= most; tick += most > 300 ? 256 : 64)
    picture.up.ticks.emplace_back(static_cast<double>(tick), fmt::format("{} B", tick));
  const auto here = static_cast<double>(lab.matrix.nonzeros);
  picture.lines.push_back({{here, 0}, {here, picture.up.to}, "", true});
  return {lab.word("bytes"), 1, std::move(picture)};
}

Panel axes_panel(const Tensors& lab) {
  const std::string_view device = Tensors::devices[lab.device];
  const ElementType& type = element_types[lab.type];
  TablePicture table;
  table.columns = {{lab.word("axis_head"), 0.7, false, true},
                   {lab.word("chosen_head"), 1, false, true},
                   {lab.word("decides_head"), 2, false, false, true},
                   {lab.word("gives_head"), 2, false, false, true}};
  const auto row = [&](std::string_view key, std::string_view chosen, std::string gives) {
    TableCell code = word_cell(std::string(chosen));
    code.code = true;
    table.rows.push_back(
        {{word_cell(lab.word(key)), code, word_cell(lab.word(fmt::format("{}_decides", key)), Tone::quiet),
          word_cell(std::move(gives))},
         false});
  };
  row("device", device, lab.word(fmt::format("on_{}", device)));
  row("layout",
      fmt::format("torch.{}", lab.layout == MatrixLayout::strided ? "strided"
                              : lab.layout == MatrixLayout::coo   ? "sparse_coo"
                                                                  : "sparse_csr"),
      lab.word(fmt::format("in_{}", layout_keys[static_cast<std::size_t>(lab.layout)])));
  row("dtype", fmt::format("torch.{}", type.name),
      lab.word("as_type", {{"bytes", fmt::to_string(type.bytes)}, {"cpp", std::string(type.cpp)}}));
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
