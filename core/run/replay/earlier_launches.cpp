// Goes from what a launch found in its memory to the earlier launches that may have written it.
#include <algorithm>

#include "core/run/replay/replay_plan.h"
#include "core/run/replay/timed_writer.h"

namespace warpwalk::run {
namespace {

/// Launches before the kernel whose memory was recorded with them, by the address of the bytes.
std::vector<trace::SliceId> recorded_before(const trace::Trace& trace, trace::SliceId kernel,
                                            const trace::KernelRecord& record, std::size_t buffer,
                                            std::uint64_t offset) {
  std::vector<trace::SliceId> launches;
  if (buffer >= record.state->memory.size()) return launches;
  const std::uint64_t address = record.state->memory[buffer].address + offset;
  for (const trace::SliceId earlier : trace.kernel_order) {
    if (trace.slices.start[earlier] >= trace.slices.start[kernel]) continue;
    const trace::KernelRecord* const other = record_of(trace, earlier);
    if (other == nullptr || !other->state) continue;
    const auto has_bytes = [address](const auto& memory) {
      return address >= memory.address && address - memory.address < memory.bytes;
    };
    if (std::ranges::any_of(other->state->memory, has_bytes)) launches.push_back(earlier);
  }
  return launches;
}

/// The earlier kernels that are run again for this one, by the allocation of the bytes.
std::vector<trace::SliceId> replayed_before(const trace::Trace& trace, trace::SliceId kernel, std::size_t buffer) {
  std::vector<trace::SliceId> launches;
  const auto planned = plan_replay(trace, kernel);
  if (!planned || planned->empty() || buffer >= planned->back().buffers.size()) return launches;
  const std::size_t allocation = planned->back().buffers[buffer].allocation;
  for (std::size_t i = 0; i + 1 < planned->size(); ++i)
    if (std::ranges::find((*planned)[i].buffers, allocation, &ReplayBuffer::allocation) != (*planned)[i].buffers.end())
      launches.push_back((*planned)[i].kernel);
  return launches;
}

}  // namespace

std::vector<trace::SliceId> launches_before(const trace::Trace& trace, trace::SliceId kernel, std::size_t buffer,
                                            std::uint64_t offset) {
  const trace::KernelRecord* const record = record_of(trace, kernel);
  if (record == nullptr) return {};
  return record->state ? recorded_before(trace, kernel, *record, buffer, offset)
                       : replayed_before(trace, kernel, buffer);
}

}  // namespace warpwalk::run
