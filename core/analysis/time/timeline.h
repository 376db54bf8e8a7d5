#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/analysis/cpu_wait.h"
#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// One row of the timeline: slices of one track that do not overlap, by start. Any range of time is answered without
/// reading all of them. All times are ns since the trace's start.
class TimelineLane {
 public:
  explicit TimelineLane(const Trace& trace) : trace_(&trace) {}
  /// The slice must not start before the last one ends.
  void add(SliceId slice);

  std::size_t size() const { return slices_.size(); }
  SliceId slice(std::size_t i) const { return slices_[i]; }
  std::int64_t start(std::size_t i) const { return starts_[i]; }
  std::int64_t end(std::size_t i) const { return trace_->slices.end(slices_[i]) - trace_->begin_ns; }
  /// The first slice that ends after this time; size() if there is none.
  std::size_t ending_after(std::int64_t time) const;
  /// The first slice from `from` on that starts at this time or later; size() if there is none.
  std::size_t starting_at(std::int64_t time, std::size_t from = 0) const;
  /// ns of [from, to) that slices cover.
  std::int64_t busy_in(std::int64_t from, std::int64_t to) const;
  /// ns that the slices first .. last-1 take.
  std::int64_t busy_of(std::size_t first, std::size_t last) const { return busy_[last] - busy_[first]; }
  /// The slice at this time, else the nearest one within `reach` ns; size() if there is none.
  std::size_t at(std::int64_t time, std::int64_t reach) const;

 private:
  const Trace* trace_;  // never null; must outlive the lane
  std::vector<SliceId> slices_;
  std::vector<std::int64_t> starts_;
  std::vector<std::int64_t> busy_ = {0};  // busy_[i]: total ns of slices 0 .. i-1
};

/// The rows of one thread or stream: a slice is below the slices that enclose it. Outermost slices that overlap, as
/// those of threads that share a number, are in stacks of their own, one below the other.
struct TimelineTrack {
  trace::TrackId track = 0;
  std::vector<TimelineLane> lanes;
  std::vector<std::size_t> stacks = {};  ///< the first lane of each stack
};

/// All tracks with slices that have a time: threads with ops, frames or calls, then streams, then the rest.
std::vector<TimelineTrack> timeline_tracks(const Trace& trace);

/// The time of all slices of one name and kind within a range of time.
struct RangeName {
  SliceId example = no_slice;    ///< one of the slices
  std::size_t count = 0;         ///< slices of which at least a part is in the range
  std::int64_t time = 0;         ///< ns in the range
  std::int64_t self = 0;         ///< ns in which none of the slices of their track that started later ran; 0 for waits
  CpuWait wait = CpuWait::none;  ///< for what a thread waits in these frames
};

/// The own time of frames in which threads wait, by what they wait for.
struct RangeWaiting {
  static constexpr std::size_t kinds = static_cast<std::size_t>(CpuWait::autograd) + 1;
  std::array<std::int64_t, kinds> time{};  ///< ns of all threads; 0 for CpuWait::none

  std::int64_t of(CpuWait wait) const { return time[static_cast<std::size_t>(wait)]; }
  std::int64_t total() const { return std::accumulate(time.begin(), time.end(), std::int64_t{0}); }
};

enum class RangeOrder : std::uint8_t { time, self, count };
/// The largest first; equal ones in the order of their examples.
void order_names(std::vector<RangeName>& names, RangeOrder by);

struct RangeStatistics {
  std::int64_t from = 0, to = 0;  ///< ns since the trace's start
  /// GPUs with work anywhere in the trace, and the ns of the range in which at least one kernel, copy or fill ran.
  std::vector<std::pair<std::int64_t, std::int64_t>> devices;
  std::vector<RangeName> gpu;  ///< kernels, copies and fills, the longest time first
  std::vector<RangeName> cpu;  ///< ops, frames, calls and annotations of threads, the longest self time first
  RangeWaiting waiting;        ///< what is left out of the self times of `cpu`
};

/// Reads every slice in the range.
RangeStatistics statistics_of(const Trace& trace, const std::vector<TimelineTrack>& tracks, std::int64_t from,
                              std::int64_t to);

}  // namespace warpwalk::analysis
