#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gpu/timing/memory_request.h"

namespace warpwalk::gpu {

/// Events in the order of their members `time` and, for the same time, `order`. Most events lie a few hundred cycles
/// ahead, so there is a list for each of the next cycles; only those that are further ahead are in a heap.
template <class Event>
class EventQueue {
 public:
  static constexpr std::int64_t never = std::int64_t{1} << 62;

  bool empty() const { return near_ == 0 && far_.empty(); }
  std::size_t size() const { return near_ + far_.size(); }

  void push(const Event& event) {
    const std::int64_t cycle = std::max(cycle_of(event.time), begin_);
    if (cycle >= begin_ + cycles) {
      far_.push_back(event);
      std::ranges::push_heap(far_, later);
    } else {
      add(event, cycle);
    }
  }

  /// The cycle of the first event; never if there is none.
  std::int64_t next_cycle() const {
    if (near_ == 0) return far_.empty() ? never : std::max(begin_, cycle_of(far_.front().time));
    const auto from = static_cast<std::size_t>(begin_ % cycles);
    std::size_t word = from / 64;
    std::uint64_t bits = used_[word] & ~std::uint64_t{0} << from % 64;
    while (bits == 0) {
      word = (word + 1) % used_.size();
      bits = used_[word];
    }
    const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    return begin_ + static_cast<std::int64_t>((place - from) % cycles);
  }

  /// Takes the first event if it happens by the cycle `now`, which must not be before that of an earlier call.
  bool pop(std::int64_t now, Event& event) {
    if (now > begin_) advance(now);
    List& list = lists_[static_cast<std::size_t>(begin_ % cycles)];
    if (list.first == none) return false;
    const std::uint32_t taken = list.first;
    event = nodes_[taken].event;
    list.first = nodes_[taken].next;
    if (list.first == none) mark(begin_, false);
    nodes_[taken].next = free_;
    free_ = taken;
    --near_;
    return true;
  }

 private:
  static constexpr std::int64_t cycles = 512;  ///< that have a list
  static constexpr std::uint32_t none = 0xffffffff;
  struct Node {
    Event event;
    std::uint32_t next;
  };
  struct List {
    std::uint32_t first = none, last = none;
  };

  static bool before(const Event& a, const Event& b) { return a.time != b.time ? a.time < b.time : a.order < b.order; }
  static bool later(const Event& a, const Event& b) { return before(b, a); }

  void mark(std::int64_t cycle, bool is_used) {
    const auto place = static_cast<std::size_t>(cycle % cycles);
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    used_[place / 64] = is_used ? used_[place / 64] | bit : used_[place / 64] & ~bit;
  }

  void add(const Event& event, std::int64_t cycle) {
    std::uint32_t added = free_;
    if (added == none) {
      added = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[added].next;
    }
    ++near_;
    nodes_[added] = {event, none};
    List& list = lists_[static_cast<std::size_t>(cycle % cycles)];
    if (list.first == none) {
      list = {added, added};
      mark(cycle, true);
    } else if (!before(event, nodes_[list.last].event)) {
      nodes_[list.last].next = added;
      list.last = added;
    } else {
      std::uint32_t* to = &list.first;
      while (!before(event, nodes_[*to].event)) to = &nodes_[*to].next;
      nodes_[added].next = *to;
      *to = added;
    }
  }

  /// Moves the first list to the cycle `now`. There are no events before it.
  void advance(std::int64_t now) {
    const std::int64_t first = next_cycle();
    begin_ = std::min(now, first);
    while (!far_.empty() && cycle_of(far_.front().time) < begin_ + cycles) {
      std::ranges::pop_heap(far_, later);
      const Event event = far_.back();
      far_.pop_back();
      add(event, std::max(cycle_of(event.time), begin_));
    }
  }

  std::int64_t begin_ = 0;                         ///< cycle of the first list
  std::size_t near_ = 0;                           ///< events in lists
  std::array<std::uint64_t, cycles / 64> used_{};  ///< lists that are not empty, a bit each
  std::vector<List> lists_ = std::vector<List>(cycles);
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;  ///< the first of the unused nodes
  std::vector<Event> far_;     ///< a heap
};

}  // namespace warpwalk::gpu
