#include "core/analysis/time/timeline.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <unordered_map>

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

// The times at which lanes become free. Finds the first free one without reading all: a file can have any number of
// slices that overlap.
class LaneEnds {
 public:
  std::size_t size() const { return count_; }
  /// The first lane from `from` on that is free at this time; size() if there is none. `from`: at most size().
  std::size_t first_free(std::size_t from, std::int64_t time) const {
    if (from >= count_) return count_;
    std::size_t node = half() + from;
    while (earliest_[node] > time) {  // to the next subtree on the right
      while (node % 2 == 1) node /= 2;
      if (node == 0) return count_;
      ++node;
    }
    while (node < half()) node = earliest_[2 * node] <= time ? 2 * node : 2 * node + 1;
    return node - half();
  }
  /// The lane, at most size(), is taken until `end`.
  void take(std::size_t lane, std::int64_t end) {
    if (lane == count_) {
      ++count_;
      if (count_ > half()) grow();
    }
    std::size_t node = half() + lane;
    for (earliest_[node] = end; node > 1; node /= 2)
      earliest_[node / 2] = std::min(earliest_[node], earliest_[node ^ std::size_t{1}]);
  }

 private:
  // Leaves are the second half; a node has the earliest end of its two children. Lanes that are not there end never.
  std::size_t half() const { return earliest_.size() / 2; }
  void grow() {
    std::vector<std::int64_t> wider(4 * half(), INT64_MAX);
    std::copy(earliest_.begin() + static_cast<std::ptrdiff_t>(half()), earliest_.end(),
              wider.begin() + static_cast<std::ptrdiff_t>(wider.size() / 2));
    for (std::size_t node = wider.size() / 2; --node > 0;) wider[node] = std::min(wider[2 * node], wider[2 * node + 1]);
    earliest_ = std::move(wider);
  }

  std::vector<std::int64_t> earliest_ = {INT64_MAX, INT64_MAX};
  std::size_t count_ = 0;
};

// The lanes of slices that are enclosed by one another, and of those that overlap within an enclosing slice.
struct Stack {
  std::vector<TimelineLane> lanes;
  LaneEnds ends;
};

TimelineTrack track_of(const Trace& trace, trace::TrackId id) {
  struct Place {
    std::uint32_t stack = 0, lane = 0;
  };
  const trace::Track& track = trace.tracks[id];
  std::vector<Stack> stacks;
  LaneEnds ends;  // of the outermost slices of the stacks
  std::vector<Place> places(track.last - track.first);
  for (SliceId s = track.first; s < track.last; ++s) {
    if (!has_time(trace, s)) continue;
    const SliceId parent = trace.slices.parent[s];
    const std::int64_t start = trace.slices.start[s], end = trace.slices.end(s);
    Place& place = places[s - track.first];
    std::size_t first = 0;
    if (parent != no_slice && has_time(trace, parent)) {
      place = places[parent - track.first];
      first = place.lane + std::size_t{1};
    } else {  // An outermost slice that overlaps another one is no part of its stack.
      const std::size_t stack = ends.first_free(0, start);
      if (stack == stacks.size()) stacks.emplace_back();
      ends.take(stack, end);
      place.stack = static_cast<std::uint32_t>(stack);
    }
    Stack& stack = stacks[place.stack];
    const std::size_t lane = stack.ends.first_free(first, start);
    if (lane == stack.lanes.size()) stack.lanes.emplace_back(trace);
    stack.ends.take(lane, end);
    stack.lanes[lane].add(s);
    place.lane = static_cast<std::uint32_t>(lane);
  }
  TimelineTrack made{id, {}, {}};
  for (Stack& stack : stacks) {
    made.stacks.push_back(made.lanes.size());
    std::ranges::move(stack.lanes, std::back_inserter(made.lanes));
  }
  return made;
}

// Threads of the program, then streams, then what the profiler notes about itself.
int rank_of(const Trace& trace, const trace::Track& track) {
  if (track.gpu) return 1;
  for (SliceId s = track.first; s < track.last; ++s) {
    const SliceKind kind = trace.slices.kind[s];
    if (kind == SliceKind::op || kind == SliceKind::python || trace::is_call(kind)) return 0;
  }
  return 2;
}

// Sums by name and kind.
class Names {
 public:
  explicit Names(const Trace& trace) : trace_(trace) {}
  RangeName& of(SliceId slice) {
    const auto key =
        std::uint64_t{trace_.slices.name[slice]} << 8 | static_cast<std::uint64_t>(trace_.slices.kind[slice]);
    RangeName& name = names_[key];
    if (name.example == no_slice) {
      name.example = slice;
      if (trace_.slices.kind[slice] == SliceKind::python) name.wait = cpu_wait_of(trace_.name(slice));
    }
    return name;
  }
  std::vector<RangeName> ordered(RangeOrder by) const {
    std::vector<RangeName> all;
    for (const auto& [key, name] : names_)
      if (name.count > 0) all.push_back(name);
    order_names(all, by);
    return all;
  }

 private:
  const Trace& trace_;
  std::unordered_map<std::uint64_t, RangeName> names_;
};

bool counts(const Trace& trace, SliceId slice, bool on_gpu) {
  const SliceKind kind = trace.slices.kind[slice];
  return on_gpu ? trace::is_gpu_work(kind) : kind != SliceKind::profiler && kind != SliceKind::overhead;
}

std::pair<std::int64_t, std::int64_t> part_of(const Trace& trace, SliceId slice, std::int64_t from, std::int64_t to) {
  return {std::max(from, trace.slices.start[slice] - trace.begin_ns),
          std::min(to, trace.slices.end(slice) - trace.begin_ns)};
}

