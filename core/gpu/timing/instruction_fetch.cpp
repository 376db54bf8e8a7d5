#include "core/gpu/timing/instruction_fetch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwalk::gpu {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Lines that must be on their way for a stream that is limited by the interval between two of them.
std::uint64_t depth_of(const Timing& timing) {
  const double enough = std::ceil(timing.latency_icache / std::max(1.0, timing.interval_icache));
  return static_cast<std::uint64_t>(std::max(timing.icache_prefetch, enough));
}

/// Cycles between two lines that a sub-partition gets. Other kernels have run on the SM before a warm launch, so that
/// its cache has lost a part of the code: after kernels of 64 KB, code of 48 KB takes 2.2 cycles per instruction, and
/// code of 128 KB 3.9, as if its second half came at the 5.6 of L2 (an H100 and an H200, by CUPTI).
double interval_of(const Timing& timing, bool warm, std::uint64_t line) {
  const bool lost = warm && static_cast<double>(line) >= timing.icache_l1_lines / 2;
  return lost ? timing.interval_icache_l2 : timing.interval_icache;
}

}  // namespace

InstructionFetch::InstructionFetch(const Timing& timing, std::uint64_t lines, CacheStart caches)
    : timing_(timing),
      lines_(lines),
      warm_(caches != CacheStart::cold),
      depth_(depth_of(timing)),
      l0_(static_cast<std::size_t>(timing.sub_partitions),
          std::vector<Line>(std::max<std::size_t>(1, static_cast<std::size_t>(timing.icache_l0_lines)))),
      l1_ports_(l0_.size()) {}

double InstructionFetch::from_l1(unsigned sub_partition, std::uint64_t line, double now,
                                 std::vector<std::uint64_t>& wanted) {
  if (line >= static_cast<std::uint64_t>(timing_.icache_l1_lines)) {
    const auto [found, added] = l1_.try_emplace(line, unknown);
    if (added) wanted.push_back(line);
    if (found->second == unknown) return unknown;
    now = std::max(now, found->second);
  }
  return l1_ports_[sub_partition].take(now, interval_of(timing_, warm_, line)) + timing_.latency_icache;
}

void InstructionFetch::keep(std::vector<Line>& cache, std::uint64_t line, double ready) {
  const auto oldest = std::ranges::min_element(cache, {}, &Line::last_use);
  *oldest = {line, ready, ++clock_};
}

void InstructionFetch::ahead(unsigned sub_partition, std::uint64_t line, double now,
                             std::vector<std::uint64_t>& wanted) {
  std::vector<Line>& cache = l0_[sub_partition];
  if (line < lines_ && std::ranges::find(cache, line, &Line::number) == cache.end())
    keep(cache, line, from_l1(sub_partition, line, now, wanted));
}

double InstructionFetch::ready(unsigned sub_partition, std::uint64_t line, double now,
                               std::vector<std::uint64_t>& wanted) {
  std::vector<Line>& cache = l0_[sub_partition];
  const auto found = std::ranges::find(cache, line, &Line::number);
  if (found != cache.end()) {
    found->last_use = ++clock_;
    if (const double ready = found->ready; ready != unknown) {
      ahead(sub_partition, line + depth_, now, wanted);
      return ready;
    }
  }
  const double ready = from_l1(sub_partition, line, now, wanted);
  if (found != cache.end()) {
    found->ready = ready;
  } else {
    keep(cache, line, ready);
  }
  for (std::uint64_t next = line + 1; next <= line + depth_; ++next) ahead(sub_partition, next, now, wanted);
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
