#include "core/story/stage/history_view.h"

#include <utility>

#include "core/run/launch/report.h"

namespace warpwalk::story {

std::optional<gpu::Device> simulated_device(const Trace& trace, const Walk& walk, const Hardware& hardware) {
  if (DeviceMatch match = device_of(trace, walk, hardware); match.device) return std::move(match.device);
  const gpu::Device* const h200 = hardware.find("h200");
  return h200 == nullptr ? std::nullopt : std::optional(*h200);
}

std::vector<trace::NamedCounter> simulated_counters(const HistoryView& view) {
  std::vector<trace::NamedCounter> counters;
  if (view.state != HistoryView::State::ready) return counters;
  for (const run::ReportCounter& counter : run::report_counters(view.history->simulation.counters))
    counters.push_back({std::string(counter.name), static_cast<double>(counter.value), trace::Origin::simulated});
  return counters;
}

}  // namespace warpwalk::story
