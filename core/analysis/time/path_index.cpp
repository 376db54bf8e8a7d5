#include "core/analysis/time/path_index.h"

#include <algorithm>
#include <functional>
#include <map>

#include "core/analysis/slices.h"
#include "core/platform/give_way.h"
#include "core/platform/table_memory.h"
#include "core/trace/link.h"
#include "core/trace/ranks.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

constexpr std::size_t most_asked = 64;  // threads

// A call that loads, links or looks up code on the GPU.
bool is_loading_call(std::string_view name) {
  for (const std::string_view part :
       {"ModuleLoad", "LibraryLoad", "ModuleGetFunction", "LibraryGetKernel", "LinkComplete", "LinkAddData"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

bool is_of_thread(SliceKind kind) { return kind == SliceKind::python || kind == SliceKind::op || trace::is_call(kind); }

}  // namespace

void PathEvents::sort_by_time(std::vector<End>& ends) {
  // The work of one stream ends in order, and sorting takes memory.
  if (!std::ranges::is_sorted(ends, {}, &End::time)) std::ranges::stable_sort(ends, {}, &End::time);
}

PathEvents::PathEvents(const Trace& trace, const std::vector<bool>& tracks)
    : trace_(trace),
      thread_(trace.tracks.size(), no_thread),
      stream_(trace.tracks.size(), no_thread),
      communication_(trace) {
  read_calls();
  const CpuWaits waits(trace);
  for (trace::TrackId track = 0; track < trace.tracks.size(); ++track) {
    if (!tracks.empty() && !tracks[track]) continue;
    platform::give_way();
    if (trace.tracks[track].gpu)
      add_stream(track);
    else
      add_thread(track, waits);
  }
  std::vector<Interval> profiler, loading;
  const auto& rows = trace.slices;
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (rows.kind[s] != SliceKind::overhead || (!tracks.empty() && !tracks[rows.track[s]])) continue;
    if (is_profiler_work(trace, s))
      profiler.push_back({rows.start[s], rows.end(s)});
    else if (trace.name(s) != "Command Buffer Full")
      loading.push_back({rows.start[s], rows.end(s)});
  }
  profiler_ = united_intervals(std::move(profiler));
  loading_ = united_intervals(std::move(loading));
  platform::give_way();
  find_host_launches();
  find_participants();

  std::size_t works = 0;
  for (const std::vector<PathWork>& stream : streams_) works += stream.size();
  all_ends_.reserve(works);
  for (std::uint32_t stream = 0; stream < streams_.size(); ++stream) {
    std::vector<End>& ends = ends_.emplace_back();
    ends.reserve(streams_[stream].size());
    for (const PathWork& work : streams_[stream]) ends.push_back({work.end, stream, work.place});
    sort_by_time(ends);
    all_ends_.insert(all_ends_.end(), ends.begin(), ends.end());
  }
  sort_by_time(all_ends_);
  find_targets();
  find_loading();
}

void PathEvents::read_calls() {
  const auto& rows = trace_.slices;
  call_flags_.resize(trace_.strings.size());
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (!trace::is_call(rows.kind[s])) continue;
    CallFlags& flags = call_flags_[rows.name[s]];
    if (flags.known) continue;
    flags = {true, is_wait(trace_, s), is_loading_call(trace_.name(s)),
             trace_.name(s).find("Async") != std::string_view::npos,
             trace_.name(s).find("GraphLaunch") != std::string_view::npos};
  }
  starts_copy_.resize(rows.size(), false);
  for (const auto& [launch, work] : trace_.launched)
    if (rows.kind[work] == SliceKind::memcpy) starts_copy_[launch] = true;
}

