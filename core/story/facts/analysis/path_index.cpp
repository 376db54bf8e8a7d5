#include "core/story/facts/analysis/path_index.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/story/facts/words/rows.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

constexpr std::size_t most_asked = 64;  // threads

bool is_of_thread(SliceKind kind) { return kind == SliceKind::python || kind == SliceKind::op || trace::is_call(kind); }

}  // namespace

PathEvents::PathEvents(const Trace& trace)
    : trace_(trace), thread_(trace.tracks.size(), no_thread), stream_(trace.tracks.size(), no_thread) {
  for (trace::TrackId track = 0; track < trace.tracks.size(); ++track) {
    if (trace.tracks[track].gpu)
      add_stream(track);
    else
      add_thread(track);
  }
  std::vector<Interval> profiler;
  const auto& rows = trace.slices;
  for (SliceId s = 0; s < rows.size(); ++s)
    if (is_profiler_work(trace, s)) profiler.push_back({rows.start[s], rows.end(s)});
  profiler_ = united_intervals(std::move(profiler));

  busiest_.resize(threads_.size());
  std::iota(busiest_.begin(), busiest_.end(), std::size_t{0});
  std::ranges::stable_sort(busiest_, std::ranges::greater{}, [&](std::size_t i) { return threads_[i].size(); });
  if (busiest_.size() > most_asked) busiest_.resize(most_asked);

  for (std::uint32_t stream = 0; stream < streams_.size(); ++stream) {
    std::vector<End>& ends = ends_.emplace_back();
    for (const PathWork& work : streams_[stream]) ends.push_back({work.end, stream, work.place});
    std::ranges::stable_sort(ends, {}, &End::time);
    all_ends_.insert(all_ends_.end(), ends.begin(), ends.end());
  }
  std::ranges::stable_sort(all_ends_, {}, &End::time);
  find_targets();
}

void PathEvents::add_thread(trace::TrackId id) {
  const auto& rows = trace_.slices;
  const trace::Track& track = trace_.tracks[id];
  std::vector<PathTile> tiles;
  std::vector<SliceId> orders, open;
  const auto begin = [&](std::int64_t time, SliceId slice) {
    if (!tiles.empty() && tiles.back().start >= time)
      tiles.back().slice = slice;
    else if (tiles.empty() || tiles.back().slice != slice)
      tiles.push_back({time, slice});
  };
  const auto end_until = [&](std::int64_t time) {
    while (!open.empty() && rows.end(open.back()) <= time) {
      const std::int64_t end = rows.end(open.back());
      while (!open.empty() && rows.end(open.back()) <= end) open.pop_back();
      begin(end, open.empty() ? no_slice : open.back());
    }
  };
  for (SliceId s = track.first; s < track.last; ++s) {
    if (!is_of_thread(rows.kind[s])) continue;
    if (trace::is_call(rows.kind[s]) && trace_.name(s).find("WaitEvent") != std::string_view::npos) orders.push_back(s);
    if (rows.duration[s] <= 0) continue;
    end_until(rows.start[s]);
    begin(rows.start[s], s);
    open.push_back(s);
  }
  end_until(std::numeric_limits<std::int64_t>::max());
  if (tiles.empty()) return;
  thread_[id] = threads_.size();
  threads_.push_back(std::move(tiles));
  orders_.push_back(std::move(orders));
}

void PathEvents::add_stream(trace::TrackId id) {
  const auto& rows = trace_.slices;
  const trace::Track& track = trace_.tracks[id];
  std::vector<PathWork> works;
  for (SliceId s = track.first; s < track.last; ++s) {
    if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
    works.push_back({rows.start[s], rows.end(s), s, trace::launch_of(trace_, s),
                     static_cast<std::uint32_t>(streams_.size()), static_cast<std::uint32_t>(works.size()),
                     rows.kind[s] == SliceKind::kernel});
  }
  if (works.empty()) return;
  stream_[id] = streams_.size();
  streams_.push_back(std::move(works));
}

// Synchronizations are recorded on the GPU with the correlation of their call; a wait for an event also has that of the
// call that recorded the event.
void PathEvents::find_targets() {
  const auto& rows = trace_.slices;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> stream_named;  // by device and stream
  for (trace::TrackId track = 0; track < trace_.tracks.size(); ++track)
    if (stream_[track] < streams_.size())
      stream_named[{trace_.tracks[track].device, trace_.tracks[track].stream}] = stream_[track];
  std::unordered_map<std::int64_t, Target> by_call;
  std::unordered_map<std::int64_t, std::int64_t> recorded;  // the start of cudaEventRecord, by correlation
  for (const trace::SyncDetail& sync : trace_.syncs)
    if (sync.wait_on_record != trace::absent) recorded[sync.wait_on_record] = trace::absent;
  for (SliceId s = 0; s < rows.size() && !recorded.empty(); ++s)
    if (trace::is_call(rows.kind[s]))
      if (const auto found = recorded.find(trace_.calls[rows.detail[s]].correlation); found != recorded.end())
        found->second = rows.start[s];
  for (const trace::SyncDetail& sync : trace_.syncs) {
    if (sync.correlation == trace::absent) continue;
    const bool event = sync.wait_on_stream != trace::absent && sync.wait_on_stream >= 0;
    const auto stream = stream_named.find({sync.device, event ? sync.wait_on_stream : sync.stream});
    if (stream == stream_named.end()) continue;
    const auto waiting = stream_named.find({sync.device, sync.stream});
    Target target{stream->second, std::numeric_limits<std::int64_t>::max(), streams_.size()};
    if (waiting != stream_named.end())
      target.waiting = waiting->second;
    else if (sync.stream != trace::absent)
      target.waiting = no_thread;  // a stream without work
    const auto record = recorded.find(sync.wait_on_record);
    if (event && record != recorded.end() && record->second != trace::absent) target.before = record->second;
    by_call[sync.correlation] = target;
  }
  for (SliceId s = 0; s < rows.size() && !by_call.empty(); ++s)
    if (trace::is_call(rows.kind[s]))
      if (const auto found = by_call.find(trace_.calls[rows.detail[s]].correlation); found != by_call.end())
        targets_[s] = found->second;
}

