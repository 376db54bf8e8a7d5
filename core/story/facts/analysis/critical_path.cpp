#include "core/story/facts/analysis/critical_path.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/story/facts/analysis/path_index.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t long_ago = std::numeric_limits<std::int64_t>::min();

// Goes back from an end and collects the segments, the last one first.
class Walker {
 public:
  Walker(const PathEvents& events, std::int64_t from) : events_(events), from_(from) {}

  // The thread at a time; no_thread: any.
  void from_thread(std::size_t thread, std::int64_t time) {
    at_ = time;
    thread_ = thread;
    work_ = nullptr;
    run();
  }
  void from_work(const PathWork& work) {
    at_ = work.end;
    work_ = &work;
    run();
  }
  std::vector<PathSegment> take() {
    std::ranges::reverse(back_);
    return std::move(back_);
  }

 private:
  void run() {
    while (at_ > from_) {
      if (work_ != nullptr)
        through_work();
      else
        through_thread();
    }
  }

  void add(std::int64_t from, PathKind kind, SliceId slice) {
    from = std::max(from, from_);
    if (from < at_) back_.push_back({from, at_, slice, kind});
    at_ = std::min(at_, from);
  }

  void through_work() {
    const PathWork& work = *work_;
    add(work.start, work.is_kernel ? PathKind::kernel : PathKind::copy, work.slice);
    const PathWork* before = events_.before(work);
    const std::int64_t ended = before == nullptr ? long_ago : std::min(before->end, at_);
    if (const PathWork* const other = events_.waited_for(work); other != nullptr && other->end > ended) before = other;
    const std::int64_t ready = before == nullptr ? long_ago : std::min(before->end, at_);
    const std::int64_t launched = work.launch == no_slice ? long_ago : std::min(events_.start(work.launch), at_);
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
    const PathTile tile = events_.tile_before(thread_, at_);
    if (tile.slice == no_slice) {
      through_pause(tile.start);
      return;
    }
    if (const PathWork* const work = events_.ended_wait(tile.slice, at_)) {
      add(work->end, PathKind::wait_end, tile.slice);
      work_ = work;
      return;
    }
    add(tile.start, events_.kind_of(tile.slice), tile.slice);
  }

  // Nothing of the thread is recorded just before this time.
  void through_pause(std::int64_t since) {
    std::size_t latest = thread_;
    std::int64_t ended = thread_ == PathEvents::no_thread ? long_ago : since;
    std::size_t active = PathEvents::no_thread;
    std::int64_t began = long_ago;
    for (const std::size_t other : events_.busiest_threads()) {
      if (other == thread_) continue;
      const PathTile tile = events_.tile_before(other, at_);
      if (tile.slice != no_slice && tile.start > began) {
        active = other;
        began = tile.start;
      } else if (tile.slice == no_slice && tile.start > ended) {
        latest = other;
        ended = tile.start;
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
  std::int64_t at_ = 0;
  std::size_t thread_ = PathEvents::no_thread;
  const PathWork* work_ = nullptr;
  std::vector<PathSegment> back_;
};

// The parts of the CPU's segments, and of latencies, in which the profiler was at work.
std::vector<PathSegment> with_profiler(const std::vector<PathSegment>& segments,
                                       const std::vector<Interval>& profiler) {
  if (profiler.empty()) return segments;
  std::vector<PathSegment> all;
  for (const PathSegment& segment : segments) {
    PathSegment rest = segment;
    if (!is_of_gpu(segment.kind))
      for (auto at = std::ranges::upper_bound(profiler, segment.from, {}, &Interval::to);
           at != profiler.end() && at->from < segment.to; ++at) {
        const std::int64_t from = std::max(rest.from, at->from), to = std::min(rest.to, at->to);
        if (from > rest.from) all.push_back({rest.from, from, rest.slice, rest.kind});
        all.push_back({from, to, no_slice, PathKind::profiler});
        rest.from = to;
      }
    if (rest.from < rest.to) all.push_back(rest);
  }
  return all;
}

}  // namespace

std::string_view name_of(PathKind kind) {
  switch (kind) {
    case PathKind::python: return "python";
    case PathKind::op: return "op";
    case PathKind::call: return "call";
    case PathKind::unrecorded: return "unrecorded";
    case PathKind::profiler: return "profiler";
    case PathKind::launch: return "launch";
    case PathKind::kernel: return "kernel";
    case PathKind::copy: return "copy";
    case PathKind::queue: return "queue";
    case PathKind::wait_end: return "wait_end";
  }
  return "";
}

std::int64_t CriticalPath::cpu() const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < path_kinds; ++k)
    if (is_of_cpu(static_cast<PathKind>(k))) sum += time[k];
  return sum;
}

class PathFinder::Index {
 public:
  explicit Index(const Trace& trace) : trace_(trace), events_(trace) {}

  CriticalPath whole() const {
    const PathWork* const last = events_.last_work();
    const auto [thread, end] = events_.last_thread();
    Walker walker(events_, trace_.begin_ns);
    const bool on_gpu = last != nullptr && last->end > end;
    if (on_gpu && last->end >= trace_.end_ns)
      walker.from_work(*last);
    else
      walker.from_thread(thread, trace_.end_ns);
    return finished(walker, trace_.begin_ns, trace_.end_ns);
  }

  CriticalPath until(trace::TrackId track, std::int64_t from, std::int64_t to) const {
    Walker walker(events_, from);
    walker.from_thread(events_.thread_of_track(track), to);
    return finished(walker, from, to);
  }

 private:
  CriticalPath finished(Walker& walker, std::int64_t from, std::int64_t to) const {
    CriticalPath path{from, to, with_profiler(walker.take(), events_.profiler()), {}};
    for (const PathSegment& segment : path.segments)
      path.time[static_cast<std::size_t>(segment.kind)] += segment.length();
    return path;
  }

  const Trace& trace_;
  PathEvents events_;
};

PathFinder::PathFinder(const Trace& trace) : index_(std::make_unique<const Index>(trace)) {}
PathFinder::~PathFinder() = default;
CriticalPath PathFinder::whole() const { return index_->whole(); }
CriticalPath PathFinder::until(trace::TrackId thread, std::int64_t from, std::int64_t to) const {
  return index_->until(thread, from, to);
}

}  // namespace warpwalk::story
