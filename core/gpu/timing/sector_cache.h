#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpwalk::gpu {

/// A set-associative cache with lines of 128 bytes that consist of four sectors of 32 bytes, replaced in the order of
/// their last use. It stores which sectors are present, not their data. `Line` is what the cache's owner notes about a
/// line; a Line with a member `arriving` that is not 0 is not replaced.
template <class Line>
class SectorCache {
 public:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// `lines` is rounded down to a multiple of `ways`; at least one set.
  SectorCache(std::uint64_t lines, unsigned ways)
      : sets_(std::max<std::uint64_t>(1, lines / ways)),
        ways_(ways),
        tags_(sets_ * ways, empty),
        last_use_(sets_ * ways),
        lines_(sets_ * ways) {}

  /// The index of the line with this number, or none.
  std::uint32_t find(std::uint64_t line, std::uint64_t set_hash) const {
    const std::uint32_t first = first_of(set_hash);
    for (std::uint32_t index = first; index < first + ways_; ++index)
      if (tags_[index] == line) return index;
    return none;
  }
  /// The index of a place for a line that is not there. Its number is `empty` if it was not used yet. None if all lines
  /// of the set have arriving sectors. Of lines that were used at the same time, the one with the lowest number goes.
  std::uint32_t victim(std::uint64_t set_hash) const;
  /// Gives a place to a line, of which nothing is noted yet.
  void assign(std::uint32_t index, std::uint64_t line) {
    tags_[index] = line;
    lines_[index] = {};
  }
  /// Notes that the line was used now.
  void use(std::uint32_t index) { last_use_[index] = ++clock_; }
  /// Frees the place of a line.
  void remove(std::uint32_t index) { tags_[index] = empty; }

  // What stays between launches. A step is a time that is later than all uses before it; lines of a step count as used
  // at the same time.
  void begin_step() { clock_ = ++step_; }
  void use_in_step(std::uint32_t index) { last_use_[index] = clock_; }
  /// Gathers all uses since the last step in `steps` steps, in their order.
  void gather_uses(std::uint32_t steps);
  /// Steps since a line was used.
  std::uint32_t age(std::uint32_t index) const { return step_ - last_use_[index]; }
  /// Sets it, for a place that was just assigned.
  void set_age(std::uint32_t index, std::uint32_t age) { last_use_[index] = step_ - age; }
  std::uint64_t sets() const { return sets_; }
  std::uint64_t set_of(std::uint64_t set_hash) const { return set_hash % sets_; }
  unsigned ways() const { return ways_; }

  Line& at(std::uint32_t index) { return lines_[index]; }
  const Line& at(std::uint32_t index) const { return lines_[index]; }
  /// Indices are 0 to size() - 1; those of a set follow one another.
  std::uint32_t size() const { return static_cast<std::uint32_t>(lines_.size()); }
  /// The number of a line: address / 128.
  std::uint64_t number_of(std::uint32_t index) const { return tags_[index]; }
  const std::vector<Line>& lines() const { return lines_; }
  std::size_t bytes() const { return lines_.size() * (sizeof(Line) + sizeof tags_[0] + sizeof last_use_[0]); }

  /// Brings what find() and victim() read into the host's caches.
  void prefetch_set(std::uint64_t set_hash) const {
    const std::uint32_t first = first_of(set_hash);
    constexpr std::uint32_t host_line = 64;
    for (std::uint32_t way = 0; way < ways_; way += host_line / sizeof tags_[0])
      __builtin_prefetch(&tags_[first + way]);
    __builtin_prefetch(&last_use_[first]);
  }
  /// The same for a line, if it is there.
  void prefetch_line(std::uint64_t line, std::uint64_t set_hash) const {
    if (const std::uint32_t index = find(line, set_hash); index != none) __builtin_prefetch(&lines_[index]);
  }

 private:
  std::uint32_t first_of(std::uint64_t set_hash) const { return static_cast<std::uint32_t>(set_hash % sets_ * ways_); }

  std::uint64_t sets_;
  unsigned ways_;
  std::uint32_t clock_ = 0, step_ = 0;
  // Apart from the lines, so that a search reads few of the host's cache lines.
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint32_t> last_use_;
  std::vector<Line> lines_;
};

template <class Line>
std::uint32_t SectorCache<Line>::victim(std::uint64_t set_hash) const {
  const std::uint32_t first = first_of(set_hash);
  std::uint32_t best = none;
  for (std::uint32_t index = first; index < first + ways_; ++index) {
    if (tags_[index] == empty) return index;
    if constexpr (requires { lines_[index].arriving; })
      if (lines_[index].arriving != 0) continue;
    // The difference keeps the order when the counter wraps.
    const std::uint32_t unused = clock_ - last_use_[index], longest = best == none ? 0 : clock_ - last_use_[best];
    if (best == none || unused > longest || (unused == longest && tags_[index] < tags_[best])) best = index;
  }
  return best;
}

template <class Line>
void SectorCache<Line>::gather_uses(std::uint32_t steps) {
  const std::uint32_t uses = clock_ - step_;
  for (std::uint32_t& last : last_use_) {
    const std::uint32_t since = last - step_;  // 1 to `uses`, unless it was used before
    if (since - 1 < uses) last = step_ + 1 + static_cast<std::uint32_t>(std::uint64_t{since - 1} * steps / uses);
  }
  step_ += steps;
  clock_ = step_;
}

}  // namespace warpwalk::gpu
