#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/time/critical_path.h"
#include "core/analysis/time/verdict.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// After a launch, a GPU begins within a few dozen µs. If it takes longer (ns), something that the trace does not have
/// kept it: work that was not recorded, or an event that was recorded before the trace began.
constexpr std::int64_t longest_start = 100'000;
/// Start and duration are rounded to ns, so work can begin this much (ns) after work that it follows without a pause.
/// Such times are "between kernels", and no gaps.
constexpr std::int64_t rounding_of_times = 1;

/// A stretch of a gap with one cause. Times are ns since the trace's base.
struct IdlePart {
  std::int64_t from = 0, to = 0;
  IdleCause cause = IdleCause::unknown;
  /// What shows the cause: the frame, op or call that the CPU was in, the call that waited, the launch; no_slice if
  /// nothing is recorded.
  trace::SliceId seen_in = trace::no_slice;
  trace::TrackId thread = PathSegment::no_track;  ///< the thread that was in it, if it is known

  std::int64_t length() const { return to - from; }
};

/// A time in which no stream of a GPU had work.
struct IdleGap {
  std::int64_t from = 0, to = 0;             ///< ns since the trace's base
  trace::SliceId work = trace::no_slice;     ///< that ended it
  IdleCause cause = IdleCause::unknown;      ///< that takes most of it
  trace::SliceId seen_in = trace::no_slice;  ///< of the longest part with this cause
  std::size_t first_part = 0, parts = 0;     ///< in IdleReport::parts; they add up to the gap

  std::int64_t length() const { return to - from; }
};

/// The times of a GPU without work between the first and the last work on it. All times are in ns; computing,
/// communicating, copying and the idle times by cause add up to the span.
struct IdleReport {
  std::int64_t device = trace::absent;
  std::int64_t from = 0, to = 0;                  ///< the span
  bool from_step = false;                         ///< it begins with the step of the first work (StepStarts in idle.cpp)
  std::int64_t computing = 0;                     ///< at least one kernel computed
  std::int64_t communicating = 0;                 ///< kernels ran, all of them exchanging data with other GPUs
  std::int64_t copying = 0;                       ///< only copies and fills ran
  std::vector<IdleGap> gaps;                      ///< by time
  std::vector<IdlePart> parts;                    ///< of all gaps, by time
  std::array<std::int64_t, idle_causes> time{};   ///< by cause
  std::array<std::size_t, idle_causes> counts{};  ///< likewise: gaps with such a part

  std::int64_t span() const { return to - from; }
  std::int64_t kernels() const { return computing + communicating; }
  std::int64_t idle() const { return span() - computing - communicating - copying; }
  /// Without the time in which the GPU may have done work that was not recorded.
  std::int64_t known_idle() const { return idle() - of(IdleCause::unrecorded); }
  std::int64_t of(IdleCause cause) const { return time[static_cast<std::size_t>(cause)]; }
  std::span<const IdlePart> parts_of(const IdleGap& gap) const {
    return std::span(parts).subspan(gap.first_part, gap.parts);
  }
  IdleVerdict verdict() const;
  /// The largest share but computing: what to look at first. `nothing` if the GPU always computed.
  IdleVerdict cause() const;
  /// The largest share of those from this verdict on, without the time that the trace does not explain.
  IdleVerdict largest_known(IdleVerdict first = IdleVerdict::busy) const;
  /// The time by which a verdict is found: work of its kind and the gaps that count for it.
  std::int64_t time_of(IdleVerdict verdict) const;
};

/// One report for each GPU with timed work, by number.
std::vector<IdleReport> idle_reports(const trace::Trace& trace);
/// The same with paths that exist already.
std::vector<IdleReport> idle_reports(const trace::Trace& trace, const PathFinder& paths);

/// Gets each gap with its parts, GPU by GPU and by time. `reports`: those of all GPUs, of which the times of work are
/// known and those of gaps grow; `gpu`: its number in them.
using IdleGapReader = std::function<void(std::span<const IdleReport> reports, std::size_t gpu, const IdleGap& gap,
                                         std::span<const IdlePart> parts)>;
/// The same reports without the lists of gaps and parts, which can take as much memory as the trace: `read` gets each
/// gap as it is found (its first_part is 0).
std::vector<IdleReport> idle_sums(const trace::Trace& trace, const PathFinder& paths, const IdleGapReader& read);

}  // namespace warpwalk::analysis
