#include "core/analysis/time/critical_path.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/analysis/time/path_index.h"
#include "core/base/enum_names.h"
#include "core/platform/give_way.h"
#include "core/platform/table_memory.h"

namespace warpwalk::analysis {
namespace {

constexpr std::int64_t long_ago = std::numeric_limits<std::int64_t>::min();

// What a walk is for.
struct Wanted {
  bool cpu_alone = false;  // PathFinder::on_cpu_until
  bool segments = true;    // else the times alone
};

// Goes back from an end and collects the segments, the last one first.
class Walker {
 public:
  // Goes from `to` back to `from` into `path`, whose memory is used again.
  Walker(const PathEvents& events, std::int64_t from, std::int64_t to, CriticalPath& path, Wanted wanted = {})
      : events_(events), from_(from), cpu_alone_(wanted.cpu_alone), keeps_(wanted.segments), at_(to), path_(path) {
    path_.from = from;
    path_.to = to;
    path_.segments.clear();
    path_.time = {};
  }

  // The thread at the end; no_thread: any.
  void from_thread(std::size_t thread) {
    begin();
    thread_ = thread;
    run();
  }
  // Nothing of what takes part is recorded from the end of the work to the end of the path.
  void from_work(const PathWork& work) {
    begin();
    add(work.end, PathKind::unrecorded, no_slice);
    work_ = &work;
    run();
  }

 private:
  void begin() {
    for (Parts& parts : parts_)
      parts.left =
          static_cast<std::size_t>(std::ranges::lower_bound(parts.list, at_, {}, &Interval::from) - parts.list.begin());
  }
  void run() {
    while (at_ > from_) {
      platform::give_way();
      if (work_ != nullptr)
        through_work();
      else
        through_thread();
    }
  }

  // What a thread did just before this time. Time only goes back, so the search begins at the last tile found.
  PathTile tile_of(std::size_t thread) {
    if (thread == PathEvents::no_thread) return {};
    auto found = std::ranges::find(found_, thread, &std::pair<std::size_t, std::size_t>::first);
    if (found == found_.end()) found = found_.insert(found, {thread, PathEvents::no_tile});
    return events_.tile_before(thread, at_, found->second);
  }

  void add(std::int64_t from, PathKind kind, SliceId slice) {
    from = std::max(from, from_);
    const bool of_thread = is_of_cpu(kind) || kind == PathKind::wait_end;
    if (from < at_)
      put({from, at_, slice, kind, of_thread ? events_.track_of(thread_) : PathSegment::no_track},
          is_of_gpu(kind) ? 2 : 0);
    at_ = std::min(at_, from);
  }

  // Cuts the segment at the times that are of another kind, from these lists on.
  void put(PathSegment rest, std::size_t list) {
    if (list == parts_.size()) {
      path_.time[static_cast<std::size_t>(rest.kind)] += rest.length();
      if (keeps_) path_.segments.push_front(rest);
      return;
    }
    Parts& parts = parts_[list];
    while (parts.left > 0 && parts.list[parts.left - 1].from >= rest.to) --parts.left;
    for (std::size_t i = parts.left; i > 0 && parts.list[i - 1].to > rest.from; --i) {
      const std::int64_t from = std::max(rest.from, parts.list[i - 1].from);
      const std::int64_t to = std::min(rest.to, parts.list[i - 1].to);
      if (to < rest.to) put({to, rest.to, rest.slice, rest.kind, rest.thread}, list + 1);
      put({from, to, parts.kind == PathKind::profiler ? no_slice : rest.slice, parts.kind, rest.thread}, list + 1);
      rest.to = from;
    }
    if (rest.from < rest.to) put(rest, list + 1);
  }

  void through_work() {
    const PathWork& work = *work_;
    add(work.start, work.kind, work.slice);
    const PathWork* before = events_.before(work);
    const std::int64_t ended = before == nullptr ? long_ago : std::min(before->end, at_);
    const PathOrder order = events_.order_of(work);
    if (order.work != nullptr && order.work->end > ended) before = order.work;
    const std::int64_t ready = before == nullptr ? long_ago : std::min(before->end, at_);
    const std::int64_t launched = work.launch == no_slice ? long_ago : std::min(work.launched, at_);
    if (launched > ready) {
      add(launched, PathKind::launch, work.slice);
      thread_ = events_.thread_of(work.launch);
      work_ = nullptr;
    } else if (before != nullptr) {
      add(ready, PathKind::queue, work.slice);
      work_ = before;
    } else {  // neither a launch nor work before is recorded
      thread_ = PathEvents::no_thread;
      work_ = nullptr;
    }
  }

  void through_thread() {
    const PathTile tile = tile_of(thread_);
    if (tile.slice == no_slice) {
      through_pause(tile.start);
      return;
    }
    const bool can_wait = tile.kind == PathKind::call && !cpu_alone_;
    if (const PathWork* const work = can_wait ? events_.ended_wait(tile.slice, at_) : nullptr) {
      add(work->end, PathKind::wait_end, tile.slice);
      work_ = work;
      return;
    }
    if (tile.wait == CpuWait::none)
      add(tile.start, events_.kind_of(tile), tile.slice);
    else
      through_wait(tile);
  }

