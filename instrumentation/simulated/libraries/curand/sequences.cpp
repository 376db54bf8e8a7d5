// Jumps within the periods of generators, whose steps are linear: a jump is a power of the matrix of a step.
#include "instrumentation/simulated/libraries/curand/sequences.h"

#include <array>

namespace warpwalk::simulated::libraries {
namespace {

using stand_in::curand::Mrg32k3a;
using stand_in::curand::Xorwow;

constexpr int word_bits = 32;

/// A linear map of the 160 bits of XORWOW: the image of each bit.
class BitMatrix {
 public:
  using Bits = std::array<std::uint32_t, 5>;

  static BitMatrix identity() {
    BitMatrix matrix;
    for (std::size_t bit = 0; bit < matrix.images_.size(); ++bit)
      matrix.images_[bit][bit / word_bits] = 1U << bit % word_bits;
    return matrix;
  }
  static BitMatrix step() {
    BitMatrix matrix = identity();
    for (Bits& v : matrix.images_) {
      const std::uint32_t t = v[0] ^ v[0] >> 2;
      v = {v[1], v[2], v[3], v[4], v[4] ^ v[4] << 4 ^ t ^ t << 1};
    }
    return matrix;
  }
  Bits operator()(const Bits& of) const {
    Bits result{};
    for (std::size_t bit = 0; bit < images_.size(); ++bit)
      if ((of[bit / word_bits] >> bit % word_bits & 1) != 0)
        for (std::size_t word = 0; word < result.size(); ++word) result[word] ^= images_[bit][word];
    return result;
  }
  /// First `other`, then this.
  BitMatrix operator*(const BitMatrix& other) const {
    BitMatrix result;
    for (std::size_t bit = 0; bit < images_.size(); ++bit) result.images_[bit] = (*this)(other.images_[bit]);
    return result;
  }

 private:
  std::array<Bits, 160> images_{};
};

/// A recurrence of MRG32K3A: a map of its last three numbers.
class RecurrenceMatrix {
 public:
  using Numbers = std::array<std::uint64_t, 3>;

  RecurrenceMatrix(std::uint64_t modulus, const std::array<Numbers, 3>& rows) : modulus_(modulus), rows_(rows) {}
  RecurrenceMatrix identity() const { return {modulus_, {Numbers{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
  Numbers operator()(const Numbers& of) const {
    Numbers result{};
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t i = 0; i < 3; ++i) result[row] += rows_[row][i] * of[i] % modulus_;
      result[row] %= modulus_;
    }
    return result;
  }
  RecurrenceMatrix operator*(const RecurrenceMatrix& other) const {
    RecurrenceMatrix result(modulus_, {});
    for (std::size_t column = 0; column < 3; ++column) {
      const Numbers image = (*this)({other.rows_[0][column], other.rows_[1][column], other.rows_[2][column]});
      for (std::size_t row = 0; row < 3; ++row) result.rows_[row][column] = image[row];
    }
    return result;
  }

 private:
  std::uint64_t modulus_;
  std::array<Numbers, 3> rows_;
};

/// The map `exponent` times, and 2^`doublings` times.
template <class Matrix>
Matrix power_of(Matrix base, std::uint64_t exponent) {
  Matrix result = base.identity();
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = base * result;
    base = base * base;
  }
  return result;
}
template <class Matrix>
Matrix doubled(Matrix base, int doublings) {
  for (int i = 0; i < doublings; ++i) base = base * base;
  return base;
}

constexpr std::uint64_t mrg_modulus = 4294967087, mrg_second_modulus = 4294944443;

}  // namespace

std::vector<Xorwow> xorwow_states(std::uint64_t seed, std::uint64_t offset, unsigned count) {
  const std::uint32_t low = static_cast<std::uint32_t>(seed) ^ 0xaad26b49U,
                      high = static_cast<std::uint32_t>(seed >> word_bits) ^ 0xf7dcefddU;
  const std::uint32_t mixed_low = 1099087573U * low, mixed_high = 2591861531U * high;
  BitMatrix::Bits bits{123456789U + mixed_low, 362436069U ^ mixed_low, 521288629U + mixed_high, 88675123U ^ mixed_high,
                       5783321U + mixed_low};
  constexpr int sequence_doublings = 67;
  const BitMatrix step = BitMatrix::step(), apart = doubled(step, sequence_doublings);
  const std::uint64_t turns = offset / count;
  const BitMatrix skipped = power_of(step, turns);
  std::vector<Xorwow> states(count);
  for (unsigned i = 0; i < count; ++i, bits = apart(bits)) {
    const bool once_more = i < offset % count;
    BitMatrix::Bits own = skipped(bits);
    if (once_more) own = step(own);
    for (std::size_t word = 0; word < own.size(); ++word) states[i].v[word] = own[word];
    constexpr std::uint32_t counter_step = 362437;
    states[i].counter =
        6615241U + mixed_high + mixed_low + counter_step * static_cast<std::uint32_t>(turns + (once_more ? 1 : 0));
  }
  return states;
}

std::vector<Mrg32k3a> mrg_states(std::uint64_t seed, std::uint64_t offset, unsigned count) {
  RecurrenceMatrix::Numbers first{12345, 12345, 12345}, second = first;
  if (seed != 0) {
    const std::uint64_t low = static_cast<std::uint32_t>(seed) ^ 0x55555555U,
                        high = static_cast<std::uint32_t>(seed >> word_bits) ^ 0xAAAAAAAAU;
    first = {low * first[0] % mrg_modulus, high * first[1] % mrg_modulus, low * first[2] % mrg_modulus};
    second = {high * second[0] % mrg_second_modulus, low * second[1] % mrg_second_modulus,
              high * second[2] % mrg_second_modulus};
  }
  using Numbers = RecurrenceMatrix::Numbers;
  const RecurrenceMatrix step(mrg_modulus, {Numbers{0, 1, 0}, {0, 0, 1}, {mrg_modulus - 810728, 1403580, 0}}),
      second_step(mrg_second_modulus, {Numbers{0, 1, 0}, {0, 0, 1}, {mrg_second_modulus - 1370589, 0, 527612}});
  constexpr int sequence_doublings = 76;
  const RecurrenceMatrix apart = doubled(step, sequence_doublings),
                         second_apart = doubled(second_step, sequence_doublings);
  const std::uint64_t turns = offset / count;
  const RecurrenceMatrix skipped = power_of(step, turns), second_skipped = power_of(second_step, turns);
  std::vector<Mrg32k3a> states(count);
  for (unsigned i = 0; i < count; ++i, first = apart(first), second = second_apart(second)) {
    Numbers own = first, own_second = second;
    if (turns != 0) own = skipped(first), own_second = second_skipped(second);
    if (i < offset % count) own = step(own), own_second = second_step(own_second);
    for (std::size_t n = 0; n < own.size(); ++n) {
      states[i].first[n] = static_cast<unsigned>(own[n]);
      states[i].second[n] = static_cast<unsigned>(own_second[n]);
    }
  }
  return states;
}

}  // namespace warpwalk::simulated::libraries
