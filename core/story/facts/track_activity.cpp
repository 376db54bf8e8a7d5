#include "core/story/facts/track_activity.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/story/facts/rows.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

Lane lane_of(const Trace& trace, trace::TrackId id) {
  const auto& rows = trace.slices;
  const trace::Track& track = trace.tracks[id];
  Lane lane;
  lane.track = id;
  lane.gpu = track.gpu;
  lane.busy.push_back(0);
  std::int64_t reached = INT64_MIN;
  for (SliceId s = track.first; s < track.last; ++s) {
    const bool wanted =
        track.gpu ? trace::is_gpu_work(rows.kind[s]) : rows.kind[s] == SliceKind::op || trace::is_call(rows.kind[s]);
    const std::int64_t start = rows.start[s] - trace.begin_ns;
    const std::int64_t end = rows.end(s) - trace.begin_ns;
    const bool untimed = rows.start[s] == 0 && rows.duration[s] == 0;
    if (!wanted || untimed || end <= reached) continue;  // nested in a slice that is already there
    lane.slices.push_back(s);
    lane.starts.push_back(std::max(start, reached));
    lane.ends.push_back(end);
    lane.busy.push_back(lane.busy.back() + end - lane.starts.back());
    reached = end;
  }
  return lane;
}

}  // namespace

std::int64_t Lane::busy_in(std::int64_t from, std::int64_t to) const {
  const auto first = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), from) - ends.begin());
  const auto last = static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), to) - starts.begin());
  if (first >= last) return 0;
  return busy[last] - busy[first] - std::max<std::int64_t>(0, from - starts[first]) -
         std::max<std::int64_t>(0, ends[last - 1] - to);
}

SliceId Lane::at(std::int64_t time, std::int64_t reach) const {
  const auto next = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
  if (next < slices.size() && starts[next] <= time + reach) return slices[next];
  if (next > 0 && ends[next - 1] >= time - reach) return slices[next - 1];
  return no_slice;
}

std::vector<Lane> lanes_of(const Trace& trace) {
  std::vector<Lane> threads, streams;
  for (trace::TrackId t = 0; t < trace.tracks.size(); ++t) {
    Lane lane = lane_of(trace, t);
    if (!lane.slices.empty()) (lane.gpu ? streams : threads).push_back(std::move(lane));
  }
  threads.insert(threads.end(), std::make_move_iterator(streams.begin()), std::make_move_iterator(streams.end()));
  return threads;
}

std::vector<std::size_t> lanes_to_show(const std::vector<Lane>& lanes, const Trace& trace, const Walk& walk,
                                       std::size_t most) {
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto followed = [&](std::size_t i) {
    const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
    for (const SliceId s : {root, walk.launch, walk.kernel})
      if (s != no_slice && trace.slices.track[s] == lanes[i].track) return true;
    return false;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair{followed(a), lanes[a].busy.back()} > std::pair{followed(b), lanes[b].busy.back()};
  });
  if (order.size() > most) order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace warpwalk::story
