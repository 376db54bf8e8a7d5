#include "core/analysis/time/path_rows.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

// Segments first .. last-1 of the path.
struct Run {
  std::int64_t from = 0, to = 0;
  std::size_t first = 0, last = 0;

  std::int64_t length() const { return to - from; }
};

// Stretches of one side are one run: the CPU, the GPU, and what is between them.
int side_of(PathKind kind) {
  if (is_of_cpu(kind)) return 0;
  if (kind == PathKind::launch) return 2;
  return kind == PathKind::wait_end ? 3 : 1;
}

// Neighbours with the same key are one run. `use` gets each run when it is complete.
template <class Key, class Use>
void for_each_run(const CriticalPath& path, Key key_of, Use use) {
  decltype(key_of(path.segments.front())) before{};
  Run run;
  std::size_t i = 0;
  for (const PathSegment& segment : path.segments) {
    const auto key = key_of(segment);
    if (i > 0 && key != before) {
      use(std::as_const(run));
      run = {segment.from, segment.to, i, i};
    }
    if (i == 0) run.from = segment.from;
    before = key;
    run.to = segment.to;
    run.last = ++i;
  }
  if (run.last > 0) use(std::as_const(run));
}

bool is_short(const Trace& trace, const CriticalPath& path, SliceId op) {
  return trace.slices.duration[op] * 20 <= path.span();
}

// The op to which a stretch belongs: the outermost one around it that is short beside the path, else the innermost one,
// so that an op around everything does not make one stretch of the whole path.
SliceId owner_of(const Trace& trace, const CriticalPath& path, SliceId slice) {
  const auto& rows = trace.slices;
  if (slice != no_slice && trace::is_gpu_work(rows.kind[slice])) slice = trace::launch_of(trace, slice);
  SliceId owner = no_slice;
  for (; slice != no_slice; slice = rows.parent[slice])
    if (rows.kind[slice] == trace::SliceKind::op && (owner == no_slice || is_short(trace, path, slice))) owner = slice;
  return owner;
}

// Runs beside each other, of which the shortest are joined to a neighbour. A path of a million segments has hundreds of
// thousands of runs, so that a run has no more than what joining asks for.
class Joining {
 public:
  void add(const Run& run) {
    if (runs_.empty()) from_ = run.from;
    ends_ = run.last;
    const auto number = static_cast<std::uint32_t>(runs_.size());
    runs_.push_back({run.length(), run.first, number == 0 ? 0 : number - 1, number + 1, 0});
  }

  // At most `limit` of them, at least one; by time.
  std::vector<Run> take(std::size_t limit) {
    if (runs_.empty()) return {};
    runs_.back().after = static_cast<std::uint32_t>(runs_.size()) - 1;
    join(limit);
    std::vector<Run> left;
    std::int64_t from = from_;
    for (const Joined& one : runs_) {
      if (one.version == gone) continue;
      if (!left.empty()) left.back().last = one.first;
      left.push_back({from, from + one.length, one.first, ends_});
      from += one.length;
    }
    return left;
  }

 private:
  struct Joined {
    std::int64_t length;
    std::size_t first;            // of its segments
    std::uint32_t before, after;  // neighbours; its own number at the ends
    std::uint32_t version;        // changes when it grows
  };
  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();  // it is part of a neighbour
  struct Entry {
    std::int64_t length;
    std::uint32_t run, version;
    bool operator>(const Entry& other) const {
      return length != other.length ? length > other.length : run > other.run;
    }
  };

  void join(std::size_t limit) {
    std::vector<Entry> entries;
    entries.reserve(runs_.size() + runs_.size() / 8);
    for (std::uint32_t i = 0; i < runs_.size(); ++i) entries.push_back({runs_[i].length, i, 0});
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> shortest({}, std::move(entries));
    for (std::size_t left = runs_.size(); left > std::max<std::size_t>(1, limit);) {
      const Entry entry = shortest.top();
      shortest.pop();
      Joined& run = runs_[entry.run];
      if (run.version != entry.version) continue;
      const bool first = run.before == entry.run, last = run.after == entry.run;
      const bool back = last || (!first && runs_[run.before].length <= runs_[run.after].length);
      const std::uint32_t into = back ? run.before : run.after;
      Joined& other = runs_[into];
      other.length += run.length;
      if (back) {
        other.after = last ? into : run.after;
        if (!last) runs_[run.after].before = into;
      } else {
        other.first = run.first;
        other.before = first ? into : run.before;
        if (!first) runs_[run.before].after = into;
      }
      run.version = gone;
      shortest.push({other.length, into, ++other.version});
      --left;
    }
  }

  std::vector<Joined> runs_;
  std::int64_t from_ = 0;
  std::size_t ends_ = 0;  // after the last segment
};

// The name of a segment: stretches without a slice share one.
std::uint64_t key_of(const Trace& trace, const PathSegment& segment) {
  const std::uint64_t name = segment.slice == no_slice ? 0 : std::uint64_t{trace.slices.name[segment.slice]} + 1;
  return (name << 8) | static_cast<std::uint64_t>(segment.kind);
}

