#pragma once

#include <cstddef>

#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {

/// Two ranks, three steps with two all-reduces each, clocks that agree within 20 us. At the first all-reduce of each
/// step, rank 1 comes 8 ms after rank 0, because load_batch (train.py:31) sleeps; at the second one, 10 us.
RankReport late_ranks();
/// The same without the sleep: rank 1 comes 15 us after rank 0 at each all-reduce. Nobody is to blame.
RankReport healthy_ranks();
/// So many ranks with one all-gather in each step. Rank 5 comes 2 ms late at each step, the others 10 us after one
/// another at most.
RankReport many_ranks(std::size_t ranks, std::size_t steps);

}  // namespace warpwalk::analysis
