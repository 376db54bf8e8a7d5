#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "core/gpu/timing/l2.h"
#include "core/gpu/timing/memory_request.h"
#include "core/gpu/timing/time_sort.h"

namespace warpwalk::gpu {

/// The units that all SMs share: the crossbar, L2 and HBM. SMs run on their own for an epoch, then their requests are
/// served together in the order of their times, so that the result does not depend on the host's threads.
class MemorySystem {
 public:
  explicit MemorySystem(L2 l2) : l2_(std::move(l2)) {}

  /// Cycles that an epoch may last: every response comes in a later epoch than its request.
  double epoch() const { return l2_.least_latency() / 2; }

  /// Serves the requests of an epoch that ends at `end`. Calls respond(sm, MemoryResponse) for every response that
  /// leaves before a request of the next epoch could.
  template <class Respond>
  void serve(std::vector<MemoryRequest>& requests, double end, Respond respond);

  /// True if no response is on its way.
  bool idle() const { return left_ == 0; }
  const L2& l2() const { return l2_; }
  L2& l2() { return l2_; }

 private:
  struct Leaving {
    double time = 0;
    std::uint32_t id = 0;
    std::uint16_t sm = 0;
    std::uint8_t sectors = 0;
    DataSource source = DataSource::l2;
  };

  std::size_t period_of(double time) const { return static_cast<std::size_t>(std::max(0.0, time / epoch())); }
  void add(const Leaving& leaving);
  /// Moves the responses that leave before `end` to due_, in the order of their times and then of their requests.
  void take_due(double end);

  L2 l2_;
  TimeSort<MemoryRequest> request_sort_;
  TimeSort<Leaving> leaving_sort_;
  std::deque<std::vector<Leaving>> leaving_;  ///< by the epoch's length in which they leave, from first_period_ on
  std::size_t first_period_ = 0;
  std::size_t left_ = 0;  ///< responses in leaving_
  std::vector<Leaving> due_;
};

inline void MemorySystem::add(const Leaving& leaving) {
  const std::size_t period = std::max(period_of(leaving.time), first_period_) - first_period_;
  if (period >= leaving_.size()) leaving_.resize(period + 1);
  leaving_[period].push_back(leaving);
  ++left_;
}

inline void MemorySystem::take_due(double end) {
  due_.clear();
  const std::size_t last = period_of(end);
  while (!leaving_.empty() && first_period_ < last) {
    due_.insert(due_.end(), leaving_.front().begin(), leaving_.front().end());
    std::vector<Leaving> emptied = std::move(leaving_.front());
    leaving_.pop_front();
    ++first_period_;
    emptied.clear();
    leaving_.push_back(std::move(emptied));  // its memory is used again
  }
  first_period_ = std::max(first_period_, last);
  if (!leaving_.empty()) {
    std::vector<Leaving>& partly = leaving_.front();
    std::size_t kept = 0;
    for (const Leaving& one : partly) {
      if (one.time < end)
        due_.push_back(one);
      else
        partly[kept++] = one;
    }
    partly.resize(kept);
  }
  left_ -= due_.size();
  leaving_sort_.sort(due_);
}

template <class Respond>
void MemorySystem::serve(std::vector<MemoryRequest>& requests, double end, Respond respond) {
  // Each SM's requests are in the order in which it sent them, and SM by SM, so a stable sort makes ties deterministic.
  request_sort_.sort(requests);
  constexpr std::size_t sets_ahead = 16, lines_ahead = 8;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (i + sets_ahead < requests.size()) l2_.prefetch_sets(requests[i + sets_ahead]);
    if (i + lines_ahead < requests.size()) l2_.prefetch_lines(requests[i + lines_ahead]);
    const MemoryRequest& request = requests[i];
    const double leaves = l2_.serve(request);
    if (request.id == 0) continue;
    add({leaves, request.id, request.sm, request.confirms ? std::uint8_t{0} : request.sectors, l2_.source()});
  }
  take_due(end + epoch());
  for (const Leaving& next : due_)
    respond(next.sm,
            MemoryResponse{l2_.return_to(next.sm, next.time, sector_count(next.sectors)), next.id, next.source});
}

}  // namespace warpwalk::gpu
