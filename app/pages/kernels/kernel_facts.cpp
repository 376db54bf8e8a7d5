// What the page says of one kernel, with where each figure comes from.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/pages/kernels/kernels_state.h"
#include "core/analysis/names/short_names.h"
#include "core/compiled/line_shares.h"
#include "core/story/elements/figure.h"
#include "core/words/amount_text.h"

namespace warpwalk::pages {
namespace {

using analysis::KernelRow;
using analysis::KernelTable;
using story::Narration;

constexpr std::string_view fact = "kernels_page.fact";

std::string thousands(std::uint64_t n) { return story::with_thousands(static_cast<std::int64_t>(n)); }

std::string spread_text(const Narration& words, const analysis::Spread& spread, std::string (*text)(std::int64_t)) {
  if (!spread.varies()) return text(spread.least);
  return words.text(fact, "spread", {{"from", text(spread.least)}, {"to", text(spread.most)}});
}

std::string shape_words(const Narration& words, const analysis::ShapeSpread& shape, std::string_view varies) {
  if (!shape.count.known()) return words.text(fact, "none");
  if (shape.same) return analysis::shape_text(shape.first);
  return words.text(
      fact, varies,
      {{"from", story::with_thousands(shape.count.least)}, {"to", story::with_thousands(shape.count.most)}});
}

std::string launch_line(const Narration& words, const KernelRow& row) {
  if (!row.grid.count.known() && !row.block.count.known() && !row.registers.known() && !row.shared.known())
    return words.text(fact, "launch_none");
  const auto amount = [&](const analysis::Spread& spread, std::string (*text)(std::int64_t), std::string_view key,
                          std::string_view none) {
    return spread.known() ? words.text(fact, key, {{"n", spread_text(words, spread, text)}}) : words.text(fact, none);
  };
  return words.text(fact, "launch",
                    {{"grid", shape_words(words, row.grid, "grid_varies")},
                     {"block", shape_words(words, row.block, "block_varies")},
                     {"registers", amount(row.registers, story::with_thousands, "registers", "registers_none")},
                     {"shared", amount(row.shared, story::shared_bytes_text, "shared", "shared_none")}});
}

std::string occupancy_line(const Narration& words, const KernelTable& table, const KernelRow& row) {
  Narration::Values values = {{"gpu", table.device.recorded}};
  if (row.occupancy) {
    const auto [least, most] = *row.occupancy;
    values["theoretical"] = least == most ? base::with_marks(fmt::format("{:.3g} %", least))
                                          : base::with_marks(fmt::format("{:.3g}–{:.3g} %", least, most));
  }
  if (row.occupancy_profiler) values["profiler"] = base::with_marks(fmt::format("{:.3g} %", *row.occupancy_profiler));
  const std::string_view key = row.occupancy && row.occupancy_profiler ? "occupancy_both"
                               : row.occupancy                         ? "occupancy"
                               : row.occupancy_profiler                ? "occupancy_profiler"
                                                                       : "occupancy_none";
  return words.text(fact, key, values);
}

std::string rule_text(const Narration& words, const KernelRow& row) {
  return row.rules_differ ? words.text(fact, "several") : words.text("kernels_page.rule", name_of(row.rule));
}

// FLOPs, and bytes, each with its rule.
void add_work_lines(const Narration& words, const KernelRow& row, std::vector<std::string>& lines) {
  const auto values_of = [&](const analysis::WorkSum& sum) {
    return Narration::Values{{"launches", thousands(sum.launches)}, {"all", thousands(row.count)}};
  };
  if (row.flops.known()) {
    Narration::Values values = values_of(row.flops);
    values["flops"] = amount_text(words, "kernels_page.flop", row.flops.amount);
    values["rate"] = amount_text(words, "kernels_page.flop_rate", row.flops.rate().value_or(0));
    values["rule"] = rule_text(words, row);
    lines.push_back(words.text(fact, "work", values));
  }
  if (row.bytes.known()) {
    Narration::Values values = values_of(row.bytes);
    values["bytes"] = story::bytes_text(row.bytes.amount);
    values["rate"] = amount_text(words, "kernels_page.byte_rate", row.bytes.rate().value_or(0));
    const bool named = row.is_kernel() && !row.flops.known();  // the line of FLOPs names the rule
    if (named) values["rule"] = rule_text(words, row);
    lines.push_back(words.text(fact,
                               !row.is_kernel() ? "work_recorded"
                               : named          ? "work_bytes_rule"
                                                : "work_bytes",
                               values));
  }
  if (!row.flops.known() && !row.bytes.known())
    lines.push_back(words.text(fact, row.counted_elsewhere > 0 ? "work_elsewhere" : "work_none"));
}

std::string arithmetic_peak(const Narration& words, const KernelTable& table, const KernelRow& row,
                            const std::string& share) {
  const analysis::UnitPeak& peak = *table.peaks.find(*row.unit);
  const std::string source = words.text("kernels_page.peak", peak.source,
                                        {{"flops", story::with_thousands(std::llround(peak.flops_per_cycle))},
                                         {"sms", story::with_thousands(table.peaks.sms)},
                                         {"clock", fmt::format("{:.0f}", peak.clock / 1e6)},
                                         {"document", std::string(table.peaks.document)},
                                         {"gpu", table.device.recorded}});
  return words.text(fact, "peak_arithmetic",
                    {{"share", share},
                     {"peak", amount_text(words, "kernels_page.flop_rate", peak.flops_per_second)},
                     {"unit", words.text("kernels_page.unit", name_of(*row.unit))},
                     {"source", source}});
}

void add_peak_line(const Narration& words, const KernelTable& table, const KernelRow& row,
                   std::vector<std::string>& lines) {
  if (row.fewer > 0) lines.push_back(words.text(fact, "fewer"));
  const auto share = table.share_of_peak(row);
  if (!share) return;
  const std::string percent = base::with_marks(fmt::format("{:.1f}", 100 * share->share));
  if (!share->memory)
    lines.push_back(arithmetic_peak(words, table, row, percent));
  else
    lines.push_back(
        words.text(fact, table.peaks.document.empty() ? "peak_memory" : "peak_memory_sheet",
                   {{"share", percent},
                    {"document", std::string(table.peaks.document)},
                    {"bandwidth", amount_text(words, "kernels_page.byte_rate", *table.peaks.bytes_per_second)},
                    {"gpu", table.device.recorded}}));
  if (share->above()) lines.push_back(words.text(fact, share->memory ? "above_memory" : "above_arithmetic"));
}

template <class List, class Item>
void add_once(List& to, const Item& item) {
  if (std::ranges::find(to, item) == to.end()) to.push_back(item);
}

}  // namespace

std::string compiled_fact(const Narration& words, const compiled::Compiled& made, std::string_view kernel) {
  // Several if autotuning compiled it in several ways, or if it was compiled again.
  std::vector<std::string> lines, ops;
  for (const compiled::CompiledKernel& one : made.kernels)
    if (one.name == kernel)
      for (const std::string& op : one.ops) add_once(ops, op);
  const std::vector<compiled::LineShare> shares = compiled::line_shares(made, kernel);
  for (const compiled::LineShare& line : shares)
    lines.push_back(fmt::format("{}:{}{}", std::filesystem::path(line.python.file).filename().string(),
                                line.python.line,
                                shares.size() == 1 ? "" : fmt::format(" ({:.0f} %)", 100 * line.share)));
  if (lines.empty()) return {};
  return words.text(
      fact, ops.empty() ? "compiled" : "compiled_ops",
      {{"lines", fmt::format("{}", fmt::join(lines, ", "))}, {"ops", fmt::format("{}", fmt::join(ops, ", "))}});
}

std::vector<std::string> kernel_facts(const Narration& words, const KernelTable& table, const KernelRow& row) {
  std::vector<std::string> lines;
  if (row.is_kernel()) {
    lines.push_back(launch_line(words, row));
    lines.push_back(occupancy_line(words, table, row));
  }
  add_work_lines(words, row, lines);
  add_peak_line(words, table, row, lines);
  if (row.is_kernel())
    lines.push_back(words.text("kernels_page.tensor_fact", name_of(row.tensor_cores.use),
                               {{"word", std::string(row.tensor_cores.by)}}));
  lines.push_back(words.text(fact, "category", {{"category", words.text("work_category", name_of(row.category))}}));
  return lines;
}

}  // namespace warpwalk::pages
