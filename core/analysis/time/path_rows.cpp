#include "core/analysis/time/path_rows.h"

#include <algorithm>
#include <functional>
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
  std::size_t before = 0, after = 0;  // neighbours; its own number at the ends
  std::size_t version = 0;            // changes when it grows
  bool joined = false;                // it is part of a neighbour

  std::int64_t length() const { return to - from; }
};

// Stretches of one side are one run: the CPU, the GPU, and what is between them.
int side_of(PathKind kind) {
  if (is_of_cpu(kind)) return 0;
  if (kind == PathKind::launch) return 2;
  return kind == PathKind::wait_end ? 3 : 1;
}

// Neighbours with the same key are one run.
template <class Key>
std::vector<Run> runs_of(const CriticalPath& path, Key key_of) {
  std::vector<Run> runs;
  decltype(key_of(path.segments.front())) before{};
  for (std::size_t i = 0; i < path.segments.size(); ++i) {
    const PathSegment& segment = path.segments[i];
    const auto key = key_of(segment);
    if (runs.empty() || key != before) runs.push_back({segment.from, segment.to, i, i});
    before = key;
    runs.back().to = segment.to;
    runs.back().last = i + 1;
  }
  return runs;
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

void join_shortest(std::vector<Run>& runs, std::size_t limit) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].before = i == 0 ? i : i - 1;
    runs[i].after = i + 1 == runs.size() ? i : i + 1;
  }
  struct Entry {
    std::int64_t length;
    std::size_t run, version;
    bool operator>(const Entry& other) const {
      return length != other.length ? length > other.length : run > other.run;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> shortest;
  for (std::size_t i = 0; i < runs.size(); ++i) shortest.push({runs[i].length(), i, 0});
  for (std::size_t left = runs.size(); left > std::max<std::size_t>(1, limit);) {
    const Entry entry = shortest.top();
    shortest.pop();
    Run& run = runs[entry.run];
    if (run.joined || run.version != entry.version) continue;
    const bool first = run.before == entry.run, last = run.after == entry.run;
    const bool back = last || (!first && runs[run.before].length() <= runs[run.after].length());
    const std::size_t into = back ? run.before : run.after;
    Run& other = runs[into];
    if (back) {
      other.to = run.to;
      other.last = run.last;
      other.after = last ? into : run.after;
      if (!last) runs[run.after].before = into;
    } else {
      other.from = run.from;
      other.first = run.first;
      other.before = first ? into : run.before;
      if (!first) runs[run.before].after = into;
    }
    run.joined = true;
    shortest.push({other.length(), into, ++other.version});
    --left;
  }
  std::erase_if(runs, [](const Run& run) { return run.joined; });
}

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
  for (std::size_t i = run.first; i < run.last; ++i)
    row.time[static_cast<std::size_t>(path.segments[i].kind)] += path.segments[i].length();
  row.kind = static_cast<PathKind>(std::ranges::max_element(row.time) - row.time.begin());
  std::unordered_map<std::uint64_t, Named> names;
  std::size_t last = run.first;
  for (std::size_t i = run.first; i < run.last; ++i) {
    if (path.segments[i].kind != row.kind) continue;
    add_to(names[key_of(trace, path.segments[i])], path.segments[i]);
    last = i;
  }
  for (const auto& [key, named] : names)
    if (named.time > row.name_time || (named.time == row.name_time && named.slice < row.slice)) {
      row.name_time = named.time;
      row.slice = named.slice;
    }
  for (std::size_t i = last + 1; i < path.segments.size() && row.next == no_slice; ++i)
    row.next = path.segments[i].slice;
  return row;
}

}  // namespace

std::vector<PathRow> path_rows(const Trace& trace, const CriticalPath& path, std::size_t limit) {
  std::vector<Run> runs = runs_of(path, [](const PathSegment& segment) { return side_of(segment.kind); });
  join_shortest(runs, limit);
  std::vector<PathRow> rows;
  for (const Run& run : runs) rows.push_back(row_of(trace, path, run));
  return rows;
}

std::vector<PathRow> longest_path_rows(const Trace& trace, const CriticalPath& path, std::size_t limit) {
  // Waits and loading stand alone; the profiler's time belongs to the stretch that it interrupts.
  std::pair<int, SliceId> before{-1, no_slice};
  SliceId owner = no_slice;
  const auto owner_near = [&](SliceId slice) {
    const auto& rows = trace.slices;
    const bool inside = owner != no_slice && slice != no_slice && slice >= owner &&
                        rows.track[slice] == rows.track[owner] && rows.end(slice) <= rows.end(owner) &&
                        rows.start[slice] < rows.end(owner);
    if (!inside || !is_short(trace, path, owner)) owner = owner_of(trace, path, slice);
    return owner;
  };
  std::vector<Run> runs = runs_of(path, [&](const PathSegment& segment) {
    const PathKind kind = segment.kind;
    if (kind == PathKind::profiler && before.first >= 0) return before;
    const bool alone = kind == PathKind::blocked || kind == PathKind::loading || kind == PathKind::communication;
    const int side = alone ? 4 + static_cast<int>(kind) : side_of(kind);
    return before = {side, owner_near(segment.slice)};
  });
  const auto longer = [](const Run& a, const Run& b) {
    return a.length() != b.length() ? a.length() > b.length() : a.from < b.from;
  };
  if (runs.size() > limit) {
    std::ranges::nth_element(runs, runs.begin() + static_cast<std::ptrdiff_t>(limit), longer);
    runs.resize(limit);
  }
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
