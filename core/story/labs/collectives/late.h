#pragma once

#include <utility>
#include <vector>

#include "core/story/labs/collectives/plan.h"

namespace warpwalk::story {

/// One GPU's time in a collective; all times in ns.
struct ArrivedGpu {
  double arrival = 0;
  double end = 0;                               ///< of its last send or receive
  std::vector<std::pair<double, double>> busy;  ///< sends or receives: from and to, in order, apart from each other
  double waited = 0;                            ///< between arrival and end, without sending or receiving
};

/// Runs a plan whose GPUs arrive at different times. A send begins when both of its GPUs have arrived and have done
/// their sends and receives of earlier steps; it takes `send_ns`.
std::vector<ArrivedGpu> run_with_arrivals(const CollectivePlan& plan, const std::vector<double>& arrivals,
                                          double send_ns);

}  // namespace warpwalk::story
