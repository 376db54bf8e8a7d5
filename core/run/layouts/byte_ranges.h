#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpwalk::run {

/// A set of bytes, as ranges.
class ByteRanges {
 public:
  void add(std::uint64_t begin, std::uint64_t bytes) {
    ranges_.emplace_back(begin, begin + bytes);
    sorted_ = false;
  }
  bool empty() const { return ranges_.empty(); }
  bool contains(std::uint64_t begin, std::uint64_t bytes) const {
    sort();
    auto at = std::ranges::upper_bound(ranges_, begin, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
    return at != ranges_.begin() && (--at)->second >= begin + bytes;
  }
  /// Whether all bytes are in the other set, too.
  bool within(const ByteRanges& other) const {
    sort();
    return std::ranges::all_of(ranges_, [&](const auto& r) { return other.contains(r.first, r.second - r.first); });
  }
  std::uint64_t first() const {
    sort();
    return ranges_.front().first;
  }

 private:
  void sort() const {
    if (sorted_) return;
    std::ranges::sort(ranges_);
    std::size_t kept = 0;
    for (const auto& range : ranges_) {
      if (kept > 0 && range.first <= ranges_[kept - 1].second)
        ranges_[kept - 1].second = std::max(ranges_[kept - 1].second, range.second);
      else
        ranges_[kept++] = range;
    }
    ranges_.resize(kept);
    sorted_ = true;
  }

  mutable std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
  mutable bool sorted_ = true;
};

}  // namespace warpwalk::run
