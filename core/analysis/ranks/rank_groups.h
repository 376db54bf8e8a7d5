#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_digest.h"

namespace warpwalk::analysis {

/// The process groups of all ranks, each once. Only groups that have collectives.
struct RankGroups {
  static constexpr std::size_t unused = static_cast<std::size_t>(-1);

  std::vector<ProcessGroup> groups;               ///< by name, then by ranks
  std::vector<std::vector<std::size_t>> members;  ///< by group: the open ranks (indexes) that take part, ascending
  std::vector<std::vector<std::size_t>> of_own;   ///< by rank and its own number of the group: in `groups`, or unused

  /// The group of a collective of a rank. A number that the rank's digest does not list is the last one of `of_own`.
  std::size_t of(std::size_t rank, std::uint32_t own) const;
};

/// Groups of equal names and ranks are one. So are groups of equal ranks and different names, if no file has both:
/// tools name groups in their own ways. A group without ranks is the one of its name, else the only one of its rank.
RankGroups unified_groups(const std::vector<RankDigest>& ranks);

/// "0, 1, 4 to 7", "0, 2, 4, 6 and 28 more".
std::string ranks_list(const std::vector<std::int64_t>& ranks);

/// "group 0 (default_pg; ranks 0 to 3)".
std::string group_label(const ProcessGroup& group);

}  // namespace warpwalk::analysis
