#pragma once

#include <vector>

#include "core/analysis/ranks/hang/rank_calls.h"

namespace warpwalk::analysis {

/// The first collective of a group that is not complete on all ranks, or, if all are, the first on which they disagree.
std::optional<Wait> open_collective(const GroupCalls& all, std::size_t group);

/// The sends and receives of a group that are not complete: the first of each pair of ranks and direction.
std::vector<Wait> open_messages(const GroupCalls& all, std::size_t group);

}  // namespace warpwalk::analysis
