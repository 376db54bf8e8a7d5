#include "core/story/history_view.h"

#include "core/run/report.h"

namespace warpwalk::story {

std::vector<trace::NamedCounter> simulated_counters(const HistoryView& view) {
  std::vector<trace::NamedCounter> counters;
  if (view.state != HistoryView::State::ready) return counters;
  for (const run::ReportCounter& counter : run::report_counters(view.history->simulation.counters))
    counters.push_back({std::string(counter.name), static_cast<double>(counter.value), trace::Origin::simulated});
  return counters;
}

}  // namespace warpwalk::story
