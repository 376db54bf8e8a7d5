#include "core/run/launch/python_costs.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/base/text.h"
#include "core/compiled/triton_launch.h"
#include "core/run/launch/run_launch.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::run {
namespace {

constexpr std::size_t python_label_width = 52;

std::string line_share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "" : fmt::format(" ({:.0f} %)", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string grouped_count(std::uint64_t value) { return base::with_thousands(static_cast<std::int64_t>(value)); }

std::string costs_row(std::string_view label, const LineCosts& costs, const LineCosts& total) {
  const auto reason = costs.main_reason();
  std::string sectors = grouped_count(costs.accesses.global_sectors);
  if (costs.excess_sectors() > 0) sectors += " / " + grouped_count(costs.accesses.ideal_sectors);
  std::string row = fmt::format(
      "  {:<{}.{}}  {:>12}  {:>18}  {:<18}  {:>16}  {:>9}  {:>14}", base::one_line(std::string(label)),
      python_label_width, python_label_width, grouped_count(costs.instructions),
      grouped_count(costs.stalled()) + line_share(costs.stalled(), total.stalled()), reason ? name_of(*reason) : "",
      sectors, grouped_count(costs.accesses.bank_conflicts), grouped_count(costs.flops));
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

/// "    tl.sum, inlined: 12 % of the line"
std::string inlined_label(const PythonLineCosts& line, const PythonLineCosts::Inlined& part) {
  const LineMetric metric = line.costs.stalled() > 0 ? LineMetric::stalls : LineMetric::instructions;
  const auto whole = static_cast<double>(std::max<std::uint64_t>(metric_value(line.costs, metric), 1));
  return fmt::format("    {}, inlined: {:.0f} % of the line", part.function,
                     100 * static_cast<double>(metric_value(part.costs, metric)) / whole);
}

std::string inlined_function(const compiled::LinkedLine& line) {
  if (line.inlined.empty()) return {};
  const compiled::CodeFrame& called = line.inlined.back();
  return called.function.empty() ? fmt::format("{}:{}", compiled::file_name(called.file), called.line)
                                 : compiled::helper_name(called.function);
}

std::string json_quoted(std::string_view text) {
  std::string json;
  trace::append_quoted(json, text);
  return json;
}

std::string place_members(std::string_view file, int line) {
  return fmt::format("\"file\": {}, \"line\": {}", json_quoted(file), line);
}

std::string cost_members(const LineCosts& costs) {
  std::string stalls;
  for (std::size_t i = 0; i < costs.stalls.size(); ++i)
    if (const auto reason = static_cast<gpu::StallReason>(i);
        reason != gpu::StallReason::selected && costs.stalls[i] > 0)
      stalls += fmt::format("{}\"{}\": {}", stalls.empty() ? "" : ", ", gpu::name_of(reason), costs.stalls[i]);
  return fmt::format(
      "\"instructions\": {}, \"stall_cycles\": {}, \"stalls\": {{{}}}, \"sectors\": {}, \"ideal_sectors\": {}, "
      "\"bank_conflicts\": {}, \"flops\": {}",
      costs.instructions, costs.stalled(), stalls, costs.accesses.global_sectors, costs.accesses.ideal_sectors,
      costs.accesses.bank_conflicts, costs.flops);
}

}  // namespace

LineCosts PythonCosts::total() const {
  LineCosts sum = elsewhere;
  for (const PythonLineCosts& line : lines) sum += line.costs;
  return sum;
}

PythonCosts python_costs(const CostsByLine& by_code, const compiled::KernelLines& lines, compiled::CodeStage stage) {
  std::unordered_map<std::uint64_t, const compiled::LinkedLine*> line_of;
  for (const compiled::LinkedLine& line : lines.lines)
    for (const std::uint64_t at : line.places[static_cast<std::size_t>(stage)])
      if (line.python.line > 0) line_of.emplace(at, &line);
  PythonCosts sums;
  sums.elsewhere = by_code.elsewhere;
  for (const auto& [at, costs] : by_code.lines) {
    const auto found = line_of.find(at);
    if (found == line_of.end()) {
      sums.elsewhere += costs;
      continue;
    }
    const compiled::LinkedLine& line = *found->second;
    auto sum = std::ranges::find(sums.lines, line.python, &PythonLineCosts::python);
    if (sum == sums.lines.end()) sum = sums.lines.insert(sums.lines.end(), {line.python, {}, {}});
    sum->costs += costs;
    const std::string function = inlined_function(line);
    if (function.empty()) continue;
    auto part = std::ranges::find(sum->inlined, function, &PythonLineCosts::Inlined::function);
    if (part == sum->inlined.end()) part = sum->inlined.insert(sum->inlined.end(), {function, line.inlined.back(), {}});
    part->costs += costs;
  }
  std::ranges::stable_sort(sums.lines, {}, [](const PythonLineCosts& line) { return line.python.line; });
  return sums;
}

base::Result<PythonCosts> python_costs_of(const std::filesystem::path& entry, const LoadedLaunch& loaded,
                                          const LaunchResult& result) {
  const auto triton = compiled::read_triton_launch(entry);
  if (!triton) return base::Error{triton.error()};
  const compiled::KernelLines lines = compiled::read_kernel_lines(triton->kernel);
  const auto& timing = result.cycles.timing;
  // Without PTX, the line table of the cubin is all there is.
  const bool has_ptx = lines.totals[static_cast<std::size_t>(compiled::CodeStage::ptx)] > 0;
  const auto by_code = costs_by_line(*loaded.program, instruction_costs(result.simulation, timing ? &*timing : nullptr),
                                     has_ptx ? CostText::ptx : CostText::machine_code, {});
  PythonCosts costs = python_costs(by_code, lines, has_ptx ? compiled::CodeStage::ptx : compiled::CodeStage::sass);
  const std::string python = compiled::read_kernel_python(lines.place, triton->kernel.name).value_or("");
  const std::vector<std::string_view> source = base::lines_of(python);
  for (PythonLineCosts& line : costs.lines) {
    const auto at = static_cast<std::size_t>(line.python.line);
    std::string_view code = at <= source.size() ? source[at - 1] : std::string_view();
    code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
    line.python.code = code;
  }
  return costs;
}

std::string python_lines_text(const PythonCosts& costs) {
  const LineCosts total = costs.total();
  std::string text = "lines of Python (what they call and the compiler inlined counts to them)\n";
  text += fmt::format("  {:<{}}  {:>12}  {:>18}  {:<18}  {:>16}  {:>9}  {:>14}\n", "", python_label_width,
                      "instructions", "stall cycles", "most of them", "sectors / ideal", "conflicts", "FLOPs");
  for (const PythonLineCosts& line : costs.lines) {
    const std::string place = fmt::format("{}:{}", compiled::file_name(line.python.file), line.python.line);
    text += costs_row(fmt::format("{}  {}", place, line.python.code), line.costs, total);
    for (const auto& part : line.inlined) text += costs_row(inlined_label(line, part), part.costs, total);
  }
  if (costs.elsewhere != LineCosts{}) text += costs_row("without a line", costs.elsewhere, total);
  return text;
}

std::string python_lines_json(const PythonCosts& costs) {
  std::string json = "[";
  for (const PythonLineCosts& line : costs.lines) {
    json += fmt::format("{}{{{}, \"code\": {}, {}, \"inlined\": [", json.size() == 1 ? "" : ", ",
                        place_members(line.python.file, line.python.line), json_quoted(line.python.code),
                        cost_members(line.costs));
    for (const auto& part : line.inlined)
      json += fmt::format("{}{{\"function\": {}, {}, {}}}", &part == line.inlined.data() ? "" : ", ",
                          json_quoted(part.function), place_members(part.place.file, part.place.line),
                          cost_members(part.costs));
    json += "]}";
  }
  if (costs.elsewhere != LineCosts{})
    json += fmt::format("{}{{\"file\": null, \"line\": null, \"code\": \"\", {}, \"inlined\": []}}",
                        json.size() == 1 ? "" : ", ", cost_members(costs.elsewhere));
  return json + "]";
}

}  // namespace warpwalk::run
