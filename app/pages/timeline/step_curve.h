#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpwalk::pages {

/// A value that changes in steps, prepared so that the extremes of any range of time are found without reading all
/// changes. Times are in any unit.
class StepCurve {
 public:
  struct Extremes {
    std::int64_t low = 0, high = 0;
  };

  /// From `time` on the curve has this value. Times must not decrease.
  void add(std::int64_t time, std::int64_t value);
  /// Completes the curve; call once, after the last add().
  void finish();

  bool empty() const { return times_.empty(); }
  std::size_t size() const { return times_.size(); }
  /// The value at a time; none before the first change.
  std::optional<std::int64_t> at(std::int64_t time) const;
  /// The least and the greatest value in [from, to); none if the curve begins later. `from` < `to`.
  std::optional<Extremes> within(std::int64_t from, std::int64_t to) const;
  /// Of the whole curve; 0 if it is empty.
  std::int64_t highest() const { return empty() ? 0 : extremes_of(0, size()).high; }

 private:
  Extremes extremes_of(std::size_t first, std::size_t last) const;

  std::vector<std::int64_t> times_;
  /// The values, and above them the extremes of each `radix` rows of the level below.
  std::vector<std::vector<Extremes>> levels_ = {{}};
};

}  // namespace warpwalk::pages
