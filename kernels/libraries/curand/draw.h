#pragma once

// Parameters of the kernels for random numbers. The host fills them in (instrumentation/simulated/libraries/curand).

namespace stand_in::curand {

enum Distribution : int { bits, uniform, normal, log_normal, poisson };

/// The numbers to write.
struct Draw {
  void* out;
  unsigned long long first;  ///< of Philox: the position of the first number in the generator's sequence
  unsigned long long count;
  int distribution;        ///< Distribution
  double mean, deviation;  ///< of the normal distribution, or of the logarithm
  const double* sums;      ///< of Poisson's distribution: the probabilities of at most `least`, `least` + 1, ...
  unsigned sum_count, least;
};

/// The state of one sequence of XORWOW: a linear one of 160 bits, and a counter.
struct Xorwow {
  unsigned v[5], counter;
};

/// The state of one sequence of MRG32K3A: the last three numbers of both recurrences.
struct Mrg32k3a {
  unsigned first[3], second[3];
};

/// How many sequences fill an array in turns.
inline constexpr unsigned xorwow_sequences = 4096, mrg_sequences = 81920, philox_sequences = 65536;

}  // namespace stand_in::curand
