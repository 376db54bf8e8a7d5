// The panels of the lab of layouts.
#include <algorithm>

#include <fmt/format.h>

#include "core/compiled/layout/encoding.h"
#include "core/run/layouts/layout_report.h"
#include "core/story/labs/layouts/layouts.h"

namespace warpwalk::story {
namespace {

using compiled::LayoutPlace;
using compiled::LinearLayout;

/// Of mma.sync, as Triton multiplies on an A100: the kernel, for sm_90, has none.
constexpr std::string_view mma_operand =
    "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], "
    "instrShape = [16, 8]}>, kWidth = 2}>";
constexpr std::string_view no_swizzle = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>";
constexpr std::int64_t bank_columns = 32, half_words = 2;  // elements of 16 bits in a bank
constexpr std::int64_t moved_group = 8,
                       shown_groups = 4;  // elements that a swizzle moves together; groups with a colour

constexpr Tone warp_tones[] = {Tone::memory, Tone::work, Tone::shared, Tone::barrier};
constexpr std::string_view warp_keys[] = {"warp0", "warp1", "warp2", "warp3"};

/// The first tensor of the kernel that an operation uses so.
std::size_t find_layout(const LayoutRun& run, std::string_view op, compiled::TensorLayout::Role role,
                        std::string_view value) {
  for (std::size_t i = 0; i < run.layouts.tensors.size(); ++i) {
    const compiled::TensorLayout& one = run.layouts.tensors[i];
    if (one.op_name == op && one.role == role && one.value.starts_with(value) && one.layout) return i;
  }
  return std::string::npos;
}

/// A layout of an attribute that is not of the kernel.
LinearLayout example_layout(std::string_view attribute, const std::vector<std::int64_t>& shape) {
  const auto encoding = compiled::parse_encoding(attribute);
  if (!encoding) return {};
  auto layout = compiled::layout_of(*encoding, shape);
  return layout ? std::move(*layout) : LinearLayout{};
}

}  // namespace

LayoutsLab::LayoutsLab(const SceneInput& in) : input(in), run(run_of_layouts(described_gpu(in.hardware, "h200"))) {
  using Role = compiled::TensorLayout::Role;
  tensor =
      static_cast<Tensor>(controls.choice("tensor", {word("blocked"), word("product"), word("operand")}, 0, "example"));
  buffer = controls.choice("buffer", {word("buffer_a"), word("buffer_b"), word("buffer_plain")}, 0, "example");
  const std::int64_t element = controls.pointed("element", shown_rows * shown_columns - 1, 37);
  first_row = controls.slider("first", steps_by(0, 52, 4), 0, "example");
  row = first_row + element / shown_columns;
  column = element % shown_columns;
  if (tensor == Tensor::operand) {
    encoding = mma_operand;
    layout = example_layout(mma_operand, {64, 32});
  } else {
    entry = tensor == Tensor::blocked ? find_layout(run, "ttg.async_copy_global_to_local", Role::addresses, "%a")
                                      : find_layout(run, "ttng.warp_group_dot", Role::result, "%");
    if (entry != std::string::npos) {
      layout = *run.layouts.tensors[entry].layout;
      encoding = run.layouts.tensors[entry].encoding;
    }
  }
  if (buffer == 2) {
    shared_encoding = no_swizzle;
    shared_layout = example_layout(no_swizzle, {64, 32});
  } else {
    shared_entry = find_layout(run, "ttg.async_copy_global_to_local", Role::memory, buffer == 0 ? "%a" : "%b");
    if (shared_entry != std::string::npos) {
      shared_layout = *run.layouts.tensors[shared_entry].layout;
      shared_encoding = run.layouts.tensors[shared_entry].encoding;
    }
  }
}

LayoutPlace LayoutsLab::place() const {
  if (layout.shape.size() != 2) return {};
  const auto places = layout.places_of(layout.element_at({row, column}));
  return places.empty() ? LayoutPlace{} : places.front();
}

Panel elements_panel(const LayoutsLab& lab) {
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(LayoutsLab::shown_columns);
  if (lab.layout.shape.size() != 2) return {lab.word("elements"), 3, std::move(cells)};
  const run::LayoutCheck* const check = lab.check(lab.entry);
  const std::uint64_t registers = lab.layout.size(LinearLayout::registers);
  for (std::int64_t row = lab.first_row; row < lab.first_row + LayoutsLab::shown_rows; ++row)
    for (std::int64_t column = 0; column < LayoutsLab::shown_columns; ++column) {
      const auto places = lab.layout.places_of(lab.layout.element_at({row, column}));
      const LayoutPlace place = places.empty() ? LayoutPlace{} : places.front();
      Narration::Values values = {{"at", fmt::format("({}, {})", row, column)},
                                  {"warp", fmt::to_string(place.warp)},
                                  {"lane", fmt::to_string(place.lane)},
                                  {"reg", fmt::to_string(place.reg)}};
      std::string tip = lab.word(places.size() > 1 ? "copies_tip" : "place_tip", values);
      // The value that the run left there.
      const std::uint64_t number = (place.warp * 32 + place.lane) * registers + place.reg;
      if (check != nullptr && number < check->values.size())
        tip += ", " + lab.word("value", {{"value", real_text(static_cast<double>(check->values[number]), 6)}});
      cells.cells.push_back({warp_tones[place.warp % 4], fmt::to_string(place.lane), std::move(tip)});
      cells.cells.back().sets = {{fmt::format("{}.element", LayoutsLab::name),
                                  static_cast<double>((row - lab.first_row) * LayoutsLab::shown_columns + column)}};
    }
  cells.followed = static_cast<std::size_t>((lab.row - lab.first_row) * LayoutsLab::shown_columns + lab.column);
  cells.fitted = true;
  cells.legend = legend(cells, lab.input, LayoutsLab::words,
                        {{warp_tones[0], warp_keys[0]},
                         {warp_tones[1], warp_keys[1]},
                         {warp_tones[2], warp_keys[2]},
                         {warp_tones[3], warp_keys[3]}});
  cells.note =
      lab.word("shown_part", {{"first", fmt::to_string(lab.first_row)}, {"shape", run::shape_text(lab.layout.shape)}});
  return {lab.word("elements"), 3, std::move(cells)};
}

Panel lane_panel(const LayoutsLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("register"), 1, true}, {lab.word("holds"), 2}};
  const run::LayoutCheck* const check = lab.check(lab.entry);
  const bool has_values = check != nullptr && !check->values.empty();
  if (has_values) table.columns.push_back({lab.word("run_value"), 2, true});
  const LayoutPlace place = lab.place();
  const std::uint64_t registers = lab.layout.shape.size() == 2 ? lab.layout.size(LinearLayout::registers) : 0;
  for (std::uint64_t reg = 0; reg < registers; ++reg) {
    const auto at = lab.layout.coordinates(lab.layout.element({reg, place.lane, place.warp, 0}));
    TableCell holds = word_cell(fmt::format("({}, {})", at[0], at[1]));
    holds.code = true;
    std::vector<TableCell> row = {number_cell(static_cast<std::int64_t>(reg)), std::move(holds)};
    const std::uint64_t number = (place.warp * 32 + place.lane) * registers + reg;
    if (has_values)
      row.push_back(number < check->values.size()
                        ? figure_cell(Figure::recorded(real_text(static_cast<double>(check->values[number]), 6),
                                                       Origin::simulated))
                        : word_cell(""));
    table.rows.push_back({std::move(row), reg == place.reg});
  }
  return {lab.word("registers", {{"lane", fmt::to_string(place.lane)}, {"warp", fmt::to_string(place.warp)}}), 1,
          std::move(table)};
}

