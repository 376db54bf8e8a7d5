#include "core/trace/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

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

// What a slice is sorted by, gathered so that comparing touches one cache line. Small enough that ten million fit.
struct SortKey {
  std::int64_t start;
  std::int64_t duration;
  TrackId track;
  SliceId row;
};

// Of two slices with the same start and duration, which holds which: Python calls ops, ops call the runtime.
int nesting_rank(SliceKind kind) {
  switch (kind) {
    case SliceKind::annotation: return 0;
    case SliceKind::python: return 1;
    case SliceKind::op: return 2;
    case SliceKind::runtime: return 3;
    default: return 4;
  }
}

void sort_slices(Trace& trace) {
  Slices& rows = trace.slices;
  const std::size_t n = rows.size();
  std::vector<SliceId> order(n);
  {
    std::vector<SortKey> keys(n);
    for (SliceId s = 0; s < n; ++s) keys[s] = {rows.start[s], rows.duration[s], rows.track[s], s};
    std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
      if (a.track != b.track) return a.track < b.track;
      if (a.start != b.start) return a.start < b.start;
      if (a.duration != b.duration) return a.duration > b.duration;
      const int rank_a = nesting_rank(rows.kind[a.row]), rank_b = nesting_rank(rows.kind[b.row]);
      return rank_a != rank_b ? rank_a < rank_b : a.row < b.row;
    });
    for (std::size_t i = 0; i < n; ++i) order[i] = keys[i].row;
  }
  rows.start.permute(order);
  rows.duration.permute(order);
  rows.name.permute(order);
  rows.extra.permute(order);
  rows.track.permute(order);
  rows.detail.permute(order);
  rows.kind.permute(order);

  for (Track& track : trace.tracks) track.first = track.last = 0;
  for (SliceId s = 0; s < n; ++s) {
    Track& track = trace.tracks[rows.track[s]];
    if (track.last == 0) track.first = s;
    track.last = s + 1;
  }
}

// Details in the order of their slices, so that two traces with the same content have the same tables.
template <class Row, class IsOurs>
void sort_details(Trace& trace, Column<Row>& table, IsOurs is_ours) {
  Slices& rows = trace.slices;
  Column<Row> sorted;
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (!is_ours(rows.kind[s])) continue;
    sorted.push_back(table[rows.detail[s]]);
    rows.detail[s] = static_cast<std::uint32_t>(sorted.size() - 1);
  }
  table = std::move(sorted);
}

void sort_all_details(Trace& trace) {
  sort_details(trace, trace.ops, [](SliceKind k) { return k == SliceKind::op || k == SliceKind::annotation; });
  sort_details(trace, trace.python, [](SliceKind k) { return k == SliceKind::python; });
  sort_details(trace, trace.calls, is_call);
  sort_details(trace, trace.kernels, [](SliceKind k) { return k == SliceKind::kernel; });
  sort_details(trace, trace.transfers, [](SliceKind k) { return k == SliceKind::memcpy || k == SliceKind::memset; });
  sort_details(trace, trace.syncs, [](SliceKind k) { return k == SliceKind::sync; });
}

template <class Row>
void sort_by_time(Column<Row>& table) {
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return table[a].time < table[b].time; });
  table.permute(order);
}

void find_parents(Trace& trace, Problems& problems) {
  Slices& rows = trace.slices;
  std::vector<SliceId> open;
  for (const Track& track : trace.tracks) {
    if (track.gpu) continue;  // work on a stream may overlap; it does not nest
    open.clear();
    for (SliceId s = track.first; s < track.last; ++s) {
      rows.parent[s] = no_slice;
      if (rows.kind[s] == SliceKind::overhead || rows.kind[s] == SliceKind::profiler) continue;
      while (!open.empty() && rows.end(open.back()) <= rows.start[s] &&
             !(rows.duration[s] == 0 && rows.end(open.back()) == rows.start[s]))
        open.pop_back();
      // One that ends later than its neighbour on the stack does not belong to it; an outer one may still hold both.
      std::size_t holder = open.size();
      while (holder != 0 && rows.end(open[holder - 1]) < rows.end(s)) --holder;
      if (holder != open.size())
        problems.add(ProblemKind::partial_overlap, 0,
                     fmt::format("\"{}\" and \"{}\" overlap on one thread without nesting; both are kept",
                                 trace.name(open.back()).substr(0, 60), trace.name(s).substr(0, 60)));
      if (holder != 0) rows.parent[s] = open[holder - 1];
      open.push_back(s);
    }
  }
}

