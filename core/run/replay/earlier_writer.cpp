// Goes from what a launch found in its memory to the earlier launch that wrote it.
#include <algorithm>
#include <utility>

#include "core/gpu/exec/launch_addresses.h"
#include "core/run/replay/replay_plan.h"
#include "core/run/replay/timed_writer.h"

namespace warpwalk::run {
namespace {

/// A launch that has the bytes among its buffers.
struct Candidate {
  trace::SliceId kernel = trace::no_slice;
  std::size_t buffer = 0;
  std::uint64_t offset = 0;
};

/// Launches before the kernel whose memory was recorded with them, by the address of the bytes.
std::vector<Candidate> recorded_before(const trace::Trace& trace, trace::SliceId kernel,
                                       const trace::KernelRecord& record, std::size_t buffer, std::uint64_t offset) {
  std::vector<Candidate> found;
  if (buffer >= record.state->memory.size()) return found;
  const std::uint64_t address = record.state->memory[buffer].address + offset;
  for (const trace::SliceId earlier : trace.kernel_order) {
    if (trace.slices.start[earlier] >= trace.slices.start[kernel]) continue;
    const trace::KernelRecord* const other = record_of(trace, earlier);
    if (other == nullptr || !other->state) continue;
    const auto& memory = other->state->memory;
    for (std::size_t i = 0; i < memory.size(); ++i)
      if (address >= memory[i].address && address - memory[i].address < memory[i].bytes)
        found.push_back({earlier, i, address - memory[i].address});
  }
  return found;
}

/// The earlier kernels that are run again for this one, by the allocation of the bytes.
std::vector<Candidate> replayed_before(const trace::Trace& trace, trace::SliceId kernel, std::size_t buffer,
                                       std::uint64_t offset) {
  std::vector<Candidate> found;
  const auto planned = plan_replay(trace, kernel);
  if (!planned || planned->empty() || buffer >= planned->back().buffers.size()) return found;
  const std::size_t allocation = planned->back().buffers[buffer].allocation;
  for (std::size_t i = 0; i + 1 < planned->size(); ++i) {
    const auto& buffers = (*planned)[i].buffers;
    const auto at = std::ranges::find(buffers, allocation, &ReplayBuffer::allocation);
    if (at != buffers.end())
      found.push_back({(*planned)[i].kernel, static_cast<std::size_t>(at - buffers.begin()), offset});
  }
  return found;
}

std::vector<Candidate> candidates_before(const trace::Trace& trace, trace::SliceId kernel, std::size_t buffer,
                                         std::uint64_t offset) {
  const trace::KernelRecord* const record = record_of(trace, kernel);
  if (record == nullptr) return {};
  return record->state ? recorded_before(trace, kernel, *record, buffer, offset)
                       : replayed_before(trace, kernel, buffer, offset);
}

}  // namespace

std::vector<trace::SliceId> launches_before(const trace::Trace& trace, trace::SliceId kernel, std::size_t buffer,
                                            std::uint64_t offset) {
  std::vector<trace::SliceId> launches;
  for (const Candidate& candidate : candidates_before(trace, kernel, buffer, offset))
    launches.push_back(candidate.kernel);
  return launches;
}

base::Result<std::optional<EarlierWriter>> earlier_writer(const trace::Trace& trace, trace::SliceId kernel,
                                                          std::size_t buffer, std::uint64_t offset, std::uint32_t bytes,
                                                          const HistoryOptions& options) {
  using Found = std::optional<EarlierWriter>;
  const std::vector<Candidate> candidates = candidates_before(trace, kernel, buffer, offset);
  for (std::size_t i = candidates.size(); i-- > 0;) {
    const Candidate& candidate = candidates[i];
    const auto built = build_history(trace, candidate.kernel, options);
    const auto* const history = std::get_if<0>(&built);
    if (history == nullptr || (*history)->stand_in) continue;
    const gpu::Launch& before = (*history)->before;
    if (candidate.buffer >= before.buffers.size()) continue;
    gpu::LaunchWriters writers((*history)->device, *(*history)->program, before, options.cancel);
    gpu::WriterQuestion question;
    question.place.address = gpu::buffer_addresses(*(*history)->program, before)[candidate.buffer] + candidate.offset;
    question.place.bytes = bytes;
    auto answer = writers.ask(question);
    if (!answer) return base::Error{answer.error()};
    if (answer->written()) return Found{EarlierWriter{candidate.kernel, *history, std::move(*answer)}};
  }
  return Found{};
}

}  // namespace warpwalk::run
