#pragma once

#include <optional>

#include "core/analysis/ranks/hang/rank_calls.h"

namespace warpwalk::analysis {

/// Compares the calls of the ranks of a group with this number. Nullopt: they fit together, or fewer than two ranks
/// have the number. What may differ: in scatter, gather and all_to_all the sizes on one side; the shape, if the number
/// of elements is the same.
std::optional<Mismatch> mismatch_at(const GroupCalls& all, std::size_t group, std::int64_t sequence);

/// Whether a send and its receive have as many elements of the same type.
std::optional<Mismatch> mismatch_of(const HangCall& send, const HangCall& recv);

}  // namespace warpwalk::analysis
