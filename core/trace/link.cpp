#include "core/trace/link.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core/platform/give_way.h"
#include "core/trace/device_numbers.h"
#include "core/trace/driver_memory.h"
#include "core/trace/json/json_text.h"
#include "core/trace/python_threads.h"
#include "core/trace/ranks.h"
#include "core/trace/sort_runs.h"
#include "core/trace/stream_overlap.h"
#include "core/trace/tracks.h"

namespace warpwalk::trace {
namespace {

std::int64_t correlation_of(const Trace& trace, SliceId s) {
  const std::uint32_t detail = trace.slices.detail[s];
  switch (trace.slices.kind[s]) {
    case SliceKind::kernel: return trace.kernels[detail].correlation;
    case SliceKind::memcpy:
    case SliceKind::memset: return trace.transfers[detail].correlation;
    case SliceKind::runtime:
    case SliceKind::driver: return trace.calls[detail].correlation;
    default: return absent;
  }
}

SliceId& launch_field(Trace& trace, SliceId s) {
  const std::uint32_t detail = trace.slices.detail[s];
  return trace.slices.kind[s] == SliceKind::kernel ? trace.kernels[detail].launch : trace.transfers[detail].launch;
}

// Nesting order of slices with equal start and duration; lower encloses higher: Python calls ops, ops call the runtime.
int nesting_rank(SliceKind kind) {
  switch (kind) {
    case SliceKind::annotation: return 0;
    case SliceKind::python: return 1;
    case SliceKind::op: return 2;
    case SliceKind::runtime: return 3;
    default: return 4;
  }
}

std::vector<SliceId> order_of_slices(const Trace& trace) {
  const Slices& rows = trace.slices;
  const std::size_t n = rows.size();
  // Counting sort by track first, then a comparison sort within each track.
  std::vector<std::size_t> first(trace.tracks.size() + 1);
  for (std::size_t s = 0; s < n; ++s) ++first[rows.track[s] + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<SliceId> order(n);
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (SliceId s = 0; s < n; ++s) order[next[rows.track[s]]++] = s;

  const auto encloses = [&](SliceId a, SliceId b) {
    if (rows.start[a] != rows.start[b]) return rows.start[a] < rows.start[b];
    if (rows.duration[a] != rows.duration[b]) return rows.duration[a] > rows.duration[b];
    const int rank_a = nesting_rank(rows.kind[a]), rank_b = nesting_rank(rows.kind[b]);
    return rank_a != rank_b ? rank_a < rank_b : a < b;
  };
  for (std::size_t track = 0; track + 1 < first.size(); ++track)
    sort_runs(std::span(order).subspan(first[track], first[track + 1] - first[track]), encloses);
  return order;
}

void sort_slices(Trace& trace) {
  Slices& rows = trace.slices;
  const std::size_t n = rows.size();
  const std::vector<SliceId> order = order_of_slices(trace);
  if (!std::ranges::is_sorted(order)) {
    rows.start.permute(order);
    rows.duration.permute(order);
    rows.name.permute(order);
    rows.extra.permute(order);
    rows.track.permute(order);
    rows.detail.permute(order);
    rows.kind.permute(order);
  }

  rows.parent.clear();
  rows.parent.resize(n, no_slice);

  for (Track& track : trace.tracks) track.first = track.last = 0;
  for (SliceId s = 0; s < n; ++s) {
    Track& track = trace.tracks[rows.track[s]];
    if (track.last == 0) track.first = s;
    track.last = s + 1;
  }
}

// Sorts details in slice order, so that traces with equal content have equal tables.
template <class Row, class IsOurs>
void sort_details(Slices& rows, Column<Row>& table, IsOurs is_ours) {
  if (table.empty()) return;
  std::vector<std::uint32_t> order;
  order.reserve(table.size());
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (!is_ours(rows.kind[s])) continue;
    std::uint32_t& detail = rows.detail[s];
    order.push_back(detail);
    detail = static_cast<std::uint32_t>(order.size() - 1);
  }
  table.resize(order.size());
  table.permute_in_place(order);
}

void sort_all_details(Trace& trace) {
  Slices& rows = trace.slices;
  sort_details(rows, trace.ops, [](SliceKind k) { return k == SliceKind::op || k == SliceKind::annotation; });
  sort_details(rows, trace.python, [](SliceKind k) { return k == SliceKind::python; });
  sort_details(rows, trace.calls, is_call);
  sort_details(rows, trace.kernels, [](SliceKind k) { return k == SliceKind::kernel; });
  sort_details(rows, trace.transfers, [](SliceKind k) { return k == SliceKind::memcpy || k == SliceKind::memset; });
  sort_details(rows, trace.syncs, [](SliceKind k) { return k == SliceKind::sync; });
}

template <class Row>
void sort_by_time(Column<Row>& table) {
  bool sorted = true;
  for (std::size_t i = 1; i < table.size() && sorted; ++i) sorted = table[i - 1].time <= table[i].time;
  if (sorted) return;
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return table[a].time < table[b].time; });
  table.permute(order);
}

