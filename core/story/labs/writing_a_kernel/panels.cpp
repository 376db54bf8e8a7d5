// Panels for each part of the op: memory, threads, results, gradients.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/writing_a_kernel/writing_a_kernel.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t most_elements = 128;
constexpr std::size_t element_columns = 16;

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{}", text.empty() ? "" : ", ", real_text(value, 4));
  return text;
}

ScatterAxis axis(std::string label, double from, double to, double step) {
  ScatterAxis one{.label = std::move(label), .from = from, .to = to, .ticks = {}};
  for (double tick = std::ceil(from / step) * step; tick <= to + 1e-9; tick += step)
    one.ticks.emplace_back(tick, real_text(std::abs(tick) < 1e-9 ? 0 : tick, 3));
  return one;
}

}  // namespace

Panel alias_panel(const KernelWriting& lab) {
  const AliasTrial& trial = lab.alias;
  TablePicture table;
  table.columns = {{lab.word("step"), 1.6, false, false, true}, {lab.word("outcome"), 2.2, false, false, true}};
  const auto row = [&](std::string_view key, TableCell outcome) {
    TableCell step = word_cell(lab.word(key));
    table.rows.push_back({{std::move(step), std::move(outcome)}, false});
  };
  const auto version = [&](std::uint32_t value) {
    return figure_cell(Figure::recorded(static_cast<double>(value), Unit::count, Origin::simulated));
  };
  row("version_before", version(trial.version_before));
  row("version_after", version(trial.version_after));
  if (!trial.message.empty()) {
    row("backward", word_cell(trial.message, Tone::work));
  } else {
    const bool right = trial.gradient == trial.right;
    row("backward", word_cell(list_text(trial.gradient), right ? Tone::work : Tone::refused));
    row("right_gradient", word_cell(list_text(trial.right), Tone::work));
  }
  return {lab.word("trial"), 1.15, std::move(table)};
}

Panel memory_panel(const KernelWriting& lab, bool output) {
  CellGrid grid;
  grid.columns = element_columns;
  const std::int64_t stride = output ? 1 : lab.setting.stride;
  const std::int64_t all = (lab.setting.n - 1) * stride + 1, shown = std::min(all, most_elements);
  for (std::int64_t i = 0; i < shown; ++i) {
    const bool used = i % stride == 0;
    grid.cells.push_back({output ? Tone::work
                          : used ? Tone::memory
                                 : Tone::quiet,
                          fmt::to_string(i),
                          used ? lab.word(output ? "writes" : "reads",
                                          {{"i", fmt::to_string(i)}, {"thread", fmt::to_string(i / stride)}})
                               : lab.word("skipped", {{"i", fmt::to_string(i)}})});
  }
  grid.legend = legend(grid, lab.input, "lab/writing-a-kernel.word",
                       {{Tone::memory, "read"}, {Tone::work, "written"}, {Tone::quiet, "not_read"}});
  if (shown < all)
    grid.note = lab.word("first_cells", {{"shown", fmt::to_string(shown)}, {"all", with_thousands(all)}});
  return {lab.word(output ? "result_memory" : "self_memory"), 1, std::move(grid)};
}

Panel instances_panel(const KernelWriting& lab) {
  TablePicture table;
  table.columns = {{lab.word("type"), 0.6}, {lab.word("instance"), 1.2}, {lab.word("bytes"), 0.7, true}};
  for (const ops::DType dtype : KernelWriting::dtypes) {
    const bool missing = lab.mistake == Mistake::type_case && dtype == KernelWriting::forgotten;
    TableRow& row = table.rows.emplace_back();
    row.cells = {
        word_cell(std::string(ops::name_of(dtype))),
        missing ? word_cell(lab.word("not_implemented"), Tone::refused)
                : word_cell(fmt::format("kernel<{}>", ops::name_of(dtype)), Tone::work),
        figure_cell(Figure::derived(static_cast<double>(2 * lab.setting.n) * static_cast<double>(ops::bytes_of(dtype)),
                                    Unit::bytes, lab.word("bytes_formula")))};
    row.cells[0].code = row.cells[1].code = true;
    row.followed = dtype == lab.setting.dtype;
    row.sets = {
        {fmt::format("{}.dtype", KernelWriting::name),
         static_cast<double>(std::ranges::find(KernelWriting::dtypes, dtype) - std::begin(KernelWriting::dtypes))}};
  }
  return {"", 1, std::move(table)};
}

