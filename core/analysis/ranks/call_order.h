#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/ranks/rank_digest.h"

namespace warpwalk::analysis {

/// A collective in a list of those of one rank in one group, in the order of calls.
struct CallSign {
  CollectiveKind kind = CollectiveKind::other;
  std::int64_t bytes = 0;      ///< 0: not recorded
  std::int64_t sequence = -1;  ///< -1: not recorded
  std::int64_t end = 0;        ///< ns of any clock
  bool common_end = false;     ///< all ranks end it at about the same time
};

enum class SignFit : std::uint8_t { differs, possible, equal };
/// Whether two ranks' signs can be of one collective. Sizes may differ where ranks may give different amounts.
SignFit fit_of(const CallSign& a, const CallSign& b);

constexpr std::size_t not_there = static_cast<std::size_t>(-1);

/// Where the collectives of `b` are in `a`: by each one of `b`, an index in `a`, ascending, or not_there. Two lists may
/// begin and end at different collectives, and each may lack some. Where signs repeat, as in steps of a training, the
/// times between the ends decide: they are the same in all ranks, whatever the ranks' clocks. Takes linear time.
std::vector<std::size_t> places_in(std::span<const CallSign> a, std::span<const CallSign> b);

}  // namespace warpwalk::analysis