void sort_flows(Trace& trace) {
  std::vector<std::uint32_t> order(trace.flows.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    const Flow& flow = trace.flows[i];
    return std::tuple(flow.from_time, flow.to_time, flow.from_track, flow.to_track, trace.text(flow.category),
                      trace.text(flow.name));
  };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  trace.flows.permute(order);
}

// A slice's name for messages. Byte offsets are not stored: that would cost eight bytes per slice, for rare faulty
// files.
std::string slice_label(const Trace& trace, SliceId s) {
  return fmt::format("{} (at {:.3f} us)", excerpt(trace.name(s)), static_cast<double>(trace.slices.start[s]) / 1e3);
}

// Calls visit(slice, end of its caller) for each Python frame; without a caller, the end is the largest time. A frame
// is taken to end with its caller at the latest, so that what is visited does not depend on the ends of open frames.
template <class Visit>
void for_each_frame(const Trace& trace, Visit visit) {
  const Slices& rows = trace.slices;
  std::vector<std::int64_t> open;  // ends
  for (const Track& track : trace.tracks) {
    open.clear();
    for (SliceId s = track.first; s < track.last && !track.gpu; ++s) {
      if (rows.kind[s] != SliceKind::python) continue;
      while (!open.empty() && open.back() <= rows.start[s]) open.pop_back();
      const std::int64_t caller = open.empty() ? std::numeric_limits<std::int64_t>::max() : open.back();
      open.push_back(std::min(rows.end(s), caller));
      visit(s, caller);
    }
  }
}

// PyTorch's profiler misses the return of built-in functions that raise an exception, and lets them end with the
// recording, as the outermost frames do. Their callers have returned before. Returns whether there were any: their
// slices may have to be sorted anew.
bool close_frames(Trace& trace, Problems& problems) {
  constexpr std::int64_t rounding = 1000;  // ns
  constexpr std::int64_t no_caller = std::numeric_limits<std::int64_t>::max();
  Slices& rows = trace.slices;
  std::int64_t last = no_caller;
  bool closed = false;
  for_each_frame(trace, [&](SliceId s, std::int64_t caller) {
    if (caller == no_caller) last = last == no_caller ? rows.end(s) : std::max(last, rows.end(s));
  });
  for_each_frame(trace, [&](SliceId s, std::int64_t caller) {
    if (rows.end(s) <= caller || rows.end(s) < last - rounding) return;
    problems.add(ProblemKind::open_frame, 0, [&] {
      return fmt::format("the end of {} was not recorded; it is taken to end with its caller", slice_label(trace, s));
    });
    rows.duration[s] = caller - rows.start[s];
    closed = true;
  });
  return closed;
}

void find_parents(Trace& trace, Problems& problems) {
  Slices& rows = trace.slices;
  std::vector<SliceId> open;
  for (const Track& track : trace.tracks) {
    if (track.gpu) continue;  // work on a stream may overlap and does not nest
    open.clear();
    for (SliceId s = track.first; s < track.last; ++s) {
      if (rows.kind[s] == SliceKind::overhead || rows.kind[s] == SliceKind::profiler) continue;
      while (!open.empty() && rows.end(open.back()) <= rows.start[s] &&
             !(rows.duration[s] == 0 && rows.end(open.back()) == rows.start[s]))
        open.pop_back();
      // An open slice that ends before this one cannot enclose it. It is not needed again either: any later slice
      // inside it is also inside this one.
      if (!open.empty() && rows.end(open.back()) < rows.end(s))
        problems.add(ProblemKind::partial_overlap, 0, [&] {
          return fmt::format("{} and {} overlap on one thread without nesting; both are kept",
                             slice_label(trace, open.back()), slice_label(trace, s));
        });
      while (!open.empty() && rows.end(open.back()) < rows.end(s)) open.pop_back();
      if (!open.empty()) rows.parent[s] = open.back();
      open.push_back(s);
    }
  }
}

