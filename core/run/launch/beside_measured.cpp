#include "core/run/launch/beside_measured.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/base/quantity_text.h"

namespace warpwalk::run {
namespace {

std::string pair_value(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return base::with_thousands(std::llround(value));
  return std::abs(value) >= 1000 ? base::with_thousands(std::llround(value)) : fmt::format("{:.4g}", value);
}

std::string line_start(std::string_view text) {
  constexpr std::size_t shown = 48;
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return std::string(text.substr(0, shown));
}

std::string lines_beside(const BesideMeasured& beside) {
  constexpr std::size_t most_lines = 8;
  std::string out = fmt::format("\n  lines of {}, measured / simulated\n  {:>5} {:>15} {:<20} {:>23} {:>19}\n",
                                beside.source_file, "line", "% of stalls", "most for", "sectors", "bank conflicts");
  const auto both = [](std::uint64_t measured, std::uint64_t simulated) {
    const auto text = [](std::uint64_t n) { return base::with_thousands(static_cast<std::int64_t>(n)); };
    return measured == 0 && simulated == 0 ? std::string() : fmt::format("{} / {}", text(measured), text(simulated));
  };
  for (std::size_t i = 0; i < std::min(beside.lines.size(), most_lines); ++i) {
    const MeasuredLine& line = beside.lines[i];
    out += fmt::format("  {:>5} {:>15} {:<20} {:>23} {:>19}  {}\n", line.line,
                       fmt::format("{:.1f} / {:.1f}", line.measured_stall_pct, line.simulated_stall_pct),
                       line.measured_reason.empty() ? line.simulated_reason : line.measured_reason,
                       both(line.measured_sectors, line.simulated_sectors),
                       both(line.measured_conflicts, line.simulated_conflicts), line_start(line.text));
  }
  return out;
}

}  // namespace

std::optional<double> MeasuredPair::ratio() const {
  if (measured == 0) return {};
  return simulated / measured;
}

double MeasuredPair::relative_difference() const {
  if (measured == simulated) return 0;
  if (measured == 0) return std::numeric_limits<double>::infinity();
  return std::abs(simulated - measured) / std::abs(measured);
}

std::string beside_measured_text(const BesideMeasured& beside) {
  std::string out = fmt::format("\nbeside launch {} of {} ({}{}{})\n", beside.launch, beside.report, beside.by,
                                beside.gpu.empty() ? "" : ", ", beside.gpu);
  for (const std::string& note : beside.notes) out += fmt::format("  {:<28}{}\n", "note", note);
  out += fmt::format("  {:<28}{:>16}{:>16}{:>9}\n", "", "measured", "simulated", "ratio");
  for (const MeasuredPair& pair : beside.figures) {
    if (pair.small || (pair.measured == 0 && pair.simulated == 0)) continue;
    const auto ratio = pair.ratio();
    out += fmt::format("  {:<28}{:>16}{:>16}{:>9}\n", pair.name, pair_value(pair.measured), pair_value(pair.simulated),
                       ratio ? fmt::format("{:.3f}", *ratio) : "–");
  }
  if (!beside.lines.empty()) out += lines_beside(beside);
  return out;
}

}  // namespace warpwalk::run
