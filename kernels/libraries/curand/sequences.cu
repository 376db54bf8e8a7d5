// XORWOW and MRG32K3A: thousands of sequences, far apart in the generator's period, fill an array in turns. Each thread
// has one, with its state in memory.

#include "distributions.cuh"

namespace stand_in::curand {

/// The next 32 bits (Marsaglia, Xorshift RNGs).
__device__ inline unsigned next_bits(Xorwow& state) {
  const unsigned t = state.v[0] ^ state.v[0] >> 2;
  state.v[0] = state.v[1], state.v[1] = state.v[2], state.v[2] = state.v[3], state.v[3] = state.v[4];
  state.v[4] = state.v[4] ^ state.v[4] << 4 ^ t ^ t << 1;
  state.counter += 362437;
  return state.v[4] + state.counter;
}
__device__ inline void next_uniform(Xorwow& state, float& u) { u = uniform_of(next_bits(state)); }
__device__ inline void next_uniform(Xorwow& state, double& u) {
  const unsigned x = next_bits(state), y = next_bits(state);
  u = uniform_of(x, y);
}

/// The next number from 1 to 4294967087 (L'Ecuyer, MRG32k3a): the difference of two recurrences.
__device__ inline unsigned next_number(Mrg32k3a& state) {
  constexpr long long modulus = 4294967087, second_modulus = 4294944443;
  long long first = (1403580LL * state.first[1] - 810728LL * state.first[0]) % modulus;
  long long second = (527612LL * state.second[2] - 1370589LL * state.second[0]) % second_modulus;
  if (first < 0) first += modulus;
  if (second < 0) second += second_modulus;
  state.first[0] = state.first[1], state.first[1] = state.first[2], state.first[2] = static_cast<unsigned>(first);
  state.second[0] = state.second[1], state.second[1] = state.second[2];
  state.second[2] = static_cast<unsigned>(second);
  const long long difference = first - second;
  return static_cast<unsigned>(difference <= 0 ? difference + modulus : difference);
}
/// Stretched to all numbers of 32 bits.
__device__ inline unsigned next_bits(Mrg32k3a& state) {
  return static_cast<unsigned>(next_number(state) * 1.000000048662);
}
template <class Number>
__device__ void next_uniform(Mrg32k3a& state, Number& u) {
  u = static_cast<Number>(next_number(state) * 2.3283065498378288e-10);
}

/// The `number`th value of a draw; a pair of them for normal distributions.
template <class State>
__device__ void write_number(const Draw& draw, unsigned long long number, State& state, unsigned*) {
  const unsigned x = next_bits(state);
  static_cast<unsigned*>(draw.out)[number] = draw.distribution == poisson ? poisson_of(draw, x) : x;
}
template <class State, class Number>
__device__ void write_number(const Draw& draw, unsigned long long number, State& state, Number*) {
  auto* const out = static_cast<Number*>(draw.out);
  Number u;
  next_uniform(state, u);
  if (draw.distribution == uniform) {
    out[number] = u;
  } else {
    Number v;
    next_uniform(state, v);
    const Pair<Number> pair = box_muller(u, v);
    out[2 * number] = shifted(draw, pair.first);
    out[2 * number + 1] = shifted(draw, pair.second);
  }
}

/// A thread per sequence. `next`: the sequence of the first number; the sequences after it have the numbers after it.
template <class State, class Number>
__global__ void from_sequences(Draw draw, State* states, unsigned sequences, unsigned next) {
  const unsigned sequence = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned turn = (sequence + sequences - next) % sequences;
  const unsigned long long numbers =
      draw.distribution == normal || draw.distribution == log_normal ? draw.count / 2 : draw.count;
  if (sequence >= sequences || turn >= numbers) return;
  State state = states[sequence];
  for (unsigned long long number = turn; number < numbers; number += sequences)
    write_number(draw, number, state, static_cast<Number*>(nullptr));
  states[sequence] = state;
}

template __global__ void from_sequences<Xorwow, unsigned>(Draw, Xorwow*, unsigned, unsigned);
template __global__ void from_sequences<Xorwow, float>(Draw, Xorwow*, unsigned, unsigned);
template __global__ void from_sequences<Xorwow, double>(Draw, Xorwow*, unsigned, unsigned);
template __global__ void from_sequences<Mrg32k3a, unsigned>(Draw, Mrg32k3a*, unsigned, unsigned);
template __global__ void from_sequences<Mrg32k3a, float>(Draw, Mrg32k3a*, unsigned, unsigned);
template __global__ void from_sequences<Mrg32k3a, double>(Draw, Mrg32k3a*, unsigned, unsigned);

}  // namespace stand_in::curand