  // The thread waited. If another one worked just before this time, that is what it waited for; if another one worked
  // earlier in the wait, the time since then is the thread's own.
  void through_wait(const PathTile& tile) {
    const CpuWait wait = tile.wait;
    const PathKind kind = wait == CpuWait::autograd ? PathKind::python : PathKind::blocked;
    std::int64_t since = tile.start;
    if (wait == CpuWait::lock || wait == CpuWait::autograd) {
      std::size_t worker = PathEvents::no_thread;
      std::int64_t began = long_ago;
      for (const std::size_t other : events_.participants()) {
        if (other == thread_) continue;
        const PathTile theirs = tile_of(other);
        if (theirs.slice == no_slice || theirs.wait != CpuWait::none) {
          if (theirs.start < at_) since = std::max(since, theirs.start);
        } else if (theirs.start > began) {
          worker = other;
          began = theirs.start;
        }
      }
      if (worker != PathEvents::no_thread) {
        thread_ = worker;
        return;
      }
    }
    add(since, kind, tile.slice);
  }

  // Nothing of the thread is recorded just before this time.
  void through_pause(std::int64_t since) {
    std::size_t latest = thread_;
    std::int64_t ended = thread_ == PathEvents::no_thread ? long_ago : since;
    // A thread that works comes before one that waits, one that gives the GPU work before others.
    std::size_t active = PathEvents::no_thread;
    std::tuple<bool, bool, std::int64_t> best;
    for (const std::size_t other : events_.participants()) {
      if (other == thread_) continue;
      const PathTile tile = tile_of(other);
      if (tile.slice == no_slice) {
        if (tile.start > ended) {
          latest = other;
          ended = tile.start;
        }
        continue;
      }
      const std::tuple rank{tile.wait == CpuWait::none, events_.asks_gpu(other), tile.start};
      if (active == PathEvents::no_thread || rank > best) {
        active = other;
        best = rank;
      }
    }
    if (active != PathEvents::no_thread) {
      thread_ = active;
      return;
    }
    thread_ = latest;
    add(ended, PathKind::unrecorded, no_slice);
  }

  const PathEvents& events_;
  std::int64_t from_;
  bool cpu_alone_, keeps_;
  std::int64_t at_;
  std::size_t thread_ = PathEvents::no_thread;
  std::vector<std::pair<std::size_t, std::size_t>> found_;  // threads, few of them, and their last tiles
  const PathWork* work_ = nullptr;
  // Times on the CPU or between CPU and GPU that are of another kind than what they interrupt.
  struct Parts {
    const std::vector<Interval>& list;
    PathKind kind;
    std::size_t left = 0;  // those that begin before the last segment ends
  };
  std::array<Parts, 2> parts_{{{events_.loading(), PathKind::loading}, {events_.profiler(), PathKind::profiler}}};
  CriticalPath& path_;
};

}  // namespace

std::string_view name_of(PathKind kind) { return base::enum_name(kind); }

void PathSegments::reserve(std::size_t most) { platform::reserve_rows(rows_, most); }

void PathSegments::clear() {
  rows_.clear();
  starts_.clear();
  unusual_.clear();
}

PathSegments::Iterator PathSegments::at(std::size_t i) const {
  if (i >= rows_.size()) return end();
  const std::size_t row = rows_.size() - 1 - i;
  std::int64_t from = starts_[row / spacing];
  for (std::size_t later = row / spacing * spacing + 1; later <= row; ++later) from -= length(later);
  return {*this, row + 1, from};
}

const PathSegments::Unusual& PathSegments::unusual_at(std::size_t row) const {
  return *std::ranges::lower_bound(unusual_, row, {}, &Unusual::row);
}

std::uint32_t PathSegments::add_thread(trace::TrackId thread) {
  const auto found = std::ranges::find(threads_, thread);
  if (found == threads_.end() && threads_.size() == most_threads) return most_threads;
  last_ = static_cast<std::uint32_t>(found - threads_.begin());
  if (found == threads_.end()) threads_.push_back(thread);
  return last_;
}

std::int64_t CriticalPath::cpu() const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < path_kinds; ++k)
    if (is_of_cpu(static_cast<PathKind>(k))) sum += time[k];
  return sum;
}

PathFinder::PathFinder(const Trace& trace, const std::vector<bool>& tracks)
    : trace_(trace), events_(std::make_unique<const PathEvents>(trace, tracks)) {}
PathFinder::~PathFinder() = default;

CriticalPath PathFinder::whole() const {
  const PathWork* const last = events_->last_work();
  const auto [thread, end] = events_->last_thread();
  CriticalPath path;
  path.segments.reserve(events_->most_segments());
  Walker walker(*events_, trace_.begin_ns, trace_.end_ns, path);
  if (last != nullptr && last->end > end)
    walker.from_work(*last);
  else
    walker.from_thread(thread);
  return path;
}

void PathFinder::until(trace::TrackId track, std::int64_t from, std::int64_t to, CriticalPath& path) const {
  Walker(*events_, from, to, path).from_thread(events_->thread_of_track(track));
}

CriticalPath PathFinder::until(trace::TrackId track, std::int64_t from, std::int64_t to) const {
  CriticalPath path;
  until(track, from, to, path);
  return path;
}

std::array<std::int64_t, path_kinds> PathFinder::times_until(trace::TrackId track, std::int64_t from,
                                                             std::int64_t to) const {
  CriticalPath path;
  Walker(*events_, from, to, path, {.segments = false}).from_thread(events_->thread_of_track(track));
  return path.time;
}

CriticalPath PathFinder::leading_to(SliceId work, std::int64_t from) const {
  CriticalPath path;
  Walker walker(*events_, from, trace_.slices.start[work], path);
  if (const PathWork* const found = events_->work_of(work)) walker.from_work(*found);
  return path;
}

CriticalPath PathFinder::on_cpu_until(trace::TrackId track, std::int64_t from, std::int64_t to) const {
  CriticalPath path;
  Walker(*events_, from, to, path, {.cpu_alone = true}).from_thread(events_->thread_of_track(track));
  return path;
}

}  // namespace warpwalk::analysis