Panel threads_panel(const KernelWriting& lab) {
  CellGrid grid;
  grid.columns = element_columns;
  const std::int64_t all = lab.setting.blocks() * lab.setting.block;
  const std::int64_t first = std::max<std::int64_t>(0, all - most_elements);
  for (std::int64_t t = first; t < all; ++t) {
    const bool has = t < lab.setting.n;
    const std::string_view key = has ? "thread_works" : lab.setting.checked ? "thread_returns" : "thread_strays";
    grid.cells.push_back({has                   ? Tone::work
                          : lab.setting.checked ? Tone::quiet
                                                : Tone::refused,
                          fmt::to_string(t),
                          lab.word(key, {{"i", fmt::to_string(t)},
                                         {"block", fmt::to_string(t / lab.setting.block)},
                                         {"thread", fmt::to_string(t % lab.setting.block)}})});
  }
  grid.legend = legend(grid, lab.input, "lab/writing-a-kernel.word",
                       {{Tone::work, "has_element"}, {Tone::quiet, "returns"}, {Tone::refused, "strays"}});
  if (first > 0)
    grid.note = lab.word("last_threads", {{"shown", fmt::to_string(most_elements)}, {"all", with_thousands(all)}});
  return {lab.word("threads_head",
                   {{"blocks", fmt::to_string(lab.setting.blocks())}, {"block", fmt::to_string(lab.setting.block)}}),
          1, std::move(grid)};
}

Panel result_panel(const KernelWriting& lab) {
  const KernelRun& run = lab.run;
  ScatterPicture picture;
  const double slope = lab.setting.slope, left = 3;
  picture.across = axis("x", -left, left, 1);
  const double down = std::min(0.0, -left * slope), up = std::max(left, -left * slope);
  picture.up = axis("y", down - 0.3, up + 0.3, 1);
  picture.groups = {{lab.word("simulated"), Tone::work}};
  picture.lines = {{{0, 0}, {left, left}, "y = x"},
                   {{-left, -left * slope}, {0, 0}, fmt::format("y = {} x", lab.slope_text())}};
  for (std::size_t i = 0; i < std::min<std::size_t>(run.output.size(), 46); ++i)
    picture.points.push_back({run.input[i], run.output[i], 0, fmt::format("y[{}]", i),
                              fmt::format("x {}, y {}", real_text(run.input[i]), real_text(run.output[i]))});
  return {"", 1.4, std::move(picture)};
}

Panel compared_panel(const KernelWriting& lab) {
  const KernelRun& run = lab.run;
  TablePicture table;
  table.columns = {
      {"i", 0.4, true}, {"x", 0.8, true}, {lab.word("simulated"), 1.2, true}, {lab.word("loop"), 1.2, true}};
  for (std::size_t i = 0; i < std::min<std::size_t>(run.output.size(), 10); ++i) {
    const bool same = run.output[i] == run.expected[i];
    table.rows.push_back({{number_cell(static_cast<std::int64_t>(i)), word_cell(real_text(run.input[i])),
                           word_cell(real_text(run.output[i]), same ? Tone::plain : Tone::refused),
                           word_cell(real_text(run.expected[i]))},
                          false});
    for (TableCell& cell : table.rows.back().cells) cell.code = true;
  }
  return {"", 1, std::move(table)};
}

Panel derivative_panel(const KernelWriting& lab) {
  const DerivativeTrial& trial = lab.derivative;
  ScatterPicture picture;
  const double slope = lab.setting.slope;
  picture.across = axis("x", -2.25, 2.5, 1);
  picture.up = axis("dy/dx", std::min(0.0, slope) - 0.25, std::max(1.0, slope) + 0.25, 0.5);
  picture.groups = {{lab.word("by_differences"), Tone::shared}, {lab.word("by_autograd"), Tone::work}};
  for (std::size_t i = 0; i < trial.x.size(); ++i) {
    const std::string name = fmt::format("x = {}", real_text(trial.x[i]));
    picture.points.push_back({trial.x[i], trial.differences[i], 0, name, real_text(trial.differences[i])});
    if (i < trial.autograd.size())
      picture.points.push_back({trial.x[i], trial.autograd[i], 1, name, real_text(trial.autograd[i])});
  }
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
