#include "core/gpu/timing/instruction_fetch.h"

#include <algorithm>
#include <limits>

namespace warpwalk::gpu {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

}  // namespace

InstructionFetch::InstructionFetch(const Timing& timing, std::uint64_t lines)
    : timing_(timing),
      lines_(lines),
      l0_(static_cast<std::size_t>(timing.sub_partitions),
          std::vector<Line>(std::max<std::size_t>(1, static_cast<std::size_t>(timing.icache_l0_lines)))) {}

double InstructionFetch::from_l1(std::uint64_t line, double now, std::vector<std::uint64_t>& wanted) {
  if (line >= static_cast<std::uint64_t>(timing_.icache_l1_lines)) {
    const auto [found, added] = l1_.try_emplace(line, unknown);
    if (added) wanted.push_back(line);
    if (found->second == unknown) return unknown;
    now = std::max(now, found->second);
  }
  return l1_port_.take(now, timing_.interval_icache) + timing_.latency_icache;
}

void InstructionFetch::keep(std::vector<Line>& cache, std::uint64_t line, double ready) {
  const auto oldest = std::ranges::min_element(cache, {}, &Line::last_use);
  *oldest = {line, ready, ++clock_};
}

double InstructionFetch::ready(unsigned sub_partition, std::uint64_t line, double now,
                               std::vector<std::uint64_t>& wanted) {
  std::vector<Line>& cache = l0_[sub_partition];
  const auto found = std::ranges::find(cache, line, &Line::number);
  if (found != cache.end()) {
    found->last_use = ++clock_;
    if (found->ready != unknown) return found->ready;
  }
  const double ready = from_l1(line, now, wanted);
  if (found != cache.end()) {
    found->ready = ready;
  } else {
    keep(cache, line, ready);
  }
  for (std::uint64_t next = line + 1; next <= line + static_cast<std::uint64_t>(timing_.icache_prefetch); ++next)
    if (next < lines_ && std::ranges::find(cache, next, &Line::number) == cache.end())
      keep(cache, next, from_l1(next, now, wanted));
  return ready;
}

void InstructionFetch::arrived(std::uint64_t line, double at) {
  const auto found = l1_.find(line);
  if (found == l1_.end()) return;
  found->second = l2_port_.take(at, timing_.interval_icache_l2);
  l1_order_.push_back(line);
  const auto limit = std::max<std::size_t>(16, static_cast<std::size_t>(timing_.icache_l1_lines));
  if (l1_order_.size() - oldest_ <= limit) return;
  l1_.erase(l1_order_[oldest_++]);
  if (oldest_ > limit) {
    l1_order_.erase(l1_order_.begin(), l1_order_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    oldest_ = 0;
  }
}

}  // namespace warpwalk::gpu