PathKind PathEvents::kind_of(SliceId slice) const {
  const SliceKind kind = trace_.slices.kind[slice];
  return kind == SliceKind::python ? PathKind::python : kind == SliceKind::op ? PathKind::op : PathKind::call;
}

PathTile PathEvents::tile_before(std::size_t thread, std::int64_t time) const {
  if (thread == no_thread) return {};
  const std::vector<PathTile>& tiles = threads_[thread];
  const auto after = std::ranges::lower_bound(tiles, time, {}, &PathTile::start);
  return after == tiles.begin() ? PathTile{} : *std::prev(after);
}

std::pair<std::size_t, std::int64_t> PathEvents::last_thread() const {
  std::pair<std::size_t, std::int64_t> last = {no_thread, std::numeric_limits<std::int64_t>::min()};
  for (std::size_t i = 0; i < threads_.size(); ++i)
    if (threads_[i].back().start > last.second) last = {i, threads_[i].back().start};
  return last;
}

const PathWork* PathEvents::before(const PathWork& work) const {
  return work.place == 0 ? nullptr : &streams_[work.stream][work.place - 1];
}

const PathWork* PathEvents::ended(const std::vector<End>& ends, std::int64_t after, std::int64_t by) const {
  const auto next = std::ranges::upper_bound(ends, by, {}, &End::time);
  if (next == ends.begin() || std::prev(next)->time <= after) return nullptr;
  return &at(*std::prev(next));
}

const PathWork* PathEvents::waited_for(const PathWork& work) const {
  if (work.launch == no_slice) return nullptr;
  const std::size_t thread = thread_of(work.launch);
  if (thread == no_thread || orders_[thread].empty()) return nullptr;
  constexpr std::int64_t ever = std::numeric_limits<std::int64_t>::min();
  const PathWork* const previous = before(work);
  const bool follows = previous != nullptr && previous->launch != no_slice;
  const std::int64_t since = follows ? trace_.slices.end(previous->launch) : ever;
  // The last order for this stream since the launch of the work before on it. Orders for other streams are passed over.
  const std::vector<SliceId>& orders = orders_[thread];
  auto order = std::ranges::lower_bound(orders, start(work.launch), {}, [&](SliceId s) { return start(s); });
  auto found = targets_.end();
  for (std::size_t looked = 0;; ++looked) {
    if (order == orders.begin() || looked == most_asked) return nullptr;
    --order;
    if (start(*order) < since) return nullptr;
    found = targets_.find(*order);
    if (found == targets_.end() || found->second.waiting == work.stream || found->second.waiting == streams_.size())
      break;
  }
  const std::size_t known = found == targets_.end() ? streams_.size() : found->second.stream;
  if (known < streams_.size() && known != work.stream) {
    // The last work of this stream that was launched before the event was recorded.
    const std::vector<PathWork>& works = streams_[known];
    const auto end = std::ranges::partition_point(works, [&](const PathWork& one) {
      return one.start <= work.start && (one.launch == no_slice || start(one.launch) < found->second.before);
    });
    return end != works.begin() && std::prev(end)->end <= work.start ? &*std::prev(end) : nullptr;
  }
  const PathWork* latest = nullptr;  // it is not recorded which stream: the one that ended last
  const std::size_t asked = std::min(streams_.size(), most_asked);
  for (std::size_t other = 0; other < asked; ++other) {
    if (other == work.stream) continue;
    const PathWork* const one = ended(ends_[other], ever, work.start);
    if (one != nullptr && (latest == nullptr || one->end > latest->end)) latest = one;
  }
  return latest;
}

const PathWork* PathEvents::ended_wait(SliceId call, std::int64_t time) const {
  const auto& rows = trace_.slices;
  SliceId waits = call;  // a driver call may stand inside the call of the runtime that waits
  if (!trace::is_call(rows.kind[waits])) return nullptr;
  for (SliceId above = rows.parent[waits]; above != no_slice && trace::is_call(rows.kind[above]);
       above = rows.parent[above])
    waits = above;
  if (is_wait(trace_, waits) || is_wait(trace_, call)) {
    const auto found = targets_.find(waits);
    return ended(found == targets_.end() ? all_ends_ : ends_[found->second.stream], rows.start[waits], time);
  }
  // A copy that the call started and waited for.
  for (std::size_t i = trace::first_launched(trace_, waits); i < trace_.launched.size(); ++i) {
    const auto& [launch, work] = trace_.launched[i];
    if (launch != waits) break;
    if (rows.kind[work] != SliceKind::memcpy || rows.end(work) > time || rows.duration[work] <= 0) continue;
    const bool to_cpu = trace_.name(work).find("DtoH") != std::string_view::npos;
    if (!to_cpu && trace_.name(waits).find("Async") != std::string_view::npos) continue;
    const std::size_t stream = stream_[rows.track[work]];
    if (stream >= streams_.size()) continue;
    const std::vector<PathWork>& works = streams_[stream];
    const auto at = std::ranges::lower_bound(works, work, {}, &PathWork::slice);
    if (at != works.end() && at->slice == work) return &*at;
  }
  return nullptr;
}

const PathWork* PathEvents::last_work() const { return all_ends_.empty() ? nullptr : &at(all_ends_.back()); }

}  // namespace warpwalk::story
