#include "core/analysis/time/idle.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/intervals.h"
#include "core/analysis/slices.h"
#include "core/analysis/time/path_index.h"
#include "core/analysis/time/training_steps.h"
#include "core/platform/give_way.h"
#include "core/platform/table_memory.h"
#include "core/trace/link.h"
#include "core/trace/ranks.h"

namespace warpwalk::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

/// A stretch of time with the slice that it is from.
struct SliceInterval : Interval {
  SliceId slice = trace::no_slice;
};

// Splits gaps by what happened in them.
class Splitter {
 public:
  Splitter(const Trace& trace, const PathFinder& paths, std::vector<IdlePart>& parts)
      : trace_(trace), rows_(trace.slices), paths_(paths), events_(paths.events()), parts_(parts) {}

  // Appends the gap's parts and sets its cause.
  void split(IdleGap& gap) {
    platform::give_way();
    gap.first_part = parts_.size();
    const SliceId launch = trace::launch_of(trace_, gap.work);
    if (launch == trace::no_slice) {
      add_without_profiler({gap.from, gap.to, IdleCause::unknown});
    } else {
      const std::int64_t called = std::clamp(rows_.start[launch], gap.from, gap.to);
      if (called > gap.from) before_the_call(gap.from, called, rows_.track[launch]);
      if (called < gap.to) after_the_call({called, gap.to}, gap, launch);
    }
    gap.parts = parts_.size() - gap.first_part;
    choose_cause(gap);
  }

 private:
  void before_the_call(std::int64_t from, std::int64_t called, trace::TrackId thread) {
    std::int64_t waited = 0;  // for the work before the gap, by the last call that waits: what is left of it
    SliceId wait = trace::no_slice;
    paths_.until(thread, from, called, path_);
    for (const PathSegment& segment : path_.segments) {
      IdlePart part{segment.from, segment.to, cause_of(segment), segment.slice, segment.thread};
      if (part.cause == IdleCause::synchronisation) {
        wait = segment.slice;
        waited = std::max<std::int64_t>(0, from - rows_.start[wait]);
      } else if (part.cause == IdleCause::late_launch && waited > 0) {
        const std::int64_t again = std::min(waited, part.length());
        add({part.from, part.from + again, IdleCause::restart, wait, segment.thread});
        waited -= again;
        part.from += again;
      }
      add(part);
    }
  }

  void after_the_call(const Interval& rest, const IdleGap& gap, SliceId launch) {
    const trace::TrackId thread = rows_.track[launch];
    const std::int64_t returned = std::clamp(rows_.end(launch), rest.from, rest.to);
    std::int64_t from = rest.from;
    const bool loads = events_.is_loading(launch), prepares = rows_.kind[gap.work] != SliceKind::kernel;
    if (loads || prepares) {
      add_without_profiler({from, returned, loads ? IdleCause::loading : IdleCause::copy, launch, thread});
      from = returned;
    }
    const PathWork* const timed = events_.work_of(gap.work);
    const PathOrder order = timed == nullptr ? PathOrder{} : events_.order_of(*timed);
    if (order.work != nullptr) {  // until its end, the stream waited for another one
      const std::int64_t ordered = std::clamp(order.work->end, from, rest.to);
      add_without_profiler({from, ordered, IdleCause::dependency, order.call, thread});
      from = ordered;
    }
    // Until the call returned, the GPU waited for it; if it had returned before the gap, the work was queued.
    const bool queued = rows_.end(launch) <= gap.from || follows_in_graph(timed, launch);
    const std::int64_t called = queued ? from : std::max(from, returned);
    add_without_loading({from, called, IdleCause::latency, launch, thread});
    IdlePart start{called, rest.to, queued ? IdleCause::between : IdleCause::latency, launch, thread};
    if (order.call != trace::no_slice && !order.recorded) {
      start.cause = IdleCause::dependency;
      start.seen_in = order.call;
    }
    const std::int64_t explained =
        covered_by(events_.loading(), called, rest.to) + covered_by(events_.profiler(), called, rest.to);
    if (start.length() - explained > longest_start) start.cause = IdleCause::unrecorded;
    add_without_loading(start);
  }

  // Whether the work before on the stream is of the same launch, such as that of a graph.
  bool follows_in_graph(const PathWork* work, SliceId launch) const {
    const PathWork* const before = work == nullptr ? nullptr : events_.before(*work);
    return before != nullptr && before->launch == launch;
  }

