#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "core/gpu/timing/l2.h"
#include "core/gpu/timing/memory_request.h"

namespace warpwalk::gpu {

/// The units that all SMs share: the crossbar, L2 and HBM. SMs run on their own for an epoch, then their requests are
/// served together in the order of their times, so that the result does not depend on the host's threads.
class MemorySystem {
 public:
  MemorySystem(const Timing& timing, const Device& device) : l2_(timing, device) {}

  /// Cycles that an epoch may last: every response comes in a later epoch than its request.
  double epoch() const { return l2_.least_latency() / 2; }

  /// Serves the requests of an epoch that ends at `end`. Calls respond(sm, MemoryResponse) for every response that
  /// leaves before a request of the next epoch could.
  template <class Respond>
  void serve(std::vector<MemoryRequest>& requests, double end, Respond respond);

  /// True if no response is on its way.
  bool idle() const { return leaving_.empty(); }
  const L2& l2() const { return l2_; }
  L2& l2() { return l2_; }

 private:
  struct Leaving {
    double time;
    std::uint64_t order;  ///< of the requests, so that ties are deterministic
    std::uint32_t id;
    std::uint16_t sm;
    std::uint8_t sectors;
    DataSource source;
    bool operator>(const Leaving& other) const { return time != other.time ? time > other.time : order > other.order; }
  };

  L2 l2_;
  std::uint64_t served_ = 0;
  std::priority_queue<Leaving, std::vector<Leaving>, std::greater<>> leaving_;
};

template <class Respond>
void MemorySystem::serve(std::vector<MemoryRequest>& requests, double end, Respond respond) {
  // Each SM's requests are in the order in which it sent them, and SM by SM, so a stable sort makes ties deterministic.
  std::ranges::stable_sort(requests, {}, &MemoryRequest::time);
  for (const MemoryRequest& request : requests) {
    const double leaves = l2_.serve(request);
    if (request.id == 0) continue;
    leaving_.push({leaves, ++served_, request.id, request.sm, request.confirms ? std::uint8_t{0} : request.sectors,
                   l2_.source()});
  }
  while (!leaving_.empty() && leaving_.top().time < end + epoch()) {
    const Leaving next = leaving_.top();
    leaving_.pop();
    respond(next.sm,
            MemoryResponse{l2_.return_to(next.sm, next.time, std::popcount(next.sectors)), next.id, next.source});
  }
}

}  // namespace warpwalk::gpu
