#include "core/story/facts/memory/op_memory.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/analysis/memory/resources.h"

namespace warpwalk::story {
namespace {

using trace::absent;
using trace::MemoryEvent;

// The first row at or after `time`.
std::size_t first_event(const Trace& trace, std::int64_t time) {
  std::size_t low = 0, high = trace.memory.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (trace.memory[middle].time < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool same_thread(const Trace& trace, trace::TrackId a, trace::TrackId b) {
  if (a == b) return true;
  const trace::Track &x = trace.tracks[a], &y = trace.tracks[b];
  return x.pid == y.pid && x.tid == y.tid && x.pid_is_text == y.pid_is_text && x.tid_is_text == y.tid_is_text;
}

// The last slice of a track that starts at or before this time.
SliceId last_before(const Trace& trace, const trace::Track& track, std::int64_t time) {
  SliceId low = track.first, high = track.last;
  while (low < high) {
    const SliceId middle = low + (high - low) / 2;
    if (trace.slices.start[middle] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low == track.first ? no_slice : low - 1;
}

// Whether a call that allocates from the driver comes between the op's start and this time. Only the last calls are
// searched, so that an op with a million calls stays cheap.
bool asked_driver(const Trace& trace, SliceId root, std::int64_t time) {
  static constexpr std::array<std::string_view, 6> names = {"cudaMalloc",  "cuMemAlloc",      "cuMemAlloc_v2",
                                                            "cuMemCreate", "cudaMallocAsync", "cuMemAllocAsync"};
  constexpr int limit = 2048;
  const trace::Track& track = trace.tracks[trace.slices.track[root]];
  SliceId s = last_before(trace, track, time);
  for (int n = 0; n < limit && s != no_slice && s > root; ++n, --s)
    if (trace::is_call(trace.slices.kind[s]) && std::find(names.begin(), names.end(), trace.name(s)) != names.end())
      return true;
  return false;
}

// The memory of this walk: that of the GPU that its kernel ran on, if it was recorded; else the first memory that the
// op allocated from; else the first recorded GPU's; else the CPU's.
std::optional<analysis::MemorySpace> space_of(const Trace& trace, const Walk& walk, SliceId root) {
  std::optional<analysis::MemorySpace> wanted, in_op, gpu, cpu;
  if (walk.kernel != no_slice)
    wanted = analysis::MemorySpace{true, trace.tracks[trace.slices.track[walk.kernel]].device};
  const std::int64_t from = root == no_slice ? 0 : trace.slices.start[root];
  const std::int64_t to = root == no_slice ? -1 : trace.slices.end(root);
  bool has_wanted = false;
  const auto look = [&](const analysis::MemorySpace& space, std::int64_t time) {
    has_wanted = has_wanted || (wanted && space == *wanted);
    if (!in_op && time >= from && time <= to) in_op = space;
    if (space.gpu && !gpu) gpu = space;
    if (!space.gpu && !cpu) cpu = space;
  };
  for (const trace::Allocation& one : trace.records.allocations)
    look({one.device >= 0, std::max<std::int64_t>(one.device, 0)}, one.allocated_ns);
  if (!has_wanted) {
    for (const MemoryEvent& event : trace.memory) {
      if (event.bytes == absent || event.device_type == absent || (event.device_type != 0 && event.device_type != 1))
        continue;
      look({event.device_type == 1, event.device_type == 1 ? event.device : 0}, event.time);
      if (has_wanted || (in_op && gpu && !wanted)) break;
    }
  }
  if (has_wanted) return wanted;
  if (wanted) return {};  // the history of another memory does not apply to this GPU
  if (in_op) return in_op;
  return gpu ? gpu : cpu;
}

// The memory of the walk's GPU, or of the first GPU if the walk has none, if the driver's calls were recorded.
std::optional<analysis::MemorySpace> driver_space(const Trace& trace, const Walk& walk) {
  for (const trace::DriverMemory& change : trace.driver_memory)
    if (walk.kernel == no_slice || change.device == trace.tracks[trace.slices.track[walk.kernel]].device)
      return analysis::MemorySpace{true, change.device};
  return {};
}

// Counts the blocks allocated while the root ran on its thread, and returns the row of the one to follow.
std::optional<std::size_t> made_inside(const Trace& trace, OpMemory& subject) {
  struct Made {
    std::size_t row;
    bool alive;
  };
  std::vector<Made> made;
  std::unordered_map<std::int64_t, std::size_t> last;  // by address
  const std::int64_t end = trace.slices.end(subject.root);
  const trace::TrackId track = trace.slices.track[subject.root];
  for (std::size_t row = first_event(trace, trace.slices.start[subject.root]); row < trace.memory.size(); ++row) {
    const MemoryEvent& event = trace.memory[row];
    if (event.time > end) break;
    if (!analysis::is_of(event, subject.space)) continue;
    const bool own = same_thread(trace, event.track, track);
    if (event.out_of_memory) {
      if (own && subject.refused++ == 0) subject.refused_bytes = event.bytes;
    } else if (event.bytes > 0 && own) {
      ++subject.made;
      subject.made_bytes += event.bytes;
      last[event.address] = made.size();
      made.push_back({row, true});
    } else if (event.bytes < 0) {
      if (const auto found = last.find(event.address); found != last.end()) made[found->second].alive = false;
    }
  }
  std::optional<std::size_t> best;
  bool best_alive = false;
  for (const Made& one : made) {
    const std::int64_t bytes = trace.memory[one.row].bytes;
    const bool better =
        !best || (one.alive && !best_alive) || (one.alive == best_alive && bytes >= trace.memory[*best].bytes);
    if (!better || trace.memory[one.row].address == absent || trace.memory[one.row].address < 0) continue;
    best = one.row;
    best_alive = one.alive;
  }
  return best;
}

// The outermost op that ran on this track's thread at this time: the one that the program called.
SliceId outermost_op_at(const Trace& trace, trace::TrackId track, std::int64_t time) {
  SliceId found = op_at(trace, track, time);
  for (SliceId s = found; s != no_slice; s = trace.slices.parent[s])
    if (trace.slices.kind[s] == trace::SliceKind::op) found = s;
  return found;
}

// Adds up the changes of other blocks between the block's allocation (row `born` of `trace.memory`) and its free (row
// `freed`).
void add_others(const Trace& trace, const analysis::MemorySpace& space, std::size_t born, std::size_t freed,
                OwnBlock& block) {
  std::unordered_map<std::int64_t, std::size_t> held;  // allocated since then, by address
  for (std::size_t row = born + 1; row < freed; ++row) {
    const MemoryEvent& event = trace.memory[row];
    if (!analysis::is_of(event, space) || event.out_of_memory || event.bytes == absent) continue;
    block.others_bytes += event.bytes;
    if (event.bytes > 0)
      held[event.address] = row;
    else
      held.erase(event.address);
  }
  std::int64_t largest = 0;
  for (const auto& [address, row] : held) {
    const MemoryEvent& event = trace.memory[row];
    block.others_taken += event.bytes;
    if (event.bytes < largest) continue;
    largest = event.bytes;
    block.others_taker = outermost_op_at(trace, event.track, event.time);
  }
}

OwnBlock block_of(const Trace& trace, const OpMemory& subject, std::size_t row) {
  const MemoryEvent& event = trace.memory[row];
  OwnBlock block;
  block.address = static_cast<std::uint64_t>(event.address);
  block.bytes = event.bytes;
  block.born = event.time;
  block.allocated_after = event.allocated;
  block.reserved_after = subject.space.gpu ? event.reserved : absent;
  for (std::size_t later = row + 1; later < trace.memory.size(); ++later) {
    const MemoryEvent& end = trace.memory[later];
    if (end.address != event.address || end.out_of_memory || !analysis::is_of(end, subject.space)) continue;
    if (end.bytes < 0) {
      block.freed = end.time;
      block.freed_in = op_at(trace, end.track, end.time);
      block.allocated_freed = end.allocated;
      block.reserved_freed = subject.space.gpu ? end.reserved : absent;
      add_others(trace, subject.space, row, later, block);
    }
    break;
  }
  block.outlives = !block.freed || *block.freed > trace.slices.end(subject.root);
  if (!subject.space.gpu) return block;
  std::optional<std::int64_t> before;
  for (std::size_t earlier = row; earlier-- > 0 && !before;)
    if (analysis::is_of(trace.memory[earlier], subject.space) && !trace.memory[earlier].out_of_memory)
      before = trace.memory[earlier].reserved;
  if (before && *before != absent && event.reserved != absent) {
    block.grown = event.reserved - *before;
    block.driver = block.grown > 0 ? OwnBlock::Driver::grew : OwnBlock::Driver::no;
  } else if (asked_driver(trace, subject.root, event.time)) {
    block.driver = OwnBlock::Driver::called;
  } else if (!trace.calls.empty()) {
    block.driver = OwnBlock::Driver::no;  // the driver's calls were recorded, and there is none
  }
  return block;
}

// The same for warpwalk's own records, which lack totals and threads.
std::optional<OwnBlock> recorded_block(const Trace& trace, OpMemory& subject) {
  const std::int64_t from = trace.slices.start[subject.root], to = trace.slices.end(subject.root);
  const std::vector<trace::Allocation>& rows = trace.records.allocations;
  const auto is_own = [&](const trace::Allocation& one) {
    return (one.device >= 0) == subject.space.gpu && (!subject.space.gpu || one.device == subject.space.device);
  };
  std::optional<OwnBlock> best;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const trace::Allocation& one = rows[row];
    if (!is_own(one) || one.allocated_ns < from || one.allocated_ns > to) continue;
    OwnBlock block;
    block.address = one.address;
    block.asked = static_cast<std::int64_t>(one.bytes);
    block.bytes = static_cast<std::int64_t>(one.rounded_bytes != 0 ? one.rounded_bytes : one.bytes);
    block.born = one.allocated_ns;
    if (one.freed_ns >= 0) {
      block.freed = one.freed_ns;
      block.freed_in = op_at(trace, trace.slices.track[subject.root], one.freed_ns);
    }
    block.outlives = !block.freed || *block.freed > to;
    block.record = row;
    ++subject.made;
    subject.made_bytes += block.bytes;
    if (!best || (block.outlives && !best->outlives) ||
        (block.outlives == best->outlives && block.bytes >= best->bytes))
      best = block;
  }
  if (!best) return {};
  const trace::Allocation& own = rows[best->record];
  std::int64_t largest = 0;
  for (const trace::Allocation& one : rows) {
    if (!best->freed || &one == &own || !is_own(one)) continue;
    const auto between = [&](std::int64_t time) { return time > best->born && time < *best->freed; };
    const auto bytes = static_cast<std::int64_t>(one.rounded_bytes != 0 ? one.rounded_bytes : one.bytes);
    const bool taken = between(one.allocated_ns), returned = one.freed_ns >= 0 && between(one.freed_ns);
    best->others_bytes += (taken ? bytes : 0) - (returned ? bytes : 0);
    if (!taken || returned) continue;
    best->others_taken += bytes;
    if (bytes < largest) continue;
    largest = bytes;
    best->others_taker = outermost_op_at(trace, trace.slices.track[subject.root], one.allocated_ns);
  }
  if (own.segment != 0) {
    best->driver = OwnBlock::Driver::grew;
    best->grown = static_cast<std::int64_t>(own.segment_bytes);
    for (const trace::Allocation& one : rows)
      if (&one != &own && one.segment == own.segment && one.allocated_ns < own.allocated_ns) {
        best->driver = OwnBlock::Driver::no;
        best->grown = 0;
      }
  }
  return best;
}

}  // namespace

SliceId op_at(const Trace& trace, trace::TrackId track, std::int64_t time) {
  for (trace::TrackId t = 0; t < trace.tracks.size(); ++t) {
    const trace::Track& thread = trace.tracks[t];
    if (thread.gpu || thread.first == thread.last || !same_thread(trace, t, track)) continue;
    for (SliceId s = last_before(trace, thread, time); s != no_slice; s = trace.slices.parent[s])
      if (trace.slices.kind[s] == trace::SliceKind::op && trace.slices.end(s) >= time) return s;
  }
  return no_slice;
}

bool inputs_recorded(const Trace& trace, SliceId op) {
  return op != no_slice && trace.slices.kind[op] == trace::SliceKind::op &&
         trace.ops[trace.slices.detail[op]].input_dims != 0;
}

OpMemory op_memory_of(const Trace& trace, const Walk& walk) {
  OpMemory subject;
  subject.root = walk.ops.empty() ? walk.op : walk.ops.front();
  for (const SliceId op : walk.ops)
    if (!analysis::tensors_of(trace, op).empty()) subject.inner = op;
  if (subject.inner == no_slice && !walk.ops.empty()) subject.inner = walk.ops.back();
  std::optional<analysis::MemorySpace> space = space_of(trace, walk, subject.root);
  if (!space) {
    space = driver_space(trace, walk);
    subject.driver = space.has_value();
  }
  if (!space) return subject;
  subject.recorded = true;
  subject.space = *space;
  if (subject.root == no_slice || subject.driver) return subject;
  for (const trace::Allocation& one : trace.records.allocations)
    if ((one.device >= 0) == space->gpu && (!space->gpu || one.device == space->device)) {
      subject.block = recorded_block(trace, subject);
      return subject;
    }
  if (const std::optional<std::size_t> row = made_inside(trace, subject))
    subject.block = block_of(trace, subject, *row);
  return subject;
}

std::optional<analysis::Tensor> placed_result(const Trace& trace, const OpMemory& subject) {
  if (!subject.block) return {};
  const std::vector<analysis::Tensor> inputs = analysis::tensors_of(trace, subject.inner);
  if (inputs.empty()) return {};
  std::optional<analysis::Tensor> output = analysis::output_of(trace.name(subject.inner), inputs);
  if (!output) return {};
  const std::int64_t bytes = output->bytes();
  if ((subject.space.gpu ? analysis::caching_rules::rounded(bytes) : bytes) != subject.block->bytes) return {};
  output->address = subject.block->address;
  return output;
}

}  // namespace warpwalk::story