void find_launches(Trace& trace, Problems& problems) {
  const Slices& rows = trace.slices;
  std::vector<std::pair<std::int64_t, SliceId>> calls;
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (!is_call(rows.kind[s])) continue;
    if (const std::int64_t correlation = correlation_of(trace, s); correlation != absent && correlation != 0)
      calls.emplace_back(correlation, s);
  }
  // A runtime call and the driver call inside it can share a correlation: the outer one, which starts first, launches.
  std::sort(calls.begin(), calls.end(), [&](const auto& a, const auto& b) {
    return std::tie(a.first, rows.start[a.second], a.second) < std::tie(b.first, rows.start[b.second], b.second);
  });

  std::vector<std::pair<SliceId, SliceId>> launched;
  for (SliceId s = 0; s < rows.size(); ++s) {
    if (!is_gpu_work(rows.kind[s])) continue;
    if (rows.start[s] == 0 && rows.duration[s] == 0)
      problems.add(ProblemKind::untimed, 0,
                   fmt::format("\"{}\" has no time (start and duration 0); it is listed, not drawn", trace.name(s).substr(0, 60)));
    const std::int64_t correlation = correlation_of(trace, s);
    const auto call = std::lower_bound(calls.begin(), calls.end(), std::pair{correlation, SliceId{0}},
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
    if (correlation == absent || correlation == 0 || call == calls.end() || call->first != correlation) {
      problems.add(ProblemKind::launch_outside_window, 0,
                   fmt::format("\"{}\" was launched outside the recorded window", trace.name(s).substr(0, 60)));
      continue;
    }
    launch_field(trace, s) = call->second;
    launched.emplace_back(call->second, s);
    if (rows.start[s] < rows.start[call->second] && !(rows.start[s] == 0 && rows.duration[s] == 0))
      problems.add(ProblemKind::clock_skew, 0,
                   fmt::format("\"{}\" starts {} ns before its launch: the clocks of CPU and GPU differ",
                               trace.name(s).substr(0, 60), rows.start[call->second] - rows.start[s]));
  }
  std::sort(launched.begin(), launched.end(), [&](const auto& a, const auto& b) {
    return std::tie(a.first, rows.start[a.second], a.second) < std::tie(b.first, rows.start[b.second], b.second);
  });
  trace.launched.clear();
  for (const auto& pair : launched) trace.launched.push_back(pair);
}

// External id only confirms: before 2024-03 a kernel's External id was its own correlation.
void confirm_ops(const Trace& trace, Problems& problems) {
  for (SliceId s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.kind[s] != SliceKind::kernel) continue;
    const KernelDetail& kernel = trace.kernels[trace.slices.detail[s]];
    const SliceId op = op_of(trace, s);
    if (op == no_slice || kernel.external_id == absent || kernel.external_id == 0 ||
        kernel.external_id == kernel.correlation)
      continue;
    const std::int64_t of_op = trace.ops[trace.slices.detail[op]].external_id;
    if (of_op != absent && of_op != kernel.external_id)
      problems.add(ProblemKind::external_id_mismatch, 0,
                   fmt::format("\"{}\" names External id {}, but its launch lies in \"{}\" ({}); the launch is believed",
                               trace.name(s).substr(0, 60), kernel.external_id, trace.name(op).substr(0, 60), of_op));
  }
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
  std::sort(ops.begin(), ops.end(), by_start);
  std::sort(kernels.begin(), kernels.end(), by_start);
  for (const SliceId s : ops) trace.op_order.push_back(s);
  for (const SliceId s : kernels) trace.kernel_order.push_back(s);
}

}  // namespace

void link(Trace& trace, Problems& problems) {
  sort_slices(trace);
  sort_all_details(trace);
  sort_by_time(trace.memory);
  sort_by_time(trace.instants);
  sort_by_time(trace.counters);
  find_parents(trace, problems);
  find_launches(trace, problems);
  confirm_ops(trace, problems);
  find_order_and_span(trace);
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
