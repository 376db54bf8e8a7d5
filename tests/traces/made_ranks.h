#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {

/// A distributed run that is made up: what happens in it is known. Ranks are tensor x data x pipeline, tensor first.
struct MadeRun {
  std::size_t tensor = 1, data = 2, pipeline = 1;
  std::size_t steps = 20, per_step = 10;  ///< collectives of each kind of group in a step; messages: one each way
  bool sequences = true;                  ///< recorded, of collectives
  bool equal_sizes = false;               ///< else they differ within a step, as gradient buckets do
  double noise = 3000;                    ///< ns, standard deviation of the ends of a collective
  double far_off = 0.03;                  ///< share of ends that are 100 us late
  double most_drift = 20e-6;              ///< of the clocks
  double most_offset = 5e9;               ///< ns
  std::size_t late_rank = static_cast<std::size_t>(-1);
  std::int64_t late_by = 8'000'000;  ///< ns, once a step before its first collective
  std::uint64_t seed = 1;
};

struct MadeRanks {
  std::vector<RankDigest> digests;
  std::vector<double> offsets, drifts;  ///< of the ranks' clocks, by rank
  std::int64_t begin = 0, end = 0;      ///< true time

  /// The time that the clock of a rank shows at a true time.
  std::int64_t local(std::size_t rank, std::int64_t time) const;
};

/// RankCollective::work is the number of the collective in the run: equal in all its ranks.
MadeRanks made_ranks(const MadeRun& run);

/// Takes the collectives [first, first + count) out of a digest, as far as they are there.
void lose(RankDigest& digest, std::size_t first, std::size_t count);

/// The largest error of the clocks of a report of these ranks over the run, ns.
std::int64_t clock_error(const MadeRanks& made, const RankReport& report);

/// Matched collectives whose members are not all of the same collective of the run.
std::size_t wrong_matches(const RankReport& report);

}  // namespace warpwalk::analysis
