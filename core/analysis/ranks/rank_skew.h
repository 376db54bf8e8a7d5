#pragma once

#include <cstddef>
#include <cstdint>

#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {

/// Whether several ranks recorded it.
inline bool is_shared(const MatchedCollective& collective) { return collective.members.size() > 1; }
/// Number of collectives that several ranks recorded.
std::size_t shared_collectives(const RankReport& report);

/// Whether its arrivals can be compared: the ranks recorded it as the same collective, and all wait for the last one.
inline bool has_skew(const MatchedCollective& collective) { return joins_all(collective.kind) && !collective.mixed; }
/// Nanoseconds between the first and the last arrival; 0 if they cannot be compared.
std::int64_t skew_of(const MatchedCollective& collective);
/// The middle skew of the collectives that have one; 0 without any.
std::int64_t median_skew(const RankReport& report);

}  // namespace warpwalk::analysis
