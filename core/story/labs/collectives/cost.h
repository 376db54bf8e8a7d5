#pragma once

#include <optional>
#include <vector>

#include "core/records/collective_times.h"
#include "core/story/labs/collectives/plan.h"

namespace warpwalk::story {

/// The alpha-beta model of a link between GPUs: a step takes `latency`, and its bytes take bytes / `bandwidth` more.
struct LinkModel {
  double latency = 5000;   ///< ns: alpha
  double bandwidth = 100;  ///< bytes per ns, i.e. GB/s, of each GPU in each direction: B
};

/// What the time of a collective follows from: time = steps x alpha + share x message / B.
struct CollectiveCost {
  int steps = 0;     ///< one after the other, if the message is tiny
  double share = 0;  ///< bytes that the busiest GPU sends / message

  double ns(double bytes, const LinkModel& link) const;
};

/// Ring all-reduce: 2(n-1) steps and 2(n-1)/n of the message, counted in its plan.
CollectiveCost ring_cost(int gpus);
/// Tree all-reduce: twice the trees' depth, and the bytes of its busiest GPU, with chunks so small that they fill the
/// links; counted in its plan with one chunk per tree.
CollectiveCost tree_cost(int gpus, int trees);

/// The message for which both take the same time; the first one is faster for larger ones. None if the second is
/// never faster.
std::optional<double> crossover_bytes(const CollectiveCost& first, const CollectiveCost& second, const LinkModel& link);

/// A message's bytes / time x 2(n-1)/n, as nccl-tests defines the bus bandwidth of an all-reduce, in GB/s.
double all_reduce_bus_bandwidth(int gpus, double bytes, double ns);

/// A link model from measured all-reduces, for which a ring is assumed: alpha is the time of the smallest message /
/// 2(n-1) steps, and B is 2(n-1)/n x (largest message) / (its time - that of the smallest message).
struct LinkFit {
  LinkModel link;
  int gpus = 0;  ///< of the measurement
};

/// From the rows with this number of GPUs, else from those with the most; none without two sizes, of which the larger
/// one takes longer.
std::optional<LinkFit> fit_link(const std::vector<records::CollectiveTime>& times, int gpus);

}  // namespace warpwalk::story
