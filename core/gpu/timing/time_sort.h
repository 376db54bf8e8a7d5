#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpwalk::gpu {

/// Sorts items by their member `time`; items with the same time keep their order. Times are mostly spread over an
/// interval, so items are distributed to as many parts of it as there are items, and hardly need sorting then.
template <class T>
class TimeSort {
 public:
  void sort(std::vector<T>& items) {
    if (items.size() < 2) return;
    const auto [first, last] = std::ranges::minmax(items, {}, &T::time);
    const double begin = first.time;
    if (!(last.time > begin)) return;
    const std::size_t parts = std::bit_ceil(items.size());
    const double scale = static_cast<double>(parts) / (last.time - begin);
    const auto part_of = [&](const T& item) {
      const double part = (item.time - begin) * scale;
      return static_cast<std::uint32_t>(std::min(part, static_cast<double>(parts - 1)));
    };
    starts_.assign(parts + 1, 0);
    parts_.clear();
    for (const T& item : items) {
      parts_.push_back(part_of(item));
      ++starts_[parts_.back() + 1];
    }
    for (std::size_t part = 1; part < parts; ++part) starts_[part] += starts_[part - 1];
    sorted_.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) sorted_[starts_[parts_[i]]++] = items[i];
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      if (!(sorted_[i].time < sorted_[i - 1].time)) continue;
      const T item = sorted_[i];
      std::size_t to = i;
      for (; to > 0 && item.time < sorted_[to - 1].time; --to) sorted_[to] = sorted_[to - 1];
      sorted_[to] = item;
    }
    std::swap(items, sorted_);
  }

 private:
  std::vector<std::uint32_t> parts_;   ///< of each item
  std::vector<std::uint32_t> starts_;  ///< by part: where its next item goes
  std::vector<T> sorted_;
};

}  // namespace warpwalk::gpu
