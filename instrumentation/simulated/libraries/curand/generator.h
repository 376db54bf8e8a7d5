#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/libraries/curand/abi.h"
#include "kernels/libraries/curand/draw.h"

namespace warpwalk::simulated::libraries {

/// The type of the numbers that a draw writes.
enum class RandomNumber : std::uint8_t { word, single, twice };

/// What a curandGenerator_t points to.
class RandomGenerator {
 public:
  RandomGenerator(RandomType type, bool on_host) : type_(type), on_host_(on_host) {}
  RandomGenerator(const RandomGenerator&) = delete;
  RandomGenerator& operator=(const RandomGenerator&) = delete;
  ~RandomGenerator();

  void set_seed(std::uint64_t seed);
  void set_offset(std::uint64_t offset);
  RandomStatus set_ordering(RandomOrdering ordering);
  /// Makes the states of the sequences now instead of with the first numbers.
  RandomStatus make_states();
  /// Writes numbers. `draw` has the distribution and its parameters, but no addresses or positions.
  RandomStatus generate(void* out, std::size_t count, RandomNumber number, stand_in::curand::Draw draw);
  /// Poisson's distribution.
  RandomStatus generate_poisson(unsigned* out, std::size_t count, double mean);

  const void* stream = nullptr;

 private:
  RandomStatus launch_draw(const stand_in::curand::Draw& draw, RandomNumber number);
  unsigned sequences() const;
  void forget_states();

  const RandomType type_;
  const bool on_host_;  ///< for host memory: the numbers are copied there
  RandomOrdering ordering_ = RandomOrdering::standard;
  std::uint64_t seed_ = 0, offset_ = 0;
  std::uint64_t position_ = 0;   ///< of Philox, after `offset_`
  unsigned next_ = 0;            ///< the sequence that writes the next number
  DeviceMemory::Place states_;   ///< null: to be made
  DeviceMemory::Place poisson_;  ///< the sums of Poisson's distribution
  double poisson_mean_ = 0;
  unsigned poisson_least_ = 0, poisson_count_ = 0;
};

}  // namespace warpwalk::simulated::libraries