Panel banks_panel(const LayoutsLab& lab) {
  CellGrid cells;
  cells.columns = bank_columns;
  cells.fitted = true;
  if (lab.shared_layout.shape.size() != 2) return {lab.word("banks"), 1, std::move(cells)};
  constexpr std::int64_t shown = 8;  // rows of banks
  for (std::int64_t word = 0; word < shown * bank_columns; ++word) {
    const auto at = lab.shared_layout.coordinates(
        lab.shared_layout.element({static_cast<std::uint64_t>(word * half_words), 0, 0, 0}));
    cells.cells.push_back({at[1] < shown_groups * moved_group ? warp_tones[at[1] / moved_group] : Tone::quiet,
                           fmt::to_string(at[0]),
                           lab.word("bank_tip", {{"bank", fmt::to_string(word % bank_columns)},
                                                 {"byte", fmt::to_string(word * 4)},
                                                 {"first", fmt::format("({}, {})", at[0], at[1])},
                                                 {"second", fmt::format("({}, {})", at[0], at[1] + 1)}})});
  }
  cells.legend = legend(cells, lab.input, LayoutsLab::words,
                        {{warp_tones[0], "columns0"},
                         {warp_tones[1], "columns8"},
                         {warp_tones[2], "columns16"},
                         {warp_tones[3], "columns24"},
                         {Tone::quiet, "columns32"}});
  cells.note = lab.word("banks_note", {{"shape", run::shape_text(lab.shared_layout.shape)}});
  return {lab.word("banks"), 1, std::move(cells)};
}

Panel attribute_panel(const LayoutsLab& lab, bool shared) {
  CodePicture code;
  code.columns = {text_column(lab.word("attribute"), {shared ? lab.shared_encoding : lab.encoding}, 1)};
  return {{}, 1, std::move(code)};
}

Panel checks_panel(const LayoutsLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("line"), 1, true},
                   {lab.word("op"), 4},
                   {lab.word("shape"), 2},
                   {lab.word("layout"), 2},
                   {lab.word("compared"), 2, true},
                   {lab.word("equal"), 2, true},
                   {lab.word("what"), 4, false, false, true}};
  for (std::size_t i = 0; i < lab.run.layouts.tensors.size(); ++i) {
    const compiled::TensorLayout& tensor = lab.run.layouts.tensors[i];
    const run::LayoutCheck& check = lab.run.layouts.checks[i];
    if (check.executions == 0) continue;
    const std::string kind = tensor.encoding.substr(0, tensor.encoding.find('<'));
    const auto simulated = [](std::uint64_t number) {
      return figure_cell(Figure::recorded(with_thousands(static_cast<std::int64_t>(number)), Origin::simulated));
    };
    TableCell op = word_cell(tensor.op_name), layout = word_cell(kind.substr(kind.rfind('.') + 1));
    op.code = layout.code = true;
    table.rows.push_back({{number_cell(tensor.line), std::move(op), word_cell(run::shape_text(tensor.shape)),
                           std::move(layout), check.checked() ? simulated(check.compared) : word_cell(""),
                           check.checked() ? simulated(check.equal) : word_cell(""),
                           word_cell(check.checked() ? lab.word(check.compared_what == "global addresses"   ? "global"
                                                                : check.compared_what == "shared addresses" ? "shared"
                                                                                                            : "values")
                                                     : lab.word("not_compared"))},
                          false});
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
