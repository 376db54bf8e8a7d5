// The panels of the lab of tensor cores.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/tensor_cores/tensor_cores.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view formats[] = {"FP16", "BF16", "FP8 E4M3"};
constexpr std::string_view format_words[] = {"FP16", "BF16", "E4M3"};
constexpr std::string_view matrix_words[tensor_matrices] = {"A", "B", "D"};

std::string size_words(int rows, int columns) { return fmt::format("{} × {}", rows, columns); }

}  // namespace

TensorLab::TensorLab(const SceneInput& in) : input(in) {
  std::vector<std::string> names(std::begin(format_words), std::end(format_words));
  std::vector<std::string> matrices(std::begin(matrix_words), std::end(matrix_words));
  format = formats[controls.choice("format", std::move(names), 0, "example")];
  tile = TensorTile(format);
  const auto element = static_cast<int>(controls.pointed("element", TensorTile::m * TensorTile::n - 1, 43));
  row = element / TensorTile::n;
  column = element % TensorTile::n;
  matrix = static_cast<TensorMatrix>(controls.choice("matrix", std::move(matrices), 2, "example"));
  lane = static_cast<int>(controls.pointed("lane", 31, place_of(TensorMatrix::d, row, column).lane));
  length = controls.slider("length", steps_growing(16, 65536), 4096, "example");
  dot = dot_precision(format, length);
  const std::int64_t first = controls.slider("row", steps_by(0, 63, 1), 0, "example");
  for (int i = 0; i < 16; ++i) weights.push_back(example_number(3, 16 * first + i));
}

// A, B or D with what the chosen element of D needs.
Panel matrix_panel(const TensorLab& t, TensorMatrix matrix) {
  CellGrid cells;
  const int rows = rows_of(matrix), columns = columns_of(matrix);
  cells.columns = static_cast<std::size_t>(columns);
  const auto sums = t.tile.sums(t.row, t.column);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
      const bool used = matrix == TensorMatrix::a   ? row == t.row
                        : matrix == TensorMatrix::b ? column == t.column
                                                    : row == t.row && column == t.column;
      const double value = matrix == TensorMatrix::a   ? t.tile.a[r][c]
                           : matrix == TensorMatrix::b ? t.tile.b[r][c]
                                                       : t.tile.sums(row, column).back();
      const Tone tone = !used                       ? Tone::quiet
                        : matrix == TensorMatrix::a ? Tone::memory
                        : matrix == TensorMatrix::b ? Tone::shared
                                                    : Tone::work;
      cells.cells.push_back(
          {tone, "",
           t.word("element_tip", {{"at", fmt::format("({}, {})", row, column)}, {"value", real_text(value, 5)}})});
      if (matrix == TensorMatrix::d)
        cells.cells.back().sets = {{fmt::format("{}.element", TensorLab::name), row * columns + column}};
    }
  if (matrix == TensorMatrix::d) cells.followed = static_cast<std::size_t>(t.row * columns + t.column);
  if (matrix == TensorMatrix::d) cells.summary = t.word("result", {{"value", real_text(sums.back(), 5)}});
  const std::size_t index = static_cast<std::size_t>(matrix);
  return {t.word("matrix", {{"name", std::string(matrix_words[index])}, {"size", size_words(rows, columns)}}),
          columns / 8.0, std::move(cells)};
}

// The products of the chosen element.
Panel products_panel(const TensorLab& t) {
  TablePicture table;
  table.columns = {{t.word("k"), 1, true}, {t.word("a"), 2, true}, {t.word("b"), 2, true}, {t.word("sum"), 2, true}};
  const auto sums = t.tile.sums(t.row, t.column);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const auto figure = [&](double value, std::string_view formula) {
      return figure_cell(Figure::derived(with_marks(fmt::format("{:.4f}", value)), t.word(formula)));
    };
    table.rows.push_back(
        {{number_cell(static_cast<std::int64_t>(k)),
          figure(t.tile.a[static_cast<std::size_t>(t.row)][k], "input_formula"),
          figure(t.tile.b[k][static_cast<std::size_t>(t.column)], "input_formula"), figure(sums[k], "sum_formula")},
         k + 1 == sums.size()});
  }
  return {"", 2, std::move(table)};
}

// The elements of a matrix by the lane that holds them.
Panel fragment_panel(const TensorLab& t) {
  CellGrid cells;
  const int rows = rows_of(t.matrix), columns = columns_of(t.matrix);
  cells.columns = static_cast<std::size_t>(columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const FragmentPlace place = place_of(t.matrix, row, column);
      cells.cells.push_back({place.lane == t.lane ? Tone::memory : Tone::quiet, fmt::to_string(place.lane),
                             t.word("fragment_tip", {{"at", fmt::format("({}, {})", row, column)},
                                                     {"lane", fmt::to_string(place.lane)},
                                                     {"reg", fmt::to_string(place.reg)}})});
      cells.cells.back().sets = {{fmt::format("{}.lane", TensorLab::name), place.lane}};
    }
  cells.legend = legend(cells, t.input, TensorLab::words, {{Tone::memory, "own_lane"}});
  const std::string matrix(matrix_words[static_cast<std::size_t>(t.matrix)]);
  return {t.word("fragment", {{"name", matrix}, {"size", size_words(rows, columns)}}), 2, std::move(cells)};
}

