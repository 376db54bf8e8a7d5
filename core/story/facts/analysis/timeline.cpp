#include "core/story/facts/analysis/timeline.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace warpwalk::story {
namespace {

using trace::SliceKind;

// Events without a time are written at 0.
bool has_time(const Trace& trace, SliceId slice) {
  return trace.slices.start[slice] != 0 || trace.slices.duration[slice] != 0;
}

TimelineTrack track_of(const Trace& trace, trace::TrackId id) {
  const trace::Track& track = trace.tracks[id];
  TimelineTrack made{id, {}};
  std::vector<std::int64_t> ends;                                // of the lanes
  std::vector<std::uint32_t> lane_of(track.last - track.first);  // of the track's slices
  for (SliceId s = track.first; s < track.last; ++s) {
    if (!has_time(trace, s)) continue;
    const SliceId parent = trace.slices.parent[s];
    const bool enclosed = parent != no_slice && has_time(trace, parent);
    std::size_t lane = enclosed ? lane_of[parent - track.first] + std::size_t{1} : 0;
    // Slices that overlap without nesting go below each other, too.
    while (lane < ends.size() && ends[lane] > trace.slices.start[s]) ++lane;
    if (lane == ends.size()) {
      ends.push_back(INT64_MIN);
      made.lanes.emplace_back(trace);
    }
    ends[lane] = trace.slices.end(s);
    lane_of[s - track.first] = static_cast<std::uint32_t>(lane);
    made.lanes[lane].add(s);
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
    if (name.example == no_slice) name.example = slice;
    return name;
  }
  std::vector<RangeName> sorted(std::int64_t RangeName::*by) const {
    std::vector<RangeName> all;
    for (const auto& [key, name] : names_)
      if (name.count > 0) all.push_back(name);
    std::ranges::sort(all, [&](const RangeName& a, const RangeName& b) {
      return a.*by != b.*by ? a.*by > b.*by : a.example < b.example;
    });
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

// At any time the slice that started last is the innermost: the time is its own. `slices`: of one track, by start.
void add_own_times(const Trace& trace, const std::vector<SliceId>& slices, std::int64_t from, std::int64_t to,
                   Names& names) {
  std::vector<SliceId> open;  // the innermost is the last
  std::int64_t reached = from;
  const auto close_until = [&](std::int64_t time) {
    while (!open.empty()) {
      const std::int64_t end = part_of(trace, open.back(), from, to).second;
      if (const std::int64_t until = std::min(end, time); until > reached) {
        names.of(open.back()).self += until - reached;
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

RangeStatistics statistics_of(const Trace& trace, const std::vector<TimelineTrack>& tracks, std::int64_t from,
                              std::int64_t to) {
  RangeStatistics statistics{from, to, {}, {}, {}};
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
    add_own_times(trace, slices, from, to, on_gpu ? gpu : cpu);
  }
  for (auto& [device, intervals] : work) statistics.devices.emplace_back(device, covered(intervals));
  statistics.gpu = gpu.sorted(&RangeName::time);
  statistics.cpu = cpu.sorted(&RangeName::self);
  return statistics;
}

}  // namespace warpwalk::story
