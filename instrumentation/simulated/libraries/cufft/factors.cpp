// How the length of a transform is split into passes and radices.
#include "instrumentation/simulated/libraries/cufft/factors.h"

#include <algorithm>

namespace warpwalk::simulated::libraries {

std::vector<unsigned> prime_factors(unsigned number) {
  std::vector<unsigned> factors;
  for (unsigned prime = 2; static_cast<std::uint64_t>(prime) * prime <= number; ++prime)
    for (; number % prime == 0; number /= prime) factors.push_back(prime);
  if (number > 1) factors.push_back(number);
  std::ranges::reverse(factors);
  return factors;
}

std::vector<unsigned> pass_lengths(unsigned total, unsigned most) {
  const std::vector<unsigned> primes = prime_factors(total);
  for (std::size_t count = 1;; ++count) {
    std::vector<unsigned> lengths(count, 1);
    for (const unsigned prime : primes) *std::ranges::min_element(lengths) *= prime;
    if (*std::ranges::max_element(lengths) <= most) return lengths;
  }
}

std::uint64_t packed_radices(unsigned length) {
  std::uint64_t packed = 0;
  const auto add = [&packed](unsigned radix) { packed = packed << 8 | radix; };
  for (; length % 4 == 0; length /= 4) add(4);
  for (const unsigned prime : prime_factors(length)) add(prime);
  return packed;
}

}  // namespace warpwalk::simulated::libraries