// The registers of the chosen lane.
Panel registers_panel(const TensorLab& t) {
  TablePicture table;
  table.columns = {{t.word("register"), 1}, {t.word("holds"), 3}};
  std::vector<std::string> held(static_cast<std::size_t>(fragment_registers(t.matrix)));
  for (int row = 0; row < rows_of(t.matrix); ++row)
    for (int column = 0; column < columns_of(t.matrix); ++column) {
      const FragmentPlace place = place_of(t.matrix, row, column);
      if (place.lane != t.lane) continue;
      std::string& text = held[static_cast<std::size_t>(place.reg)];
      text += fmt::format("{}({}, {})", text.empty() ? "" : "  ", row, column);
    }
  for (std::size_t reg = 0; reg < held.size(); ++reg) {
    TableCell cell = word_cell(held[reg]);
    cell.code = true;
    table.rows.push_back({{number_cell(static_cast<std::int64_t>(reg)), std::move(cell)}, false});
  }
  return {t.word("registers", {{"lane", fmt::to_string(t.lane)}}), 1, std::move(table)};
}

// Sums of several lengths with their errors.
Panel precision_panel(const TensorLab& t) {
  TablePicture table;
  table.columns = {{t.word("length"), 2, true},
                   {t.word("exact"), 3, true},
                   {t.word("inputs_error"), 3, true},
                   {t.word("fp32_error"), 3, true},
                   {t.word("fp16_error"), 3, true}};
  std::vector<std::int64_t> lengths = {16, 256, 4096, 65536};
  if (std::ranges::find(lengths, t.length) == lengths.end()) lengths.push_back(t.length);
  std::ranges::sort(lengths);
  for (const std::int64_t length : lengths) {
    const DotPrecision dot = dot_precision(t.format, length);
    const auto simulated = [&](double value) {
      return figure_cell(Figure::recorded(real_text(value, 3), Origin::simulated));
    };
    table.rows.push_back(
        {{number_cell(length), figure_cell(Figure::derived(real_text(dot.exact, 7), t.word("exact_formula"))),
          figure_cell(Figure::derived(real_text(dot.rounded - dot.exact, 3), t.word("inputs_formula"))),
          simulated(dot.tensor_fp32 - dot.rounded), simulated(dot.tensor_fp16 - dot.rounded)},
         length == t.length});
  }
  return {"", 1, std::move(table)};
}

// The formats that the tensor cores of each generation multiply (NVIDIA's architecture white papers).
Panel tensor_generations_panel(const TensorLab& t) {
  struct Generation {
    std::string_view name, since, key;
  };
  constexpr Generation generations[] = {{"Volta", "7.0", "volta"},   {"Turing", "7.5", "turing"},
                                        {"Ampere", "8.0", "ampere"}, {"Ada", "8.9", "ada"},
                                        {"Hopper", "9.0", "hopper"}, {"Blackwell", "10.0", "blackwell"}};
  TablePicture table;
  table.columns = {{t.word("generation"), 2}, {t.word("capability"), 2}, {t.word("adds"), 8, false, false, true}};
  for (const Generation& one : generations)
    table.rows.push_back({{word_cell(std::string(one.name)), word_cell(std::string(one.since)),
                           word_cell(t.word(fmt::format("adds.{}", one.key)))},
                          false});
  return {"", 1, std::move(table)};
}

// A row before and after 2:4 pruning.
Panel sparse_panel(const TensorLab& t, bool pruned) {
  const SparseRow sparse = sparse_row(t.weights);
  CellGrid cells;
  cells.columns = pruned ? 8 : 16;
  if (pruned) {
    for (std::size_t i = 0; i < sparse.kept.size(); ++i)
      cells.cells.push_back({Tone::work, with_marks(fmt::format("{:.1f}", sparse.kept[i])),
                             t.word("kept_tip", {{"value", real_text(sparse.kept[i], 4)},
                                                 {"place", fmt::to_string(sparse.positions[i])}})});
    return {t.word("compressed"), 1, std::move(cells)};
  }
  for (std::size_t i = 0; i < t.weights.size(); ++i) {
    const std::size_t first = i / 4 * 2;
    const bool kept =
        sparse.positions[first] == static_cast<int>(i % 4) || sparse.positions[first + 1] == static_cast<int>(i % 4);
    cells.cells.push_back({kept ? Tone::work : Tone::refused, with_marks(fmt::format("{:.1f}", t.weights[i])),
                           t.word("weight_tip", {{"i", fmt::to_string(i)}, {"value", real_text(t.weights[i], 4)}})});
  }
  cells.legend = legend(cells, t.input, TensorLab::words, {{Tone::work, "kept"}, {Tone::refused, "dropped"}});
  return {t.word("weights"), 1, std::move(cells)};
}

}  // namespace warpwalk::story
