#include "app/pages/timeline/trace_curves.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/story/elements/walk.h"

namespace warpwalk::pages {
namespace {

void add_queues(const trace::Trace& trace, std::vector<TraceCurve>& curves) {
  const trace::Slices& rows = trace.slices;
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, int>>> changes;  // by device: time, work that joins
  for (const auto& [launch, work] : trace.launched) {
    if (!story::has_time(trace, launch) || !story::has_time(trace, work)) continue;
    if (rows.start[work] < rows.start[launch]) continue;
    auto& of_device = changes[trace.tracks[rows.track[work]].device];
    of_device.emplace_back(rows.start[launch] - trace.begin_ns, 1);
    of_device.emplace_back(rows.start[work] - trace.begin_ns, -1);
  }
  for (auto& [device, events] : changes) {
    std::ranges::sort(events);
    TraceCurve made;
    made.device = device;
    std::int64_t waiting = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
      waiting += events[i].second;
      // What changes at the same time is one change.
      if (i + 1 == events.size() || events[i + 1].first != events[i].first) made.curve.add(events[i].first, waiting);
    }
    made.curve.finish();
    curves.push_back(std::move(made));
  }
}

void add_allocator(const trace::Trace& trace, std::vector<TraceCurve>& curves) {
  std::map<std::pair<bool, std::int64_t>, TraceCurve> made;  // those of GPUs first
  for (const trace::MemoryEvent& event : trace.memory) {
    if (event.allocated == trace::absent) continue;
    const bool cpu = event.device_type == 0;
    TraceCurve& curve = made[{cpu, cpu ? 0 : event.device}];
    curve.cpu = cpu;
    curve.device = event.device;
    curve.curve.add(event.time - trace.begin_ns, event.allocated);
    if (event.reserved != trace::absent) curve.reserved.add(event.time - trace.begin_ns, event.reserved);
  }
  for (auto& [key, curve] : made) {
    curve.kind = TraceCurve::Kind::allocator;
    curve.curve.finish();
    curve.reserved.finish();
    if (curve.reserved.highest() <= 0) curve.reserved = {};  // PyTorch writes 0 for the CPU, which reserves nothing
    if (curve.highest() > 0) curves.push_back(std::move(curve));
  }
}

void add_driver(const trace::Trace& trace, std::vector<TraceCurve>& curves) {
  std::map<std::int64_t, std::pair<TraceCurve, std::int64_t>> made;  // by device: the curve, bytes at its end
  for (const trace::DriverMemory& event : trace.driver_memory) {
    auto& [curve, bytes] = made[event.device];
    bytes += event.bytes;
    curve.curve.add(event.time - trace.begin_ns, bytes);
  }
  for (auto& [device, one] : made) {
    TraceCurve& curve = one.first;
    curve.kind = TraceCurve::Kind::driver;
    curve.device = device;
    curve.curve.finish();
    if (curve.highest() > 0) curves.push_back(std::move(curve));
  }
}

}  // namespace

std::vector<TraceCurve> trace_curves(const trace::Trace& trace) {
  std::vector<TraceCurve> curves;
  add_queues(trace, curves);
  add_allocator(trace, curves);
  add_driver(trace, curves);
  std::ranges::stable_partition(curves, [](const TraceCurve& curve) { return !curve.cpu; });
  return curves;
}

}  // namespace warpwalk::pages
