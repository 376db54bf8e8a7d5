#include "app/verbs/simulate_lines.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/base/text.h"
#include "core/compiled/lines/kernel_lines.h"
#include "core/compiled/triton_launch.h"
#include "core/run/launch/line_costs.h"
#include "core/run/launch/python_costs.h"

namespace warpwalk::verbs {
namespace {

using run::LineCosts;
using run::LineMetric;

constexpr std::size_t python_label_width = 52;

std::string line_share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "" : fmt::format(" ({:.0f} %)", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string grouped_count(std::uint64_t value) { return base::with_thousands(static_cast<std::int64_t>(value)); }

std::string costs_row(std::string_view label, const LineCosts& costs, const LineCosts& total) {
  const auto reason = costs.main_reason();
  std::string sectors = grouped_count(costs.accesses.global_sectors);
  if (costs.excess_sectors() > 0) sectors += " / " + grouped_count(costs.accesses.ideal_sectors);
  std::string row =
      fmt::format("  {:<{}.{}}  {:>12}  {:>18}  {:<18}  {:>16}  {:>9}", base::one_line(std::string(label)),
                  python_label_width, python_label_width, grouped_count(costs.instructions),
                  grouped_count(costs.stalled()) + line_share(costs.stalled(), total.stalled()),
                  reason ? name_of(*reason) : "", sectors, grouped_count(costs.accesses.bank_conflicts));
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

/// "    tl.sum, inlined: 12 % of the line"
std::string inlined_label(const run::PythonLineCosts& line, const run::PythonLineCosts::Inlined& part) {
  const LineMetric metric = line.costs.stalled() > 0 ? LineMetric::stalls : LineMetric::instructions;
  const auto whole = static_cast<double>(std::max<std::uint64_t>(metric_value(line.costs, metric), 1));
  return fmt::format("    {}, inlined: {:.0f} % of the line", part.function,
                     100 * static_cast<double>(metric_value(part.costs, metric)) / whole);
}

}  // namespace

base::Result<std::string> python_lines_text(const std::filesystem::path& entry, const run::LoadedLaunch& loaded,
                                            const run::LaunchResult& result) {
  const auto triton = compiled::read_triton_launch(entry);
  if (!triton) return base::Error{triton.error()};
  const compiled::KernelLines lines = compiled::read_kernel_lines(triton->kernel);
  const auto& timing = result.cycles.timing;
  const auto by_ptx = run::costs_by_line(
      *loaded.program, run::instruction_costs(result.simulation, timing ? &*timing : nullptr), run::CostText::ptx, {});
  const run::PythonCosts costs = run::python_costs(by_ptx, lines);
  const std::string python = compiled::read_kernel_python(lines.place, triton->kernel.name).value_or("");
  const std::vector<std::string_view> source = base::lines_of(python);
  const LineCosts total = costs.total();
  std::string text = "lines of Python (what they call and the compiler inlined counts to them)\n";
  text += fmt::format("  {:<{}}  {:>12}  {:>18}  {:<18}  {:>16}  {:>9}\n", "", python_label_width, "instructions",
                      "stall cycles", "most of them", "sectors / ideal", "conflicts");
  for (const run::PythonLineCosts& line : costs.lines) {
    const auto at = static_cast<std::size_t>(line.python.line);
    std::string_view code = at <= source.size() ? source[at - 1] : std::string_view();
    code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
    text += costs_row(fmt::format("{}:{}  {}", compiled::file_name(line.python.file), at, code), line.costs, total);
    for (const auto& part : line.inlined) text += costs_row(inlined_label(line, part), part.costs, total);
  }
  if (costs.elsewhere != LineCosts{}) text += costs_row("without a line", costs.elsewhere, total);
  return text;
}

}  // namespace warpwalk::verbs
