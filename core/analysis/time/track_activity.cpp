#include "core/analysis/time/track_activity.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/analysis/slices.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

TrackActivity activity_of(const Trace& trace, trace::TrackId id) {
  const auto& rows = trace.slices;
  const trace::Track& track = trace.tracks[id];
  TrackActivity activity;
  activity.track = id;
  activity.gpu = track.gpu;
  activity.busy.push_back(0);
  std::int64_t reached = INT64_MIN;
  for (SliceId s = track.first; s < track.last; ++s) {
    const bool wanted =
        track.gpu ? trace::is_gpu_work(rows.kind[s]) : rows.kind[s] == SliceKind::op || trace::is_call(rows.kind[s]);
    const std::int64_t start = rows.start[s] - trace.begin_ns;
    const std::int64_t end = rows.end(s) - trace.begin_ns;
    const bool untimed = rows.start[s] == 0 && rows.duration[s] == 0;
    if (!wanted || untimed || end <= reached) continue;  // nested in a slice that is already there
    activity.slices.push_back(s);
    activity.starts.push_back(std::max(start, reached));
    activity.ends.push_back(end);
    activity.busy.push_back(activity.busy.back() + end - activity.starts.back());
    reached = end;
  }
  return activity;
}

}  // namespace

std::int64_t TrackActivity::busy_in(std::int64_t from, std::int64_t to) const {
  const auto first = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), from) - ends.begin());
  const auto last = static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), to) - starts.begin());
  if (first >= last) return 0;
  return busy[last] - busy[first] - std::max<std::int64_t>(0, from - starts[first]) -
         std::max<std::int64_t>(0, ends[last - 1] - to);
}

SliceId TrackActivity::at(std::int64_t time, std::int64_t reach) const {
  const auto next = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
  if (next < slices.size() && starts[next] <= time + reach) return slices[next];
  if (next > 0 && ends[next - 1] >= time - reach) return slices[next - 1];
  return no_slice;
}

std::vector<TrackActivity> track_activities(const Trace& trace) {
  std::vector<TrackActivity> threads, streams;
  for (trace::TrackId t = 0; t < trace.tracks.size(); ++t) {
    TrackActivity activity = activity_of(trace, t);
    if (!activity.slices.empty()) (activity.gpu ? streams : threads).push_back(std::move(activity));
  }
  threads.insert(threads.end(), std::make_move_iterator(streams.begin()), std::make_move_iterator(streams.end()));
  return threads;
}

std::vector<std::size_t> tracks_to_show(const std::vector<TrackActivity>& tracks, const Trace& trace, const Walk& walk,
                                        std::size_t limit) {
  std::vector<std::size_t> order(tracks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto followed = [&](std::size_t i) {
    const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
    for (const SliceId s : {root, walk.launch, walk.kernel})
      if (s != no_slice && trace.slices.track[s] == tracks[i].track) return true;
    return false;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair{followed(a), tracks[a].busy.back()} > std::pair{followed(b), tracks[b].busy.back()};
  });
  if (order.size() > limit) order.resize(limit);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace warpwalk::analysis
