#pragma once

#include <cstdint>
#include <vector>

namespace warpwalk::simulated::libraries {

/// Lengths whose prime factors are not larger are transformed directly; the others by Bluestein's algorithm.
inline constexpr unsigned largest_direct_prime = 127;

/// The prime factors, the largest first.
std::vector<unsigned> prime_factors(unsigned number);

/// Splits a length into as few lengths as possible, none larger than `most`, of about the same size. {1} for 1.
/// All its prime factors must be at most `most`.
std::vector<unsigned> pass_lengths(unsigned total, unsigned most);

/// The radices of a length as Pass::factors holds them: pairs of 2 become 4.
std::uint64_t packed_radices(unsigned length);

}  // namespace warpwalk::simulated::libraries
