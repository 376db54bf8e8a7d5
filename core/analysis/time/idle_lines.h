#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/modules/code_place.h"
#include "core/analysis/time/idle.h"

namespace warpwalk::analysis {

/// What the CPU did while a GPU was idle, or what it had launched, by line of the program. Times that the trace does
/// not explain (IdleCause::unknown, unrecorded) are of no line.
struct IdleLine {
  std::string line;            ///< "train.py(12): step"; without one, the op, call or range; empty: nothing is recorded
  SliceId seen_in = no_slice;  ///< its longest slice
  std::int64_t time = 0;       ///< ns
  IdleCause cause = IdleCause::unknown;  ///< that takes most of it
};

/// The lines of these parts of gaps, the longest first, at most `limit`.
std::vector<IdleLine> idle_lines(const Trace& trace, const CodePlaces& places, std::span<const IdlePart> parts,
                                 std::size_t limit);

/// The same for parts that come one after the other.
class IdleLineSums {
 public:
  /// Both must outlive this.
  IdleLineSums(const Trace& trace, const CodePlaces& places);
  ~IdleLineSums();
  IdleLineSums(const IdleLineSums&) = delete;
  IdleLineSums& operator=(const IdleLineSums&) = delete;

  void add(std::span<const IdlePart> parts);
  std::vector<IdleLine> longest(std::size_t limit) const;

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

/// The lines of all idle times and the culprit, found in one pass over the gaps.
struct IdleLines {
  std::vector<IdleLine> lines;
  IdleLine culprit;
};
IdleLines idle_lines_and_culprit(const Trace& trace, const CodePlaces& places, const IdleReport& report,
                                 std::size_t limit);

/// Who is to blame for the largest part of the time in which a GPU did not compute (IdleReport::cause): the line with
/// the most of the gaps that count for it, and of the times in which only the copies or collectives that it launched
/// ran. Without time if there is none. Never more than IdleReport::time_of.
IdleLine culprit_of(const Trace& trace, const CodePlaces& places, const IdleReport& report);

/// What the profiler recorded beside the events themselves and what made the CPU slower by it: "with_stack",
/// "profile_memory". They are in the file; with_stack also shows in Python frames.
std::vector<std::string_view> slowing_options(const Trace& trace);
}  // namespace warpwalk::analysis
