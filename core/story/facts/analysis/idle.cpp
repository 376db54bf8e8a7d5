#include "core/story/facts/analysis/idle.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/story/elements/figure.h"
#include "core/story/facts/analysis/intervals.h"
#include "core/story/facts/words/rows.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

/// A stretch of time with the slice that it is from.
struct SliceInterval : Interval {
  SliceId slice = trace::no_slice;
};

// Calls of one thread by their start, to find the one in progress at a moment. They do not nest.
using Calls = std::vector<SliceInterval>;

SliceId in_progress(const std::map<trace::TrackId, Calls>& calls, trace::TrackId thread, std::int64_t moment) {
  const auto found = calls.find(thread);
  if (found == calls.end()) return trace::no_slice;
  const auto after = std::ranges::upper_bound(found->second, moment, {}, &SliceInterval::from);
  if (after == found->second.begin()) return trace::no_slice;
  const SliceInterval& last = *std::prev(after);
  return last.to >= moment ? last.slice : trace::no_slice;
}

// The data from which the causes are determined.
class Evidence {
 public:
  explicit Evidence(const Trace& trace) : trace_(trace), rows_(trace.slices) {
    std::vector<Interval> profiler;
    for (SliceId s = 0; s < rows_.size(); ++s) {
      const SliceInterval here = {{rows_.start[s], rows_.end(s)}, s};
      if (is_profiler_work(trace, s)) profiler.push_back(here);
      if (!trace::is_call(rows_.kind[s])) continue;
      if (is_wait(trace, s)) waits_[rows_.track[s]].push_back(here);
      if (trace.name(s).find("WaitEvent") != std::string_view::npos) orders_[rows_.track[s]].push_back(here);
    }
    profiler_ = united_intervals(std::move(profiler));
    SliceId last = trace::no_slice;
    for (const auto& [launch, work] : trace.launched) {
      if (launch == last || rows_.kind[work] == SliceKind::kernel) continue;
      copies_[rows_.track[launch]].push_back({{rows_.start[launch], rows_.end(launch)}, launch});
      last = launch;
    }
    for (auto* const calls : {&waits_, &orders_, &copies_})
      for (auto& [thread, of_thread] : *calls) std::ranges::sort(of_thread, {}, &SliceInterval::from);
  }

  void explain(IdleGap& gap) const {
    const SliceId launch = trace::launch_of(trace_, gap.work);
    gap.seen_in = launch;
    if (2 * covered_by(profiler_, gap.from, gap.to) > gap.length()) {
      gap.cause = IdleCause::profiler;
    } else if (launch == trace::no_slice) {
      gap.cause = IdleCause::unknown;
    } else if (is_prepared(gap, launch)) {
      gap.cause = IdleCause::copy;
    } else if (const std::int64_t called = rows_.start[launch]; called < gap.from) {
      const SliceId order = order_before(gap.work, launch);
      gap.cause = order != trace::no_slice ? IdleCause::dependency : IdleCause::latency;
      if (order != trace::no_slice) gap.seen_in = order;
    } else {
      explain_late(gap, launch);
    }
  }

 private:
  void explain_late(IdleGap& gap, SliceId launch) const {
    const trace::TrackId thread = rows_.track[launch];
    const SliceId wait = in_progress(waits_, thread, gap.from), copy = in_progress(copies_, thread, gap.from);
    gap.cause = wait != trace::no_slice   ? IdleCause::synchronisation
                : copy != trace::no_slice ? IdleCause::copy
                                          : IdleCause::late_launch;
    if (wait != trace::no_slice)
      gap.seen_in = wait;
    else if (copy != trace::no_slice)
      gap.seen_in = copy;
  }

  bool is_prepared(const IdleGap& gap, SliceId launch) const {
    if (rows_.kind[gap.work] == SliceKind::kernel) return false;
    return 2 * (std::min(rows_.end(launch), gap.to) - std::max(rows_.start[launch], gap.from)) > gap.length();
  }

  // The call that made the stream wait, since the launch of the previous work on this stream.
  SliceId order_before(SliceId work, SliceId launch) const {
    const auto found = orders_.find(rows_.track[launch]);
    if (found == orders_.end()) return trace::no_slice;
    const trace::Track& stream = trace_.tracks[rows_.track[work]];
    std::int64_t since = std::numeric_limits<std::int64_t>::min();
    for (SliceId s = work; s-- > stream.first;)
      if (trace::is_gpu_work(rows_.kind[s])) {
        const SliceId before = trace::launch_of(trace_, s);
        if (before != trace::no_slice) since = rows_.end(before);
        break;
      }
    const auto after = std::ranges::lower_bound(found->second, rows_.start[launch], {}, &SliceInterval::from);
    if (after == found->second.begin() || std::prev(after)->from < since) return trace::no_slice;
    return std::prev(after)->slice;
  }

