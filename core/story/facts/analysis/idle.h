#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/elements/narration.h"
#include "core/trace/trace.h"

namespace warpwalk::story {

/// Why a GPU did nothing. The rules are checked in this order; the first that applies is the cause. `work` is what
/// ended the gap (of several, the one that comes first in the trace), `launch` the call that started it.
enum class IdleCause : std::uint8_t {
  profiler,    ///< the profiler's own work covers more than half of the gap
  unknown,     ///< the trace has no launch of the work
  copy,        ///< the work is a copy or a fill, and the call that started it took more than half of the gap; or, in
               ///< the place of late_launch, the launching thread was starting a copy when the gap began
  dependency,  ///< launched in time, but after a call that made its stream wait for another one
  latency,     ///< launched in time: the GPU needed this long to begin
  synchronisation,  ///< launched too late: the launching thread was waiting for the GPU when the gap began
  late_launch,      ///< launched too late for another reason: the CPU was not ahead of the GPU
};
constexpr std::size_t idle_causes = static_cast<std::size_t>(IdleCause::late_launch) + 1;
/// "late launch", "synchronisation" ...: also the key of its words in the narration, with _ for the space.
std::string_view name_of(IdleCause cause);

/// A time in which no stream of a GPU had work.
struct IdleGap {
  std::int64_t from = 0, to = 0;  ///< ns since the trace's base
  IdleCause cause = IdleCause::unknown;
  trace::SliceId work = trace::no_slice;  ///< that ended it
  /// The slice that shows the cause: the waiting call, the call that starts a copy, the wait for another stream, else
  /// the launch; no_slice if there is none.
  trace::SliceId seen_in = trace::no_slice;

  std::int64_t length() const { return to - from; }
};

/// The largest share of the span.
enum class IdleVerdict : std::uint8_t {
  nothing,
  busy,
  launch_bound,
  synchronised,
  copy_bound,
  dependent,
  profiled,
  unexplained
};
std::string_view name_of(IdleVerdict verdict);

/// The times of a GPU without work between the first and the last work on it. All times are in ns.
struct IdleReport {
  std::int64_t device = trace::absent;
  std::int64_t from = 0, to = 0;                  ///< the span
  std::int64_t computing = 0;                     ///< at least one kernel ran
  std::int64_t copying = 0;                       ///< only copies and fills ran
  std::vector<IdleGap> gaps;                      ///< by time
  std::array<std::int64_t, idle_causes> time{};   ///< by cause
  std::array<std::size_t, idle_causes> counts{};  ///< likewise: gaps

  std::int64_t span() const { return to - from; }
  std::int64_t idle() const { return span() - computing - copying; }
  std::int64_t of(IdleCause cause) const { return time[static_cast<std::size_t>(cause)]; }
  /// Late launches and latency count as launch-bound; copies, and gaps due to them, as copy-bound.
  IdleVerdict verdict() const;
};

/// One report for each GPU with timed work, by number.
std::vector<IdleReport> idle_reports(const trace::Trace& trace);

/// The words of a cause: "launched too late".
std::string cause_text(const Narration& narration, IdleCause cause);
/// The verdict as a sentence with its shares.
std::string verdict_text(const Narration& narration, const IdleReport& report);
/// "12.3 %", or "< 0.1 %" for what is not nothing but would be shown as such.
std::string share_text(std::int64_t part, std::int64_t whole);

}  // namespace warpwalk::story
