#include "core/run/measured/summary.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwalk::run {

std::vector<FigureSummary> summarize(std::span<const BesideMeasured> launches) {
  struct RatiosOfFigure {
    std::size_t launches = 0, equal = 0;
    std::vector<double> ratios;
    bool shown = false;
  };
  std::map<std::string, RatiosOfFigure> figures;
  for (const BesideMeasured& launch : launches)
    for (const MeasuredPair& pair : launch.figures) {
      RatiosOfFigure& figure = figures[pair.name];
      ++figure.launches;
      figure.equal += pair.measured == pair.simulated;
      figure.shown = figure.shown || !pair.small;
      if (const auto ratio = pair.ratio()) figure.ratios.push_back(*ratio);
    }
  std::vector<FigureSummary> rows;
  for (auto& [name, figure] : figures) {
    if (!figure.shown) continue;
    FigureSummary& row = rows.emplace_back();
    row.name = name;
    row.launches = figure.launches;
    row.equal = figure.equal;
    row.ratios = figure.ratios.size();
    if (figure.ratios.empty()) continue;
    std::ranges::sort(figure.ratios);
    row.least_ratio = figure.ratios.front();
    row.greatest_ratio = figure.ratios.back();
    row.median_ratio = figure.ratios[(figure.ratios.size() - 1) / 2];
  }
  // The figures that agree least come first.
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const FigureSummary& row) {
    return row.ratios == 0 ? 0.0 : std::max(std::abs(row.least_ratio - 1), std::abs(row.greatest_ratio - 1));
  });
  return rows;
}

}  // namespace warpwalk::run