  // The part without the times in which CUDA loaded code, which become parts of their own.
  void add_without_loading(IdlePart part) {
    for (auto at = std::ranges::upper_bound(events_.loading(), part.from, {}, &Interval::to);
         at != events_.loading().end() && at->from < part.to; ++at) {
      const std::int64_t begin = std::max(part.from, at->from), end = std::min(part.to, at->to);
      add_without_profiler({part.from, begin, part.cause, part.seen_in, part.thread});
      add_without_profiler({begin, end, IdleCause::loading, part.seen_in, part.thread});
      part.from = end;
    }
    add_without_profiler(part);
  }

  IdleCause cause_of(const PathSegment& segment) const {
    switch (segment.kind) {
      case PathKind::profiler: return IdleCause::profiler;
      case PathKind::loading: return IdleCause::loading;
      case PathKind::wait_end: return IdleCause::synchronisation;
      case PathKind::launch:
      case PathKind::kernel:
      case PathKind::copy:
      case PathKind::queue: return IdleCause::dependency;
      case PathKind::communication: return IdleCause::communication;
      default: break;
    }
    const SliceId slice = segment.slice;
    if (slice == trace::no_slice) return IdleCause::late_launch;
    if (is_wait(trace_, slice)) return IdleCause::synchronisation;
    if (events_.communication().around(slice)) return IdleCause::communication;
    if (segment.kind == PathKind::blocked) return IdleCause::blocked;
    return segment.kind == PathKind::call && starts_copy(slice) ? IdleCause::copy : IdleCause::late_launch;
  }

  bool starts_copy(SliceId call) const {
    const std::size_t i = trace::first_launched(trace_, call);
    return i < trace_.launched.size() && trace_.launched[i].first == call &&
           rows_.kind[trace_.launched[i].second] != SliceKind::kernel;
  }

  // The part without the times in which the profiler worked, which become parts of their own.
  void add_without_profiler(IdlePart part) {
    for (auto at = std::ranges::upper_bound(events_.profiler(), part.from, {}, &Interval::to);
         at != events_.profiler().end() && at->from < part.to; ++at) {
      const std::int64_t begin = std::max(part.from, at->from), end = std::min(part.to, at->to);
      add({part.from, begin, part.cause, part.seen_in, part.thread});
      add({begin, end, IdleCause::profiler});
      part.from = end;
    }
    add(part);
  }

  void add(const IdlePart& part) {
    if (part.to <= part.from) return;
    if (!parts_.empty() && parts_.back().to == part.from && parts_.back().cause == part.cause &&
        parts_.back().seen_in == part.seen_in && parts_.back().thread == part.thread)
      parts_.back().to = part.to;
    else
      parts_.push_back(part);
  }

  void choose_cause(IdleGap& gap) const {
    std::array<std::int64_t, idle_causes> time{};
    const auto parts = std::span(parts_).subspan(gap.first_part);
    for (const IdlePart& part : parts) time[static_cast<std::size_t>(part.cause)] += part.length();
    gap.cause = static_cast<IdleCause>(std::ranges::max_element(time) - time.begin());
    std::int64_t longest = 0;
    for (const IdlePart& part : parts)
      if (part.cause == gap.cause && part.length() > longest) {
        longest = part.length();
        gap.seen_in = part.seen_in;
      }
  }

  const Trace& trace_;
  const trace::Slices& rows_;
  const PathFinder& paths_;
  const PathEvents& events_;
  std::vector<IdlePart>& parts_;
  CriticalPath path_;
};

// A GPU's work: all of it, kernels that compute, all kernels.
struct Work {
  std::vector<SliceInterval> all;
  std::vector<Interval> computing, kernels;
};

// The times in which a GPU worked, each with its first work.
using Busy = std::vector<SliceInterval>;

// The gap before the work of this number; before the first work, there is one if the span begins with a step.
IdleGap gap_before(const IdleReport& report, const Busy& busy, std::size_t i) {
  return {i == 0 ? report.from : busy[i - 1].to, busy[i].from, busy[i].slice};
}

// The gaps in order; `split` gets each of them.
template <class Split>
void for_each_gap(IdleReport& report, const Busy& busy, const Split& split) {
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const IdleGap gap = gap_before(report, busy, i);
    if (gap.length() > rounding_of_times)
      split(gap);
    else
      report.time[static_cast<std::size_t>(IdleCause::between)] += gap.length();
  }
}

// What the CPU prepares for the first kernel belongs to the step in which it launches it. Only ranges that the program
// or the profiler wrote say where a step begins.
class StepStarts {
 public:
  explicit StepStarts(const Trace& trace) : trace_(trace), ranks_(trace), steps_(step_ranges(trace)) {
    if (steps_.from != StepsFrom::profiler && steps_.from != StepsFrom::annotation) steps_.ranges.clear();
  }

