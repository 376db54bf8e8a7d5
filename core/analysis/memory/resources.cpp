#include "core/analysis/memory/resources.h"

#include <algorithm>

namespace warpwalk::analysis {

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

std::vector<std::size_t> plain_buffers(const Trace& trace, const Walk& walk) {
  const trace::KernelRecord* record = kernel_record(trace, walk);
  if (record == nullptr || !walk.ops.empty()) return {};
  const std::vector<trace::Allocation>& allocations = trace.records.allocations;
  std::vector<std::size_t> buffers;
  for (const trace::KernelArgument& argument : record->arguments) {
    if (argument.kind != trace::KernelArgument::Kind::pointer || argument.allocation >= allocations.size()) continue;
    const trace::Allocation& allocation = allocations[argument.allocation];
    if (allocation.address != 0 || allocation.allocated_ns >= 0) return {};
    if (std::find(buffers.begin(), buffers.end(), argument.allocation) == buffers.end())
      buffers.push_back(argument.allocation);
  }
  return buffers;
}

std::uint64_t bytes_of(const Trace& trace, const std::vector<std::size_t>& buffers) {
  std::uint64_t bytes = 0;
  for (const std::size_t row : buffers) bytes += trace.records.allocations[row].bytes;
  return bytes;
}

std::optional<std::int64_t> sms_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice) return {};
  const std::int64_t id = trace.tracks[trace.slices.track[walk.kernel]].device;
  for (const trace::Device& device : trace.devices)
    if (device.id == id && device.sms != trace::absent) return device.sms;
  return {};
}

}  // namespace warpwalk::analysis