// A call by what its GPU work shares with it.
struct CallKey {
  std::int64_t correlation;
  std::uint32_t rank;
  SliceId call;
};

std::vector<CallKey> calls_by_correlation(const Trace& trace, const Ranks& ranks) {
  const Slices& rows = trace.slices;
  std::vector<CallKey> calls;
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (!is_call(rows.kind[s])) continue;
    if (const std::int64_t correlation = correlation_of(trace, s); correlation != absent && correlation != 0)
      calls.push_back({correlation, ranks.of(rows.track[s]), s});
  }
  // A runtime call and the driver call inside it can share a correlation. The outer call, which starts first, is the
  // launch.
  sort_runs(std::span(calls), [&](const CallKey& a, const CallKey& b) {
    return std::tie(a.correlation, a.rank, rows.start[a.call], a.call) <
           std::tie(b.correlation, b.rank, rows.start[b.call], b.call);
  });
  return calls;
}

void find_launches(Trace& trace, const Ranks& ranks, Problems& problems) {
  const Slices& rows = trace.slices;
  const std::vector<CallKey> calls = calls_by_correlation(trace, ranks);
  std::vector<std::pair<SliceId, SliceId>> launched;
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (!is_gpu_work(rows.kind[s])) continue;
    if (rows.start[s] == 0 && rows.duration[s] == 0)
      problems.add(ProblemKind::untimed, 0, [&] {
        return fmt::format("{} has no time (start and duration 0); it is listed but not drawn", slice_label(trace, s));
      });
    launch_field(trace, s) = no_slice;
    const std::int64_t correlation = correlation_of(trace, s);
    const CallKey wanted = {correlation, ranks.of(rows.track[s]), 0};
    const auto found = std::lower_bound(calls.begin(), calls.end(), wanted, [](const CallKey& a, const CallKey& b) {
      return std::tie(a.correlation, a.rank) < std::tie(b.correlation, b.rank);
    });
    if (correlation == absent || correlation == 0 || found == calls.end() || found->correlation != correlation ||
        found->rank != wanted.rank) {
      if (is_migration(trace, s)) continue;
      problems.add(ProblemKind::launch_outside_window, 0,
                   [&] { return fmt::format("{} was launched outside the recorded window", slice_label(trace, s)); });
      continue;
    }
    const SliceId call = found->call;
    launch_field(trace, s) = call;
    launched.emplace_back(call, s);
    if (rows.start[s] < rows.start[call] && !(rows.start[s] == 0 && rows.duration[s] == 0))
      problems.add(ProblemKind::clock_skew, 0, [&] {
        return fmt::format("{} starts {} ns before its launch: the clocks of CPU and GPU differ", slice_label(trace, s),
                           rows.start[call] - rows.start[s]);
      });
  }
  std::sort(launched.begin(), launched.end(), [&](const auto& a, const auto& b) {
    return std::tie(a.first, rows.start[a.second], a.second) < std::tie(b.first, rows.start[b.second], b.second);
  });
  trace.launched.clear();
  for (const auto& pair : launched) trace.launched.push_back(pair);
}

// External id is only a cross-check: before 2024-03 a kernel's External id was its own correlation.
void check_external_ids(const Trace& trace, Problems& problems) {
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.kind[s] != SliceKind::kernel) continue;
    const KernelDetail& kernel = trace.kernels[trace.slices.detail[s]];
    const SliceId op = op_of(trace, s);
    if (op == no_slice || kernel.external_id == absent || kernel.external_id == 0 ||
        kernel.external_id == kernel.correlation)
      continue;
    const std::int64_t of_op = trace.ops[trace.slices.detail[op]].external_id;
    if (of_op != absent && of_op != kernel.external_id)
      problems.add(ProblemKind::external_id_mismatch, 0, [&] {
        return fmt::format("{} has External id {}, but its launch is in {} ({}); the launch is used",
                           slice_label(trace, s), kernel.external_id, slice_label(trace, op), of_op);
      });
  }
}

