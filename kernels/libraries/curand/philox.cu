// Philox 4x32-10: random bits are a function of a key and a counter, so every thread computes its own without a state.

#include "distributions.cuh"

namespace stand_in::curand {

struct Words {
  unsigned x, y, z, w;
};

/// Ten rounds of multiplications, whose high and low halves are mixed with each other and with the key.
__device__ inline Words philox(Words counter, unsigned key_x, unsigned key_y) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ULL * counter.x, b = 0xCD9E8D57ULL * counter.z;
    counter = {static_cast<unsigned>(b >> 32) ^ counter.y ^ key_x, static_cast<unsigned>(b),
               static_cast<unsigned>(a >> 32) ^ counter.w ^ key_y, static_cast<unsigned>(a)};
    key_x += 0x9E3779B9, key_y += 0xBB67AE85;
  }
  return counter;
}

/// The four words of a counter of one of the sequences.
__device__ inline Words words_of(unsigned long long seed, unsigned sequence, unsigned long long counter) {
  return philox({static_cast<unsigned>(counter), static_cast<unsigned>(counter >> 32), sequence, 0},
                static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
}

/// Writes the numbers of a group of four positions, those that are asked for.
template <class Number>
__device__ void write_group(const Draw& draw, unsigned long long group, const Number (&numbers)[4]) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const unsigned long long place = group * 4 + i - draw.first;  // very large before the first one
    if (place < draw.count) static_cast<Number*>(draw.out)[place] = numbers[i];
  }
}

/// A thread per group of four numbers. Groups belong to the sequences in turn.
__global__ void philox_words(Draw draw, unsigned long long seed) {
  const unsigned long long group =
      draw.first / 4 + static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (group * 4 >= draw.first + draw.count) return;
  const Words words = words_of(seed, group % philox_sequences, group / philox_sequences);
  if (draw.distribution == poisson) {
    write_group<unsigned>(
        draw, group,
        {poisson_of(draw, words.x), poisson_of(draw, words.y), poisson_of(draw, words.z), poisson_of(draw, words.w)});
  } else {
    write_group<unsigned>(draw, group, {words.x, words.y, words.z, words.w});
  }
}

__global__ void philox_floats(Draw draw, unsigned long long seed) {
  const unsigned long long group =
      draw.first / 4 + static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (group * 4 >= draw.first + draw.count) return;
  const Words words = words_of(seed, group % philox_sequences, group / philox_sequences);
  const float u[4] = {uniform_of(words.x), uniform_of(words.y), uniform_of(words.z), uniform_of(words.w)};
  if (draw.distribution == uniform) {
    write_group(draw, group, u);
  } else {
    const Pair<float> a = box_muller(u[0], u[1]), b = box_muller(u[2], u[3]);
    write_group<float>(
        draw, group,
        {shifted(draw, a.first), shifted(draw, a.second), shifted(draw, b.first), shifted(draw, b.second)});
  }
}

/// Four numbers in double precision take two counters.
__global__ void philox_doubles(Draw draw, unsigned long long seed) {
  const unsigned long long group =
      draw.first / 4 + static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (group * 4 >= draw.first + draw.count) return;
  const unsigned sequence = group % philox_sequences;
  const unsigned long long counter = group / philox_sequences * 2;
  const Words low = words_of(seed, sequence, counter), high = words_of(seed, sequence, counter + 1);
  const double u[4] = {uniform_of(low.x, low.y), uniform_of(low.z, low.w), uniform_of(high.x, high.y),
                       uniform_of(high.z, high.w)};
  if (draw.distribution == uniform) {
    write_group(draw, group, u);
  } else {
    const Pair<double> a = box_muller(u[0], u[1]), b = box_muller(u[2], u[3]);
    write_group<double>(
        draw, group,
        {shifted(draw, a.first), shifted(draw, a.second), shifted(draw, b.first), shifted(draw, b.second)});
  }
}

}  // namespace stand_in::curand