  const Trace& trace_;
  const trace::Slices& rows_;
  std::vector<Interval> profiler_;
  std::map<trace::TrackId, Calls> waits_, copies_, orders_;
};

}  // namespace

std::string_view name_of(IdleCause cause) {
  switch (cause) {
    case IdleCause::profiler: return "profiler";
    case IdleCause::unknown: return "unknown";
    case IdleCause::dependency: return "dependency";
    case IdleCause::latency: return "launch latency";
    case IdleCause::synchronisation: return "synchronisation";
    case IdleCause::copy: return "copy";
    case IdleCause::late_launch: return "late launch";
  }
  return "";
}

std::string_view name_of(IdleVerdict verdict) {
  switch (verdict) {
    case IdleVerdict::nothing: return "no work";
    case IdleVerdict::busy: return "busy";
    case IdleVerdict::launch_bound: return "launch-bound";
    case IdleVerdict::synchronised: return "synchronised";
    case IdleVerdict::copy_bound: return "copy-bound";
    case IdleVerdict::dependent: return "dependent";
    case IdleVerdict::profiled: return "slowed by the profiler";
    case IdleVerdict::unexplained: return "idle";
  }
  return "";
}

IdleVerdict IdleReport::verdict() const {
  if (span() <= 0) return IdleVerdict::nothing;
  const std::pair<std::int64_t, IdleVerdict> shares[] = {
      {computing, IdleVerdict::busy},
      {of(IdleCause::late_launch) + of(IdleCause::latency), IdleVerdict::launch_bound},
      {of(IdleCause::synchronisation), IdleVerdict::synchronised},
      {copying + of(IdleCause::copy), IdleVerdict::copy_bound},
      {of(IdleCause::dependency), IdleVerdict::dependent},
      {of(IdleCause::profiler), IdleVerdict::profiled},
      {of(IdleCause::unknown), IdleVerdict::unexplained},
  };
  return std::ranges::max_element(shares, {}, [](const auto& share) { return share.first; })->second;
}

std::vector<IdleReport> idle_reports(const Trace& trace) {
  const auto& rows = trace.slices;
  std::map<std::int64_t, std::vector<SliceInterval>> work, kernels;  // by device
  for (const trace::Track& track : trace.tracks)
    for (SliceId s = track.first; track.gpu && s < track.last; ++s) {
      if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
      work[track.device].push_back({{rows.start[s], rows.end(s)}, s});
      if (rows.kind[s] == SliceKind::kernel) kernels[track.device].push_back(work[track.device].back());
    }
  const Evidence evidence(trace);
  std::vector<IdleReport> reports;
  for (auto& [device, intervals] : work) {
    const std::vector<SliceInterval> busy = united_intervals(std::move(intervals));
    IdleReport& report = reports.emplace_back();
    report.device = device;
    report.from = busy.front().from;
    report.to = busy.back().to;
    report.computing = length_of_intervals(united_intervals(std::move(kernels[device])));
    report.copying = length_of_intervals(busy) - report.computing;
    for (std::size_t i = 1; i < busy.size(); ++i) {
      IdleGap gap{busy[i - 1].to, busy[i].from, IdleCause::unknown, busy[i].slice};
      evidence.explain(gap);
      report.time[static_cast<std::size_t>(gap.cause)] += gap.length();
      ++report.counts[static_cast<std::size_t>(gap.cause)];
      report.gaps.push_back(gap);
    }
  }
  return reports;
}

namespace {

// A name as a key of the narration.
std::string key_of(std::string_view name) {
  std::string key(name);
  std::ranges::replace(key, ' ', '_');
  std::ranges::replace(key, '-', '_');
  return key;
}

}  // namespace

std::string cause_text(const Narration& narration, IdleCause cause) {
  return narration.text("idle_cause", key_of(name_of(cause)));
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  const double share = 100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
  return share > 0 && share < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", share);
}

std::string verdict_text(const Narration& narration, const IdleReport& report) {
  const std::int64_t span = report.span(), launch = report.of(IdleCause::late_launch) + report.of(IdleCause::latency);
  return narration.text("idle_verdict", key_of(name_of(report.verdict())),
                        {{"span", time_text(static_cast<double>(span))},
                         {"computing", share_text(report.computing, span)},
                         {"copying", share_text(report.copying + report.of(IdleCause::copy), span)},
                         {"launching", share_text(launch, span)},
                         {"waiting", share_text(report.of(IdleCause::synchronisation), span)},
                         {"depending", share_text(report.of(IdleCause::dependency), span)},
                         {"profiling", share_text(report.of(IdleCause::profiler), span)},
                         {"unknown", share_text(report.of(IdleCause::unknown), span)}});
}

}  // namespace warpwalk::story