void PathEvents::find_participants() {
  asks_gpu_.assign(threads_.size(), false);
  std::vector<bool> helps(threads_.size(), false);
  for (const auto& [launch, work] : trace_.launched)
    if (const std::size_t thread = thread_of(launch); thread != no_thread) asks_gpu_[thread] = true;
  for (const std::size_t thread : host_threads_) asks_gpu_[thread] = true;
  for (std::size_t i = 0; i < threads_.size(); ++i)
    for (const PathTile& tile : threads_[i]) {
      if (tile.slice == no_slice) continue;
      if (tile.kind == PathKind::op || tile.wait == CpuWait::autograd) helps[i] = true;
      if (tile.kind == PathKind::call && !asks_gpu_[i] && flags_of(tile.slice).waits) asks_gpu_[i] = true;
    }
  for (std::size_t i = 0; i < threads_.size(); ++i)
    if (asks_gpu_[i] || helps[i]) participants_.push_back(i);
  if (participants_.empty())
    for (std::size_t i = 0; i < threads_.size(); ++i) participants_.push_back(i);
  std::ranges::stable_sort(participants_, std::ranges::greater{}, [&](std::size_t i) {
    return std::pair{bool{asks_gpu_[i]}, threads_[i].size()};
  });
  if (participants_.size() > most_asked) participants_.resize(most_asked);
}

// On Ascend, an op only puts its work into a queue, and a second thread launches it later. The trace links the op with
// the work (async_npu), and the moment of the launch, in a call of that thread (HostToDevice).
void PathEvents::find_host_launches() {
  const trace::StringId category = trace_.strings.find("HostToDevice");
  for (std::size_t i = 0; category != 0 && i < trace_.flows.size(); ++i) {
    const trace::Flow& flow = trace_.flows[i];
    const std::size_t stream = stream_[flow.to_track], thread = thread_[flow.from_track];
    if (flow.category != category || stream >= streams_.size() || thread == no_thread) continue;
    std::vector<PathWork>& works = streams_[stream];
    const auto work = std::ranges::lower_bound(works, flow.to_time, {}, &PathWork::start);
    std::size_t at = no_tile;
    const PathTile tile = tile_before(thread, flow.from_time + 1, at);
    if (work == works.end() || work->start != flow.to_time || tile.slice == no_slice || tile.kind != PathKind::call)
      continue;
    work->launch = tile.slice;
    work->launched = flow.from_time;
    if (std::ranges::find(host_threads_, thread) == host_threads_.end()) host_threads_.push_back(thread);
  }
}

bool PathEvents::loads_within(std::int64_t from, std::int64_t to) const {
  const auto record = std::ranges::lower_bound(loading_, from, {}, &Interval::from);
  return record != loading_.end() && record->to <= to;
}

// CUDA loads a kernel's code when it is used for the first time: partly in its first launch, partly in the op before
// that, when PyTorch asks for the kernel's limits. Of this, CUPTI records a short "Lazy Function Loading" at most. So
// the first launch of a kernel counts as loading if such a record is in it, or if it took ten times the median of all
// launches and over 100 us; the op's own time just before it too, if that took over 100 us. The launch of a graph takes
// long because it launches many kernels.
void PathEvents::find_loading() {
  constexpr std::int64_t least = 100'000;
  const auto& rows = trace_.slices;
  std::unordered_map<trace::StringId, SliceId> first;  // launch by the kernel's name
  std::vector<std::int64_t> durations;
  SliceId last = no_slice;
  for (const auto& [launch, work] : trace_.launched) {
    if (launch == last || rows.kind[work] != SliceKind::kernel || thread_of(launch) == no_thread) continue;
    if (flags_of(launch).is_graph) continue;
    last = launch;
    durations.push_back(rows.duration[launch]);
    const auto [found, fresh] = first.try_emplace(rows.name[work], launch);
    if (!fresh && rows.start[launch] < rows.start[found->second]) found->second = launch;
  }
  if (durations.empty()) return;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  for (const auto& [name, launch] : first) {
    const std::size_t thread = thread_of(launch);
    if (thread == no_thread) continue;
    const bool long_one = rows.duration[launch] >= std::max(least, 10 * *middle);
    auto& tiles = threads_[thread];
    const auto tile = std::ranges::lower_bound(tiles, rows.start[launch], {}, &PathTile::start);
    const bool has_op = tile != tiles.end() && tile != tiles.begin() && std::prev(tile)->slice != no_slice &&
                        std::prev(tile)->slice == trace::enclosing(trace_, launch, SliceKind::op);
    const std::int64_t before = has_op ? std::prev(tile)->start : rows.start[launch];
    if (!long_one && !loads_within(before, rows.end(launch))) continue;
    loading_launches_.insert(launch);
    if (rows.start[launch] - before >= least) std::prev(tile)->loading = true;
  }
}