struct Named {
  std::int64_t time = 0, longest = 0;
  std::size_t pieces = 0;
  SliceId slice = no_slice;
  PathKind kind = PathKind::unrecorded;
};

void add_to(Named& named, const PathSegment& segment) {
  named.time += segment.length();
  ++named.pieces;
  named.kind = segment.kind;
  if (segment.length() > named.longest) {
    named.longest = segment.length();
    named.slice = segment.slice;
  }
}

PathRow row_of(const Trace& trace, const CriticalPath& path, const Run& run) {
  PathRow row;
  row.from = run.from;
  row.to = run.to;
  row.pieces = run.last - run.first;
  const auto first = path.segments.at(run.first);
  auto at = first;
  for (std::size_t i = run.first; i < run.last; ++i, ++at)
    row.time[static_cast<std::size_t>((*at).kind)] += (*at).length();
  row.kind = static_cast<PathKind>(std::ranges::max_element(row.time) - row.time.begin());
  std::unordered_map<std::uint64_t, Named> names;
  auto after = first;  // behind the last segment of that kind
  at = first;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const PathSegment segment = *at++;
    if (segment.kind != row.kind) continue;
    add_to(names[key_of(trace, segment)], segment);
    after = at;
  }
  for (const auto& [key, named] : names)
    if (named.time > row.name_time || (named.time == row.name_time && named.slice < row.slice)) {
      row.name_time = named.time;
      row.slice = named.slice;
    }
  for (; after != path.segments.end() && row.next == no_slice; ++after) row.next = (*after).slice;
  return row;
}

}  // namespace

std::vector<PathRow> path_rows(const Trace& trace, const CriticalPath& path, std::size_t limit) {
  Joining runs;
  for_each_run(
      path, [](const PathSegment& segment) { return side_of(segment.kind); }, [&](const Run& run) { runs.add(run); });
  std::vector<PathRow> rows;
  for (const Run& run : runs.take(limit)) rows.push_back(row_of(trace, path, run));
  return rows;
}

std::vector<PathRow> longest_path_rows(const Trace& trace, const CriticalPath& path, std::size_t limit) {
  // Waits and loading stand alone; the profiler's time belongs to the stretch that it interrupts.
  std::pair<int, SliceId> before{-1, no_slice};
  SliceId owner = no_slice;
  // Of the owner, because a million segments are compared with it; no track: its segments have to be looked up.
  trace::TrackId track = PathSegment::no_track;
  std::int64_t ends = 0;
  const auto owner_near = [&](SliceId slice) {
    const auto& rows = trace.slices;
    const bool inside = track != PathSegment::no_track && slice != no_slice && slice >= owner &&
                        rows.track[slice] == track && rows.start[slice] < ends && rows.end(slice) <= ends;
    if (inside) return owner;
    owner = owner_of(trace, path, slice);
    const bool is_whole = owner != no_slice && is_short(trace, path, owner);
    track = is_whole ? rows.track[owner] : PathSegment::no_track;
    ends = is_whole ? rows.end(owner) : 0;
    return owner;
  };
  const auto key = [&](const PathSegment& segment) {
    const PathKind kind = segment.kind;
    if (kind == PathKind::profiler && before.first >= 0) return before;
    const bool alone = kind == PathKind::blocked || kind == PathKind::loading || kind == PathKind::communication;
    const int side = alone ? 4 + static_cast<int>(kind) : side_of(kind);
    return before = {side, owner_near(segment.slice)};
  };
  const auto longer = [](const Run& a, const Run& b) {
    return a.length() != b.length() ? a.length() > b.length() : a.from < b.from;
  };
  // The longest so far, the shortest of them first.
  std::vector<Run> runs;
  for_each_run(path, key, [&](const Run& run) {
    if (runs.size() == limit && (limit == 0 || !longer(run, runs.front()))) return;
    runs.push_back(run);
    std::ranges::push_heap(runs, longer);
    if (runs.size() <= limit) return;
    std::ranges::pop_heap(runs, longer);
    runs.pop_back();
  });
  std::ranges::sort(runs, {}, &Run::from);
  std::vector<PathRow> rows;
  for (const Run& run : runs) rows.push_back(row_of(trace, path, run));
  return rows;
}

std::vector<PathRow> path_names(const Trace& trace, const CriticalPath& path, std::size_t limit) {
  std::unordered_map<std::uint64_t, Named> names;
  for (const PathSegment& segment : path.segments) add_to(names[key_of(trace, segment)], segment);
  std::vector<PathRow> rows;
  for (const auto& [key, named] : names) {
    PathRow& row = rows.emplace_back();
    row.kind = named.kind;
    row.slice = named.slice;
    row.name_time = named.time;
    row.pieces = named.pieces;
    row.time[static_cast<std::size_t>(named.kind)] = named.time;
  }
  std::ranges::sort(rows, [](const PathRow& a, const PathRow& b) {
    return a.name_time != b.name_time ? a.name_time > b.name_time
           : a.slice != b.slice       ? a.slice < b.slice
                                      : a.kind < b.kind;
  });
  if (rows.size() > limit) rows.resize(limit);
  return rows;
}

}  // namespace warpwalk::analysis