// Reports events that refer to a record missing from the file.
void check_record_rows(Trace& trace, Problems& problems) {
  const auto check = [&](std::int64_t& row, std::size_t rows, std::string_view arg) {
    if (row == absent || (row >= 0 && static_cast<std::size_t>(row) < rows)) return;
    problems.add(ProblemKind::bad_record, 0, [&] {
      return fmt::format("an event's \"{}\" is {}, but the file has only {}; it is treated as not recorded", arg, row,
                         rows);
    });
    row = absent;
  };
  for (std::size_t i = 0; i < trace.ops.size(); ++i)
    check(trace.ops[i].dispatch, trace.records.dispatches.size(), "warpwalk dispatch");
  for (std::size_t i = 0; i < trace.kernels.size(); ++i)
    check(trace.kernels[i].record, trace.records.kernels.size(), "warpwalk record");
}

void find_order_and_span(Trace& trace) {
  const Slices& rows = trace.slices;
  std::vector<SliceId> ops, kernels;
  bool any = false;
  for (SliceId s = 0; s < rows.size(); ++s) {
    const SliceKind kind = rows.kind[s];
    if (kind == SliceKind::op) ops.push_back(s);
    if (kind == SliceKind::kernel) kernels.push_back(s);
    const bool untimed = rows.start[s] == 0 && rows.duration[s] == 0;
    if (kind == SliceKind::profiler || untimed) continue;
    trace.begin_ns = any ? std::min(trace.begin_ns, rows.start[s]) : rows.start[s];
    trace.end_ns = any ? std::max(trace.end_ns, rows.end(s)) : rows.end(s);
    any = true;
  }
  const auto by_start = [&](SliceId a, SliceId b) { return std::tie(rows.start[a], a) < std::tie(rows.start[b], b); };
  sort_runs(std::span(ops), by_start);
  sort_runs(std::span(kernels), by_start);
  for (const SliceId s : ops) trace.op_order.push_back(s);
  for (const SliceId s : kernels) trace.kernel_order.push_back(s);
}

}  // namespace

void link(Trace& trace, Problems& problems) {
  order_tracks(trace);
  if (split_python_threads(trace)) order_tracks(trace);
  const Ranks ranks(trace);
  sort_slices(trace);
  if (close_frames(trace, problems)) sort_slices(trace);
  platform::give_way();
  sort_all_details(trace);
  platform::give_way();
  adopt_only_device(trace);
  set_stream_ids(trace);
  separate_devices(trace, ranks);
  sort_by_time(trace.memory);
  sort_by_time(trace.instants);
  trace.driver_memory = driver_memory(trace);
  sort_by_time(trace.counters);
  sort_flows(trace);
  platform::give_way();
  find_parents(trace, problems);
  platform::give_way();
  find_launches(trace, ranks, problems);
  platform::give_way();
  check_stream_overlap(trace, problems);
  check_external_ids(trace, problems);
  check_record_rows(trace, problems);
  find_order_and_span(trace);
}

bool is_migration(const Trace& trace, SliceId s) {
  return trace.slices.kind[s] == SliceKind::memcpy && trace.name(s).ends_with("(unified memory)");
}

std::size_t first_launched(const Trace& trace, SliceId slice) {
  std::size_t low = 0, high = trace.launched.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (trace.launched[middle].first < slice)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

SliceId launch_of(const Trace& trace, SliceId s) {
  if (!is_gpu_work(trace.slices.kind[s])) return no_slice;
  const std::uint32_t detail = trace.slices.detail[s];
  return trace.slices.kind[s] == SliceKind::kernel ? trace.kernels[detail].launch : trace.transfers[detail].launch;
}

SliceId enclosing(const Trace& trace, SliceId s, SliceKind kind) {
  do s = trace.slices.parent[s];
  while (s != no_slice && trace.slices.kind[s] != kind);
  return s;
}

SliceId op_of(const Trace& trace, SliceId gpu_work) {
  const SliceId launch = launch_of(trace, gpu_work);
  return launch == no_slice ? no_slice : enclosing(trace, launch, SliceKind::op);
}

}  // namespace warpwalk::trace
