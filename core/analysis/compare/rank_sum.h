#pragma once

#include <optional>
#include <span>

namespace warpwalk::analysis {

/// Fewer values than this on one side cannot show a difference at 5 %: of three against three, one order in ten has all
/// of one side first.
constexpr std::size_t fewest_to_compare = 4;

/// The two-sided p-value of the rank-sum test (Mann and Whitney, 1947): how probable a difference at least as clear is
/// if both sides come from the same distribution. By the normal approximation with the corrections for ties and for
/// continuity. nullopt with fewer than `fewest_to_compare` values on a side; 1 if all values are equal.
std::optional<double> rank_sum_p(std::span<const float> a, std::span<const float> b);

}  // namespace warpwalk::analysis