void PathEvents::add_thread(trace::TrackId id, const CpuWaits& waits) {
  const auto& rows = trace_.slices;
  const trace::Track& track = trace_.tracks[id];
  std::vector<PathTile> tiles;
  platform::reserve_rows(tiles, 2 * std::size_t{track.last - track.first});
  std::vector<SliceId> orders, open;
  const auto tile_of = [&](std::int64_t time, SliceId slice) {
    PathTile tile{time, slice};
    if (slice == no_slice) return tile;
    const SliceKind kind = rows.kind[slice];
    tile.kind = kind == SliceKind::python ? PathKind::python : kind == SliceKind::op ? PathKind::op : PathKind::call;
    tile.wait = waits.of(slice);
    return tile;
  };
  const auto begin = [&](std::int64_t time, SliceId slice) {
    if (!tiles.empty() && tiles.back().start >= time)
      tiles.back() = tile_of(tiles.back().start, slice);
    else if (tiles.empty() || tiles.back().slice != slice)
      tiles.push_back(tile_of(time, slice));
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
  tracks_.push_back(id);
  threads_.push_back(std::move(tiles));
  orders_.push_back(std::move(orders));
}

void PathEvents::add_stream(trace::TrackId id) {
  const auto& rows = trace_.slices;
  const trace::Track& track = trace_.tracks[id];
  std::vector<PathWork> works;
  platform::reserve_rows(works, track.last - track.first);
  for (SliceId s = track.first; s < track.last; ++s) {
    if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
    const SliceId launch = trace::launch_of(trace_, s);
    works.push_back({rows.start[s], rows.end(s), s, launch, static_cast<std::uint32_t>(streams_.size()),
                     static_cast<std::uint32_t>(works.size()),
                     rows.kind[s] != SliceKind::kernel ? PathKind::copy
                     : communication_.is(s)            ? PathKind::communication
                                                       : PathKind::kernel,
                     launch == no_slice ? 0 : rows.start[launch]});
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
  // Correlations are numbered anew in each rank of a merged trace.
  const trace::Ranks ranks(trace_);
  const auto key = [](std::uint32_t rank, std::int64_t correlation) {
    return std::uint64_t{rank} << 48 ^ static_cast<std::uint64_t>(correlation);
  };
  std::unordered_map<std::uint64_t, Target> by_call;
  std::unordered_map<std::uint64_t, std::int64_t> recorded;  // the start of cudaEventRecord
  std::vector<std::pair<std::uint32_t, const trace::SyncDetail*>> syncs;
  for (SliceId s = 0; s < rows.size(); ++s)
    if (rows.kind[s] == SliceKind::sync) syncs.emplace_back(ranks.of(rows.track[s]), &trace_.syncs[rows.detail[s]]);
  for (const auto& [rank, sync] : syncs)
    if (sync->wait_on_record != trace::absent) recorded[key(rank, sync->wait_on_record)] = trace::absent;
  const auto key_of = [&](SliceId call) {
    return key(ranks.of(rows.track[call]), trace_.calls[rows.detail[call]].correlation);
  };
  for (SliceId s = 0; s < rows.size() && !recorded.empty(); ++s)
    if (trace::is_call(rows.kind[s]))
      if (const auto found = recorded.find(key_of(s)); found != recorded.end()) found->second = rows.start[s];
  for (const auto& [rank, sync] : syncs) {
    if (sync->correlation == trace::absent) continue;
    const bool event = sync->wait_on_stream != trace::absent && sync->wait_on_stream >= 0;
    const auto stream = stream_named.find({sync->device, event ? sync->wait_on_stream : sync->stream});
    if (stream == stream_named.end()) continue;
    const auto waiting = stream_named.find({sync->device, sync->stream});
    Target target{stream->second, std::numeric_limits<std::int64_t>::max(), streams_.size()};
    if (waiting != stream_named.end())
      target.waiting = waiting->second;
    else if (sync->stream != trace::absent)
      target.waiting = no_thread;  // a stream without work
    const auto record = recorded.find(key(rank, sync->wait_on_record));
    if (event && record != recorded.end() && record->second != trace::absent) target.before = record->second;
    by_call[key(rank, sync->correlation)] = target;
  }
  for (SliceId s = 0; s < rows.size() && !by_call.empty(); ++s)
    if (trace::is_call(rows.kind[s]))
      if (const auto found = by_call.find(key_of(s)); found != by_call.end()) targets_[s] = found->second;
}

PathKind PathEvents::kind_of(const PathTile& tile) const {
  const bool loads = tile.loading || (tile.kind == PathKind::call && is_loading(tile.slice));
  return loads ? PathKind::loading : tile.kind;
}

bool PathEvents::is_loading(SliceId call) const {
  return trace::is_call(trace_.slices.kind[call]) &&
         (flags_of(call).loads || (!loading_launches_.empty() && loading_launches_.contains(call)));
}

PathTile PathEvents::tile_before(std::size_t thread, std::int64_t time, std::size_t& at) const {
  const std::vector<PathTile>& tiles = threads_[thread];
  constexpr int near = 8;  // most often, it is the same tile or the one before
  std::size_t end = std::min(at, tiles.size() - 1) + 1;
  for (int looked = 0; looked < near && end > 0 && at != no_tile; ++looked, --end)
    if (tiles[end - 1].start < time) {
      at = end - 1;
      return tiles[at];
    }
  const auto after = std::lower_bound(tiles.begin(), tiles.begin() + static_cast<std::ptrdiff_t>(end), time,
                                      [](const PathTile& tile, std::int64_t t) { return tile.start < t; });
  if (after == tiles.begin()) return {};
  at = static_cast<std::size_t>(after - tiles.begin()) - 1;
  return tiles[at];
}

std::pair<std::size_t, std::int64_t> PathEvents::last_thread() const {
  std::pair<std::size_t, std::int64_t> last = {no_thread, std::numeric_limits<std::int64_t>::min()};
  for (const std::size_t i : participants_)
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

PathOrder PathEvents::order_of(const PathWork& work) const {
  PathOrder none;
  if (work.launch == no_slice) return none;
  const std::size_t thread = thread_of(work.launch);
  if (thread == no_thread || orders_[thread].empty()) return none;
  constexpr std::int64_t ever = std::numeric_limits<std::int64_t>::min();
  const PathWork* const previous = before(work);
  const bool follows = previous != nullptr && previous->launch != no_slice;
  const std::int64_t since = follows ? trace_.slices.end(previous->launch) : ever;
  // The last order for this stream since the launch of the work before on it. Orders for other streams are passed over.
  const std::vector<SliceId>& orders = orders_[thread];
  auto order = std::ranges::lower_bound(orders, start(work.launch), {}, [&](SliceId s) { return start(s); });
  auto found = targets_.end();
  for (std::size_t looked = 0;; ++looked) {
    if (order == orders.begin() || looked == most_asked) return none;
    --order;
    if (start(*order) < since) return none;
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
    const bool ended = end != works.begin() && std::prev(end)->end <= work.start;
    return {*order, ended ? &*std::prev(end) : nullptr, true};
  }
  const PathWork* latest = nullptr;  // it is not recorded which stream: the one that ended last
  const std::size_t asked = std::min(streams_.size(), most_asked);
  for (std::size_t other = 0; other < asked; ++other) {
    if (other == work.stream) continue;
    const PathWork* const one = ended(ends_[other], ever, work.start);
    if (one != nullptr && (latest == nullptr || one->end > latest->end)) latest = one;
  }
  return {*order, latest, false};
}

const PathWork* PathEvents::work_of(SliceId slice) const {
  const std::size_t stream = stream_[trace_.slices.track[slice]];
  if (stream >= streams_.size()) return nullptr;
  const std::vector<PathWork>& works = streams_[stream];
  const auto at = std::ranges::lower_bound(works, slice, {}, &PathWork::slice);
  return at != works.end() && at->slice == slice ? &*at : nullptr;
}

const PathWork* PathEvents::ended_wait(SliceId call, std::int64_t time) const {
  const auto& rows = trace_.slices;
  SliceId waits = call;  // a driver call may stand inside the call of the runtime that waits
  if (!trace::is_call(rows.kind[waits])) return nullptr;
  for (SliceId above = rows.parent[waits]; above != no_slice && trace::is_call(rows.kind[above]);
       above = rows.parent[above])
    waits = above;
  if (flags_of(waits).waits || flags_of(call).waits) {
    const auto found = targets_.find(waits);
    return ended(found == targets_.end() ? all_ends_ : ends_[found->second.stream], rows.start[waits], time);
  }
  if (!starts_copy_[waits]) return nullptr;
  // A copy that the call started and waited for.
  for (std::size_t i = trace::first_launched(trace_, waits); i < trace_.launched.size(); ++i) {
    const auto& [launch, work] = trace_.launched[i];
    if (launch != waits) break;
    if (rows.kind[work] != SliceKind::memcpy || rows.end(work) > time || rows.duration[work] <= 0) continue;
    const bool to_cpu = trace_.name(work).find("DtoH") != std::string_view::npos;
    if (!to_cpu && flags_of(waits).is_asynchronous) continue;
    if (const PathWork* const copy = work_of(work)) return copy;
  }
  return nullptr;
}

const PathWork* PathEvents::launched_before(std::size_t stream, std::int64_t time) const {
  const std::vector<PathWork>& works = streams_[stream];
  const auto end = std::ranges::partition_point(
      works, [&](const PathWork& one) { return (one.launch == no_slice ? one.start : one.launched) < time; });
  return end == works.begin() ? nullptr : &*std::prev(end);
}

std::vector<const PathWork*> PathEvents::awaited(SliceId call) const {
  std::vector<const PathWork*> works;
  if (!trace::is_call(trace_.slices.kind[call]) || !flags_of(call).waits) return works;
  const std::string_view name = trace_.name(call);
  const auto target = targets_.find(call);
  if (target != targets_.end()) {
    const std::int64_t before = std::min(start(call), target->second.before);
    if (const PathWork* const last = launched_before(target->second.stream, before)) works.push_back(last);
  } else if (name.find("Event") != std::string_view::npos) {  // which event is not recorded
    if (const PathWork* const last = ended_wait(call, trace_.slices.end(call))) works.push_back(last);
  } else {
    for (std::size_t stream = 0; stream < streams_.size(); ++stream)
      if (const PathWork* const last = launched_before(stream, start(call))) works.push_back(last);
    const auto latest = std::ranges::max_element(works, {}, [&](const PathWork* one) { return one->launched; });
    // Which stream is not recorded: most often that of the last launch.
    if (name.find("Stream") != std::string_view::npos && works.size() > 1) works = {*latest};
  }
  return works;
}

std::size_t PathEvents::most_segments() const {
  std::size_t count = 2 * (profiler_.size() + loading_.size()) + 4 * all_ends_.size() + 16;
  for (const std::vector<PathTile>& tiles : threads_) count += tiles.size();
  return count + count / 2;
}

const PathWork* PathEvents::last_work() const { return all_ends_.empty() ? nullptr : &at(all_ends_.back()); }

}  // namespace warpwalk::analysis
