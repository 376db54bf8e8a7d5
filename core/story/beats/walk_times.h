#pragma once

#include <any>
#include <map>
#include <optional>
#include <typeindex>

#include "core/analysis/slices.h"
#include "core/story/facts/launch/receipt.h"

namespace warpwalk::story {

/// A walk and its times, which decide the beats that it has and their anchors. Expensive results are computed once, at
/// their first use.
class WalkTimes {
 public:
  WalkTimes(const Trace& t, const Walk& w) : trace(t), walk(w) {}

  const Trace& trace;
  const Walk& walk;

  const std::optional<Receipt>& receipt() const { return once(receipt_of); }
  /// The result of `make` for this walk, computed at its first use. Results are kept by type, so each type must have
  /// only one such function.
  template <class T>
  const T& once(T (*make)(const Trace&, const Walk&)) const {
    std::any& made = made_[typeid(T)];
    if (!made.has_value()) made = make(trace, walk);
    return *std::any_cast<T>(&made);
  }
  /// Whether the followed GPU work has a launch call but no time.
  bool untimed_launch() const { return walk.launch != no_slice && is_untimed(trace, walk); }
  /// ns since the trace's start: the start and the end of a slice of this walk, the end of the trace.
  std::int64_t start(SliceId slice) const { return analysis::since_start(trace, trace.slices.start[slice]); }
  std::int64_t end(SliceId slice) const { return analysis::since_start(trace, trace.slices.end(slice)); }
  std::int64_t end_of_trace() const { return analysis::since_start(trace, trace.end_ns); }

 private:
  mutable std::map<std::type_index, std::any> made_;
};

/// BeatOf::anchor of the beat of a walk that is empty.
inline std::optional<std::int64_t> empty_anchor(const WalkTimes& times) {
  return times.walk.empty() ? std::optional<std::int64_t>(0) : std::nullopt;
}

}  // namespace warpwalk::story
