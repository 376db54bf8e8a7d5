#include "core/run/launch/python_costs.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

std::string inlined_function(const compiled::LinkedLine& line) {
  if (line.inlined.empty()) return {};
  const compiled::CodeFrame& called = line.inlined.back();
  return called.function.empty() ? fmt::format("{}:{}", compiled::file_name(called.file), called.line)
                                 : compiled::helper_name(called.function);
}

}  // namespace

LineCosts PythonCosts::total() const {
  LineCosts sum = elsewhere;
  for (const PythonLineCosts& line : lines) sum += line.costs;
  return sum;
}

PythonCosts python_costs(const CostsByLine& ptx, const compiled::KernelLines& lines) {
  std::unordered_map<std::uint64_t, const compiled::LinkedLine*> line_of;
  for (const compiled::LinkedLine& line : lines.lines)
    for (const std::uint64_t at : line.places[static_cast<std::size_t>(compiled::CodeStage::ptx)])
      if (line.python.line > 0) line_of.emplace(at, &line);
  PythonCosts sums;
  sums.elsewhere = ptx.elsewhere;
  for (const auto& [at, costs] : ptx.lines) {
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
    if (part == sum->inlined.end()) part = sum->inlined.insert(sum->inlined.end(), {function, {}});
    part->costs += costs;
  }
  std::ranges::stable_sort(sums.lines, {}, [](const PythonLineCosts& line) { return line.python.line; });
  return sums;
}

}  // namespace warpwalk::run
