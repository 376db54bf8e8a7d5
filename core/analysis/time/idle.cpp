#include "core/analysis/time/idle.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

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
      : trace_(trace), rows_(trace.slices), paths_(paths), events_(paths.events()), parts_(parts) {
    for (trace::StringId id = 0; id < trace.strings.size() && !has_pageable_copies_; ++id)
      has_pageable_copies_ = is_pageable_copy(trace.text(id));
  }

  // Appends the gap's parts and sets its cause.
  void split(IdleGap& gap) {
    platform::give_way();
    gap.first_part = parts_.size();
    const PathWork* const timed = events_.work_of(gap.work);
    const SliceId launch = timed == nullptr ? trace::launch_of(trace_, gap.work) : timed->launch;
    if (trace::is_migration(trace_, gap.work) && launch == trace::no_slice) {
      // No call launched it: the CPU went on until it touched the memory.
      before_the_call(gap.from, gap.to, rows_.track[gap.work]);
    } else if (launch == trace::no_slice) {
      add_without_profiler({gap.from, gap.to, IdleCause::unknown});
    } else {
      const std::int64_t launched = timed == nullptr ? rows_.start[launch] : timed->launched;
      const std::int64_t called = std::clamp(launched, gap.from, gap.to);
      if (called > gap.from) before_the_call(gap.from, called, rows_.track[launch]);
      if (called < gap.to) after_the_call({called, gap.to}, gap, launch);
    }
    gap.parts = parts_.size() - gap.first_part;
    last_end_ = gap.to;
    choose_cause(gap);
  }

 private:
  // A call that waits for the GPU, or one that copies pageable memory and so holds the CPU.
  struct Hold {
    std::int64_t from = 0, to = 0;
    SliceId call = trace::no_slice;
    bool waits = false;
  };

  // The last one of the thread that returned by this time.
  const Hold* last_hold(trace::TrackId thread, std::int64_t by) {
    const auto [found, fresh] = holds_.try_emplace(thread);
    std::vector<Hold>& holds = found->second;
    const trace::Track& track = trace_.tracks[thread];
    for (SliceId s = track.first; fresh && s < track.last; ++s) {
      const bool nested = !holds.empty() && rows_.start[s] < holds.back().to;
      if (!trace::is_call(rows_.kind[s]) || nested) continue;
      const bool waits = is_wait(trace_, s);
      if (waits && !holds.empty() && ends_copy(holds.back(), s)) {
        holds.back().to = rows_.end(s);
        waits_for_copies_.insert(s);
        continue;
      }
      if (waits || (events_.starts_copy(s) && copies_pageable(trace_, s)))
        holds.push_back({rows_.start[s], rows_.end(s), s, waits});
    }
    const auto next = std::ranges::upper_bound(holds, by, {}, &Hold::to);
    return next == holds.begin() ? nullptr : &*std::prev(next);
  }

  // Whether this wait is for a copy of pageable memory: PyTorch waits after each that is not asynchronous.
  bool ends_copy(const Hold& copy, SliceId wait) const {
    constexpr std::int64_t longest_pause = 20'000;
    if (copy.waits) return false;
    const SliceId op = trace::enclosing(trace_, wait, SliceKind::op);
    return op == trace::no_slice ? rows_.start[wait] - copy.to <= longest_pause
                                 : op == trace::enclosing(trace_, copy.call, SliceKind::op);
  }

  // For how much of a late launch from this gap on a pageable copy is to blame: while it held the CPU and the GPU
  // worked, the CPU could have gone ahead. Another wait after it would have held the CPU too.
  const Hold* pageable_hold(std::int64_t from, std::int64_t called, trace::TrackId thread) {
    const bool possible = has_pageable_copies_ && !trace_.tracks[thread].gpu;
    const Hold* const hold = possible ? last_hold(thread, called) : nullptr;
    if (hold == nullptr || hold->waits) return nullptr;
    if (hold->call != held_by_ || from < last_end_) {
      held_by_ = hold->call;
      const std::int64_t worked_since = from < last_end_ ? hold->from : std::max(hold->from, last_end_);
      held_ = std::max<std::int64_t>(0, std::min(hold->to, from) - worked_since);
    }
    return hold;
  }

  void before_the_call(std::int64_t from, std::int64_t called, trace::TrackId thread) {
    const Hold* const hold = pageable_hold(from, called, thread);
    std::int64_t waited = 0;  // for the work before the gap, by the last call that waits: what is left of it
    SliceId wait = trace::no_slice;
    paths_.until(thread, from, called, path_);
    for (const PathSegment& segment : path_.segments) {
      IdlePart part{segment.from, segment.to, cause_of(segment), segment.slice, segment.thread};
      if (part.cause == IdleCause::synchronisation && waits_for_copies_.contains(segment.slice)) {
        part.cause = IdleCause::pageable;
      } else if (part.cause == IdleCause::synchronisation) {
        wait = segment.slice;
        waited = std::max<std::int64_t>(0, from - rows_.start[wait]);
      } else if (part.cause == IdleCause::late_launch && waited > 0) {
        const std::int64_t again = std::min(waited, part.length());
        add({part.from, part.from + again, IdleCause::restart, wait, segment.thread});
        waited -= again;
        part.from += again;
      } else if (part.cause == IdleCause::late_launch && hold != nullptr && part.from >= hold->to && held_ > 0) {
        const std::int64_t again = std::min(held_, part.length());
        add({part.from, part.from + again, IdleCause::pageable, hold->call, segment.thread});
        held_ -= again;
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
      const IdleCause cause = loads                             ? IdleCause::loading
                              : copies_pageable(trace_, launch) ? IdleCause::pageable
                                                                : IdleCause::copy;
      add_without_profiler({from, returned, cause, launch, thread});
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
      case PathKind::wait_end:
        return copies_pageable(trace_, segment.slice) ? IdleCause::pageable : IdleCause::synchronisation;
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
    if (segment.kind != PathKind::call) return IdleCause::late_launch;
    if (is_allocation(trace_, slice)) return IdleCause::allocation;
    if (!starts_copy(slice)) return IdleCause::late_launch;
    return copies_pageable(trace_, slice) ? IdleCause::pageable : IdleCause::copy;
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
  bool has_pageable_copies_ = false;
  std::unordered_set<SliceId> waits_for_copies_;
  std::map<trace::TrackId, std::vector<Hold>> holds_;                 // by thread, by time
  std::int64_t last_end_ = std::numeric_limits<std::int64_t>::min();  // of the gap before
  SliceId held_by_ = trace::no_slice;  // the call of pageable_hold(), and what is left of its time
  std::int64_t held_ = 0;
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
