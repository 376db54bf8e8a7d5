#include "core/analysis/walk.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/trace/link.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceKind;

// Fills ops and frames, from the innermost op outwards.
void find_path(const Trace& trace, SliceId innermost, Walk& walk) {
  SliceId s = innermost;
  for (; s != no_slice; s = trace.slices.parent[s])
    if (trace.slices.kind[s] == SliceKind::op) walk.ops.push_back(s);
  std::reverse(walk.ops.begin(), walk.ops.end());
  s = walk.ops.empty() ? walk.launch : walk.ops.front();
  while (s != no_slice && (s = trace.slices.parent[s]) != no_slice)
    if (trace.slices.kind[s] == SliceKind::python) walk.frames.push_back(s);
  std::reverse(walk.frames.begin(), walk.frames.end());
}

// The longest GPU work whose launch is inside `op`, and the number of kernels, copies and fills launched inside it.
std::pair<SliceId, std::size_t> longest_of(const Trace& trace, SliceId op) {
  const auto& rows = trace.slices;
  // Slices nested in `op` follow it in its track without a gap, and `launched` is sorted by launch.
  std::size_t i = trace::first_launched(trace, op);
  SliceId longest = no_slice;
  std::size_t pieces = 0;
  for (; i < trace.launched.size(); ++i) {
    const auto [launch, work] = trace.launched[i];
    if (rows.track[launch] != rows.track[op] || rows.start[launch] >= rows.end(op)) break;
    SliceId s = launch;
    while (s != no_slice && s != op) s = rows.parent[s];
    if (s != op) continue;
    ++pieces;
    if (longest == no_slice || rows.duration[work] > rows.duration[longest]) longest = work;
  }
  return {longest, pieces};
}

}  // namespace

std::vector<std::int64_t> gpu_time_by_slice(const Trace& trace) {
  std::vector<std::int64_t> time(trace.slices.size(), 0);
  for (const auto& [launch, work] : trace.launched)
    for (SliceId s = launch; s != no_slice; s = trace.slices.parent[s]) time[s] += trace.slices.duration[work];
  return time;
}

Walk follow_op(const Trace& trace, SliceId op) {
  Walk walk;
  walk.op = op;
  std::tie(walk.kernel, walk.gpu_pieces) = longest_of(trace, op);
  if (walk.kernel != no_slice) walk.launch = trace::launch_of(trace, walk.kernel);
  const SliceId innermost = walk.launch == no_slice ? op : trace::enclosing(trace, walk.launch, SliceKind::op);
  find_path(trace, innermost, walk);
  return walk;
}

Walk follow_gpu_work(const Trace& trace, SliceId kernel) {
  Walk walk;
  walk.kernel = kernel;
  walk.launch = trace::launch_of(trace, kernel);
  walk.op = trace::op_of(trace, kernel);
  walk.gpu_pieces = 1;
  find_path(trace, walk.op, walk);
  return walk;
}

Walk default_walk(const Trace& trace) {
  const auto& rows = trace.slices;
  const std::vector<std::int64_t> time = gpu_time_by_slice(trace);
  SliceId best = no_slice;
  // Parents come before their children, so that the first of equals is the outermost.
  const auto better = [&](SliceId s) {
    if (best == no_slice) return true;
    if (time[s] != time[best]) return time[s] > time[best];
    return time[s] == 0 && rows.duration[s] > rows.duration[best];
  };
  for (const SliceId s : trace.op_order)
    if (better(s)) best = s;
  if (best != no_slice && (time[best] != 0 || trace.kernel_order.empty())) return follow_op(trace, best);
  SliceId longest = no_slice;
  for (const SliceId s : trace.kernel_order)
    if (longest == no_slice || rows.duration[s] > rows.duration[longest]) longest = s;
  return longest == no_slice ? Walk{} : follow_gpu_work(trace, longest);
}

namespace {

constexpr std::string_view element_prefix = "element:";

// "I,J", both at least 0.
std::optional<ElementIndex> element_of(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return {};
  ElementIndex element;
  const auto read = [](std::string_view digits, std::int64_t& to) {
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
    return error == std::errc{} && rest == digits.data() + digits.size() && to >= 0;
  };
  if (!read(text.substr(0, comma), element.row) || !read(text.substr(comma + 1), element.column)) return {};
  return element;
}

}  // namespace

