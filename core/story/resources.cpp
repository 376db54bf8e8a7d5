#include "core/story/resources.h"

#include <algorithm>

namespace warpwalk::story {

std::optional<std::int64_t> bytes_allocated(const Trace& trace, const Walk& walk) {
  if (walk.ops.empty() || trace.memory.empty()) return {};
  const SliceId root = walk.ops.front();
  const trace::Track& thread = trace.tracks[trace.slices.track[root]];
  std::int64_t bytes = 0;
  const auto first =
      std::lower_bound(trace.memory.begin(), trace.memory.end(), trace.slices.start[root],
                       [](const trace::MemoryEvent& event, std::int64_t time) { return event.time < time; });
  for (auto at = first; at != trace.memory.end() && at->time <= trace.slices.end(root); ++at) {
    const trace::MemoryEvent& event = *at;
    const trace::Track& of = trace.tracks[event.track];
    const bool on_thread = of.pid == thread.pid && of.tid == thread.tid;
    if (!on_thread || event.device_type != 1 || event.bytes == trace::absent || event.bytes < 0) continue;
    bytes += event.bytes;
  }
  return bytes;
}

std::optional<std::int64_t> sms_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice) return {};
  const std::int64_t id = trace.tracks[trace.slices.track[walk.kernel]].device;
  for (const trace::Device& device : trace.devices)
    if (device.id == id && device.sms != trace::absent) return device.sms;
  return {};
}

}  // namespace warpwalk::story
