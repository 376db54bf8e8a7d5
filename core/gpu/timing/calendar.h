#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpwalk::gpu {

/// A unit that serves requests whose times are not in order: a request that was held up elsewhere must not hold up
/// others that reach the unit before it. Time is divided into windows; each can serve as many cycles of work as it is
/// long. A request takes the first room from its arrival on.
class Calendar {
 public:
  /// Returns when a request that arrives at `at` is served; it needs `cycles` of the unit's time.
  double take(double at, double cycles) {
    auto window = static_cast<std::int64_t>(at / window_cycles);
    double left = cycles, start = -1;
    if (window >= full_from_ && window < full_to_) window = full_to_;
    const std::int64_t first = window;
    for (;; ++window) {
      Window& here = windows_[static_cast<std::size_t>(window) % windows_.size()];
      // A newer number: the backlog is longer than the ring, so this window was full.
      if (here.number < window) here = {window, 0};
      if (here.number > window || here.used >= window_cycles) continue;
      if (start < 0 && window > first) note_full(first, window);
      // Within the window, work is done in the order of the calls, from its start or from the arrival on.
      const double begin = std::max(at, static_cast<double>(window) * window_cycles + here.used);
      if (start < 0) start = begin;
      const double part = std::min(left, window_cycles - here.used);
      here.used += part;
      left -= part;
      if (left <= 0) return start;
    }
  }

 private:
  /// Remembers that the windows from `first` to before `end` are full.
  void note_full(std::int64_t first, std::int64_t end) {
    if (first > full_to_ || end < full_from_) full_from_ = first;
    full_from_ = std::min(full_from_, first);
    full_to_ = end;
  }

  /// Cycles per window: short against the latencies of the memory, long against the time of a request.
  static constexpr double window_cycles = 32;
  struct Window {
    std::int64_t number = -1;
    double used = 0;
  };
  /// Windows that may be in use at once.
  std::vector<Window> windows_ = std::vector<Window>(4096);
  std::int64_t full_from_ = 0, full_to_ = 0;  ///< a run of full windows
};

}  // namespace warpwalk::gpu