base::Result<Walk> follow(const Trace& trace, std::string_view what) {
  const std::size_t slash = what.find('/');
  const std::string_view last = slash == std::string_view::npos ? what : what.substr(slash + 1);
  if (last.starts_with(element_prefix) || slash != std::string_view::npos) {
    const auto element =
        last.starts_with(element_prefix) ? element_of(last.substr(element_prefix.size())) : std::nullopt;
    if (!element)
      return base::Error{fmt::format(
          "{}: cannot be followed; write element:ROW,COLUMN, both from 0, alone or after op:N/, kernel:N/ or launch:N/",
          what)};
    auto walk = slash == std::string_view::npos ? base::Result<Walk>(default_walk(trace))
                                                : follow(trace, what.substr(0, slash));
    if (walk) walk->element = element;
    return walk;
  }
  const bool op = what.starts_with("op:");
  const bool kernel = what.starts_with("kernel:");
  const bool launch = what.starts_with("launch:");
  const std::string_view digits = what.substr(what.find(':') + 1);
  std::size_t n = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (!(op || kernel || launch) || error != std::errc{} || rest != digits.data() + digits.size())
    return base::Error{fmt::format(
        "{}: cannot be followed; write op:N, kernel:N or launch:N; N starts at 0; or element:ROW,COLUMN", what)};
  if (launch) {
    if (trace.launched.empty()) return base::Error{fmt::format("{}: this trace has no launches", what)};
    if (n >= trace.launched.size())
      return base::Error{fmt::format("{}: this trace has launch:0 to launch:{}", what, trace.launched.size() - 1)};
    return follow_gpu_work(trace, trace.launched[n].second);
  }
  const auto& order = op ? trace.op_order : trace.kernel_order;
  const std::string_view kind = op ? "op" : "kernel";
  if (order.empty()) return base::Error{fmt::format("{}: this trace has no {}s", what, kind)};
  if (n >= order.size())
    return base::Error{fmt::format("{}: this trace has {}:0 to {}:{}", what, kind, kind, order.size() - 1)};
  return op ? follow_op(trace, order[n]) : follow_gpu_work(trace, order[n]);
}

std::size_t number_of(const Trace& trace, SliceId slice) {
  const auto& order = trace.slices.kind[slice] == SliceKind::op ? trace.op_order : trace.kernel_order;
  const auto before = [&](SliceId a, SliceId b) {
    return std::pair{trace.slices.start[a], a} < std::pair{trace.slices.start[b], b};
  };
  std::size_t low = 0, high = order.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (before(order[middle], slice))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::string follow_name(const Trace& trace, SliceId slice) {
  if (slice == no_slice) return {};
  if (trace.slices.kind[slice] == SliceKind::op) return fmt::format("op:{}", number_of(trace, slice));
  if (trace.slices.kind[slice] == SliceKind::kernel) return fmt::format("kernel:{}", number_of(trace, slice));
  if (!trace::is_gpu_work(trace.slices.kind[slice])) return {};
  const SliceId launch = trace::launch_of(trace, slice);
  if (launch == no_slice) return {};
  for (std::size_t i = trace::first_launched(trace, launch);
       i < trace.launched.size() && trace.launched[i].first == launch; ++i)
    if (trace.launched[i].second == slice) return fmt::format("launch:{}", i);
  return {};
}

const trace::KernelDetail* kernel_detail(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || trace.slices.kind[walk.kernel] != trace::SliceKind::kernel) return nullptr;
  return &trace.kernels[trace.slices.detail[walk.kernel]];
}

const trace::KernelRecord* kernel_record(const Trace& trace, const Walk& walk) {
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr || kernel->record < 0) return nullptr;
  const auto row = static_cast<std::size_t>(kernel->record);
  return row < trace.records.kernels.size() ? &trace.records.kernels[row] : nullptr;
}

bool has_time(const Trace& trace, SliceId slice) {
  return trace.slices.start[slice] != 0 || trace.slices.duration[slice] != 0;
}

TimeRecord time_record_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || has_time(trace, walk.kernel)) return TimeRecord::timed;
  return trace.records.time_origin() == trace::Origin::simulated ? TimeRecord::unclocked : TimeRecord::unrecorded;
}

}  // namespace warpwalk::analysis