// At any time the slice that started last is the innermost: the time is its own, unless the thread waits in it.
// `slices`: of one track, by start.
void add_own_times(const Trace& trace, const std::vector<SliceId>& slices, std::int64_t from, std::int64_t to,
                   Names& names, RangeWaiting& waiting) {
  std::vector<SliceId> open;  // the innermost is the last
  std::int64_t reached = from;
  const auto close_until = [&](std::int64_t time) {
    while (!open.empty()) {
      const std::int64_t end = part_of(trace, open.back(), from, to).second;
      if (const std::int64_t until = std::min(end, time); until > reached) {
        RangeName& name = names.of(open.back());
        (name.wait == CpuWait::none ? name.self : waiting.time[static_cast<std::size_t>(name.wait)]) += until - reached;
        reached = until;
      }
      if (end > time) return;
      open.pop_back();
    }
    reached = std::max(reached, time);
  };
  for (const SliceId slice : slices) {
    close_until(part_of(trace, slice, from, to).first);
    open.push_back(slice);
  }
  close_until(to);
}

// The length of the union of intervals.
std::int64_t covered(std::vector<std::pair<std::int64_t, std::int64_t>>& intervals) {
  std::ranges::sort(intervals);
  std::int64_t sum = 0, reached = INT64_MIN;
  for (const auto& [from, to] : intervals) {
    if (to <= reached) continue;
    sum += to - std::max(from, reached);
    reached = to;
  }
  return sum;
}

}  // namespace

void TimelineLane::add(SliceId slice) {
  slices_.push_back(slice);
  starts_.push_back(trace_->slices.start[slice] - trace_->begin_ns);
  busy_.push_back(busy_.back() + trace_->slices.duration[slice]);
}

std::size_t TimelineLane::ending_after(std::int64_t time) const {
  const auto found = std::ranges::partition_point(
      slices_, [&](SliceId s) { return trace_->slices.end(s) - trace_->begin_ns <= time; });
  return static_cast<std::size_t>(found - slices_.begin());
}

std::size_t TimelineLane::starting_at(std::int64_t time, std::size_t from) const {
  // The next one is usually near: first in growing steps, then by halves.
  std::size_t low = from, step = 1;
  while (low + step < size() && start(low + step) < time) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(size(), low + step + 1);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (start(middle) < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::int64_t TimelineLane::busy_in(std::int64_t from, std::int64_t to) const {
  const std::size_t first = ending_after(from), last = starting_at(to, first);
  if (first >= last) return 0;
  return busy_of(first, last) - std::max<std::int64_t>(0, from - start(first)) -
         std::max<std::int64_t>(0, end(last - 1) - to);
}

std::size_t TimelineLane::at(std::int64_t time, std::int64_t reach) const {
  const std::size_t next = ending_after(time);
  const std::int64_t ahead = next < size() ? std::max<std::int64_t>(0, start(next) - time) : INT64_MAX;
  const std::int64_t behind = next > 0 ? time - end(next - 1) : INT64_MAX;
  if (std::min(ahead, behind) > reach) return size();
  return ahead <= behind ? next : next - 1;
}

std::vector<TimelineTrack> timeline_tracks(const Trace& trace) {
  std::vector<std::pair<int, trace::TrackId>> order;
  for (trace::TrackId t = 0; t < trace.tracks.size(); ++t) order.emplace_back(rank_of(trace, trace.tracks[t]), t);
  std::ranges::stable_sort(order, {}, &std::pair<int, trace::TrackId>::first);
  std::vector<TimelineTrack> tracks;
  for (const auto& [rank, id] : order) {
    TimelineTrack made = track_of(trace, id);
    if (!made.lanes.empty()) tracks.push_back(std::move(made));
  }
  return tracks;
}

void order_names(std::vector<RangeName>& names, RangeOrder by) {
  const auto figure = [&](const RangeName& name) {
    switch (by) {
      case RangeOrder::time: return name.time;
      case RangeOrder::self: return name.self;
      case RangeOrder::count: break;
    }
    return static_cast<std::int64_t>(name.count);
  };
  std::ranges::sort(names, [&](const RangeName& a, const RangeName& b) {
    return figure(a) != figure(b) ? figure(a) > figure(b) : a.example < b.example;
  });
}

RangeStatistics statistics_of(const Trace& trace, const std::vector<TimelineTrack>& tracks, std::int64_t from,
                              std::int64_t to) {
  RangeStatistics statistics{from, to, {}, {}, {}, {}};
  Names gpu(trace), cpu(trace);
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> work;  // by device
  for (const TimelineTrack& track : tracks) {
    const bool on_gpu = trace.tracks[track.track].gpu;
    auto* const intervals = on_gpu ? &work[trace.tracks[track.track].device] : nullptr;
    std::vector<SliceId> slices;
    for (const TimelineLane& lane : track.lanes)
      for (std::size_t i = lane.ending_after(from); i < lane.size() && lane.start(i) < to; ++i)
        if (counts(trace, lane.slice(i), on_gpu)) slices.push_back(lane.slice(i));
    for (const SliceId s : slices) {
      const auto [start, end] = part_of(trace, s, from, to);
      RangeName& name = (on_gpu ? gpu : cpu).of(s);
      ++name.count;
      name.time += end - start;
      if (on_gpu) intervals->emplace_back(start, end);
    }
    std::ranges::sort(slices);  // by start
    add_own_times(trace, slices, from, to, on_gpu ? gpu : cpu, statistics.waiting);
  }
  for (auto& [device, intervals] : work) statistics.devices.emplace_back(device, covered(intervals));
  statistics.gpu = gpu.ordered(RangeOrder::time);
  statistics.cpu = cpu.ordered(RangeOrder::self);
  return statistics;
}

}  // namespace warpwalk::analysis
