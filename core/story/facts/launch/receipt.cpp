#include "core/story/facts/launch/receipt.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

// Whether any work of this GPU ran in this range of time.
bool works_in(const Trace& trace, std::int64_t device, std::int64_t from, std::int64_t to) {
  const auto& rows = trace.slices;
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu || track.device != device) continue;
    const analysis::Reaching reaching = analysis::reaching_into(trace, track, from);
    if (std::ranges::any_of(reaching.before, [&](SliceId s) { return trace::is_gpu_work(rows.kind[s]); })) return true;
    for (SliceId s = reaching.first; s < track.last && rows.start[s] < to; ++s)
      if (trace::is_gpu_work(rows.kind[s])) return true;
  }
  return false;
}

// The middle one, or the mean of the two in the middle. Not empty.
std::int64_t median(std::vector<std::int64_t> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

std::optional<Receipt> receipt_of(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || walk.launch == no_slice || is_untimed(trace, walk)) return {};
  const auto& rows = trace.slices;
  Receipt receipt;
  receipt.op_start = rows.start[walk.ops.empty() ? walk.launch : walk.ops.front()];
  receipt.launch_start = rows.start[walk.launch];
  receipt.launch_end = rows.end(walk.launch);
  receipt.kernel_start = rows.start[walk.kernel];
  receipt.kernel_end = rows.end(walk.kernel);

  // The profiler's threads can work at the same time; overlapping time counts once.
  std::vector<std::pair<std::int64_t, std::int64_t>> overheads;
  std::int64_t longest = 0;
  for (const trace::Track& track : trace.tracks) {
    const auto look = [&](SliceId s) {
      if (!analysis::is_profiler_work(trace, s)) return;
      const std::int64_t from = std::max(rows.start[s], receipt.op_start);
      const std::int64_t to = std::min(rows.end(s), receipt.launch_start);
      if (to <= from) return;
      overheads.emplace_back(from, to);
      if (to - from <= longest) return;
      longest = to - from;
      receipt.overhead_slice = s;
    };
    const analysis::Reaching reaching = analysis::reaching_into(trace, track, receipt.op_start);
    for (const SliceId s : reaching.before) look(s);
    for (SliceId s = reaching.first; s < track.last && rows.start[s] < receipt.launch_start; ++s) look(s);
  }
  std::sort(overheads.begin(), overheads.end());
  for (const auto& [from, to] : overheads) {
    if (receipt.overheads.empty() || from > receipt.overheads.back().second)
      receipt.overheads.emplace_back(from, to);
    else
      receipt.overheads.back().second = std::max(receipt.overheads.back().second, to);
  }
  for (const auto& [from, to] : receipt.overheads) receipt.overhead += to - from;

  // Work on one stream runs in order: the kernel may have waited for the work before it.
  receipt.ahead = work_ahead_of(trace, walk.kernel, receipt.launch_end);
  return receipt;
}

Aftermath aftermath_of(const Trace& trace, const Walk& walk, const Receipt& receipt) {
  const auto& rows = trace.slices;
  Aftermath found;
  const trace::Track& track = trace.tracks[rows.track[walk.launch]];
  constexpr SliceId look_ahead = 20000;  // a wait further away has nothing to do with this launch
  const SliceId last = std::min<SliceId>(track.last, walk.launch + look_ahead);
  for (SliceId s = walk.launch + 1; s < last && found.wait == no_slice; ++s) {
    if (rows.start[s] < receipt.launch_end) continue;
    if (found.next_op == no_slice && rows.kind[s] == trace::SliceKind::op && rows.start[s] < receipt.kernel_end)
      found.next_op = s;
    if (analysis::is_wait(trace, s)) found.wait = s;
  }
  if (found.next_op != no_slice) {
    const SliceId launch = follow_op(trace, found.next_op).launch;
    found.next_orders = launch != no_slice && rows.start[launch] < receipt.kernel_end;
  }
  if (found.wait != no_slice)
    found.waited =
        works_in(trace, trace.tracks[rows.track[walk.kernel]].device, rows.start[found.wait], rows.end(found.wait));
  return found;
}

std::optional<FirstLaunch> first_launch_of(const Trace& trace, const Walk& walk) {
  if (walk.launch == no_slice || walk.kernel == no_slice || !has_time(trace, walk.launch)) return {};
  const auto& rows = trace.slices;
  if (rows.kind[walk.kernel] != trace::SliceKind::kernel) return {};
  constexpr std::size_t look_ahead = 20000;  // launches
  const std::size_t own = trace::first_launched(trace, walk.launch);
  std::vector<std::int64_t> later;
  for (std::size_t i = 0; i < std::min(trace.launched.size(), own + look_ahead); ++i) {
    const auto [launch, work] = trace.launched[i];
    if (launch == walk.launch || rows.name[work] != rows.name[walk.kernel] || !has_time(trace, launch)) continue;
    if (rows.start[launch] < rows.start[walk.launch]) return {};
    later.push_back(rows.duration[launch]);
  }
  if (later.empty()) return {};
  const auto middle = later.begin() + static_cast<std::ptrdiff_t>(later.size() / 2);
  std::nth_element(later.begin(), middle, later.end());
  constexpr std::int64_t far_longer = 10;
  if (rows.duration[walk.launch] < far_longer * *middle) return {};
  return FirstLaunch{*middle};
}

std::optional<OtherLaunches> other_launches_of(const Trace& trace, const Walk& walk) {
  if (walk.launch == no_slice || walk.kernel == no_slice) return {};
  const auto& rows = trace.slices;
  constexpr std::size_t reach = 20000;  // launches
  const std::size_t own = trace::first_launched(trace, walk.launch);
  std::vector<std::int64_t> calls, starts, kernels;
  OtherLaunches others;
  for (std::size_t i = own > reach ? own - reach : 0; i < std::min(trace.launched.size(), own + reach); ++i) {
    const auto [launch, work] = trace.launched[i];
    const bool same = rows.name[work] == rows.name[walk.kernel] && rows.name[launch] == rows.name[walk.launch];
    if (launch == walk.launch || !same) continue;
    if (!has_time(trace, launch) || !has_time(trace, work) || rows.start[work] < rows.start[launch]) continue;
    calls.push_back(rows.duration[launch]);
    starts.push_back(rows.start[work] - rows.end(launch));
    kernels.push_back(rows.duration[work]);
    if (starts.back() < 0) ++others.begun;
  }
  constexpr std::size_t fewest = 3;
  if (calls.size() < fewest) return {};
  others.count = calls.size();
  others.call = median(std::move(calls));
  others.start = median(std::move(starts));
  others.kernel = median(std::move(kernels));
  return others;
}

}  // namespace warpwalk::story