  // The start of this work, or of the step in which it was launched if that comes first.
  std::int64_t before(SliceId work) const {
    const std::int64_t start = trace_.slices.start[work];
    const SliceId launch = trace::launch_of(trace_, work);
    if (launch == trace::no_slice || steps_.ranges.empty() ||
        ranks_.of(trace_.slices.track[launch]) != ranks_.of(steps_.thread))
      return start;
    const std::int64_t called = trace_.slices.start[launch];
    const auto after = std::ranges::upper_bound(steps_.ranges, called, {}, &StepRanges::Range::from);
    if (after == steps_.ranges.begin() || std::prev(after)->to <= called) return start;
    return std::min(start, std::prev(after)->from);
  }

 private:
  const Trace& trace_;
  trace::Ranks ranks_;
  StepRanges steps_;
};

// The reports without their gaps, and the times between which the gaps are.
std::vector<IdleReport> reports_of_work(const Trace& trace, const PathFinder& paths, std::vector<Busy>& busy) {
  const auto& rows = trace.slices;
  std::map<std::int64_t, Work> devices;
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu) continue;
    Work* of_device = nullptr;  // devices without timed work have none
    for (SliceId s = track.first; s < track.last; ++s) {
      if (!trace::is_gpu_work(rows.kind[s]) || rows.duration[s] <= 0) continue;
      if (of_device == nullptr) {
        of_device = &devices[track.device];
        platform::reserve_rows(of_device->all, of_device->all.size() + (track.last - s));
      }
      Work& work = *of_device;
      const SliceInterval here = {{rows.start[s], rows.end(s)}, s};
      work.all.push_back(here);
      if (rows.kind[s] == SliceKind::kernel) work.kernels.push_back(here);
      if (rows.kind[s] == SliceKind::kernel && !paths.events().communication().is(s)) work.computing.push_back(here);
    }
  }
  std::vector<IdleReport> reports;
  const StepStarts steps(trace);
  for (auto& [device, work] : devices) {
    const Busy& here = busy.emplace_back(united_intervals(std::move(work.all)));
    IdleReport& report = reports.emplace_back();
    report.device = device;
    report.from = steps.before(here.front().slice);
    report.from_step = report.from < here.front().from;
    report.to = here.back().to;
    const std::int64_t kernels = length_of_intervals(united_intervals(std::move(work.kernels)));
    report.computing = length_of_intervals(united_intervals(std::move(work.computing)));
    report.communicating = kernels - report.computing;
    report.copying = length_of_intervals(here) - kernels;
  }
  return reports;
}

void add_times(IdleReport& report, std::span<const IdlePart> parts) {
  std::array<bool, idle_causes> seen{};
  for (const IdlePart& part : parts) {
    const auto cause = static_cast<std::size_t>(part.cause);
    report.time[cause] += part.length();
    report.counts[cause] += !seen[cause];
    seen[cause] = true;
  }
}

}  // namespace

std::vector<IdleReport> idle_reports(const Trace& trace) { return idle_reports(trace, PathFinder(trace)); }

std::vector<IdleReport> idle_reports(const Trace& trace, const PathFinder& paths) {
  std::vector<Busy> busy;
  std::vector<IdleReport> reports = reports_of_work(trace, paths, busy);
  for (std::size_t gpu = 0; gpu < reports.size(); ++gpu) {
    IdleReport& report = reports[gpu];
    platform::reserve_rows(report.gaps, busy[gpu].size());
    platform::reserve_rows(report.parts, paths.events().most_segments());
    Splitter splitter(trace, paths, report.parts);
    for_each_gap(report, busy[gpu], [&](const IdleGap& found) {
      IdleGap& gap = report.gaps.emplace_back(found);
      splitter.split(gap);
      add_times(report, report.parts_of(gap));
    });
  }
  return reports;
}

std::vector<IdleReport> idle_sums(const Trace& trace, const PathFinder& paths, const IdleGapReader& read) {
  std::vector<Busy> busy;
  std::vector<IdleReport> reports = reports_of_work(trace, paths, busy);
  std::vector<IdlePart> parts;
  Splitter splitter(trace, paths, parts);
  for (std::size_t gpu = 0; gpu < reports.size(); ++gpu)
    for_each_gap(reports[gpu], busy[gpu], [&](IdleGap gap) {
      parts.clear();
      splitter.split(gap);
      add_times(reports[gpu], parts);
      read(reports, gpu, gap, parts);
    });
  return reports;
}

}  // namespace warpwalk::analysis
