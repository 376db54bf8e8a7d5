// What recurrent layers need beside their steps: numbers from the host, dropout between layers, gradients of biases.
#include "number.cuh"

namespace stand_in::cudnn {

/// Numbers that the host gives with the launch itself, so that a CUDA graph keeps them.
struct HostNumbers {
  int values[512];
};

__global__ void write_numbers(int* to, HostNumbers numbers, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) to[i] = numbers.values[i];
}

/// The state of a random number generator: the seed, and how many numbers have been drawn.
struct RandomState {
  unsigned long long seed, drawn;
};

__global__ void seed_random(RandomState* state, unsigned long long seed) {
  state->seed = seed;
  state->drawn = 0;
}

__global__ void advance_random(RandomState* state, unsigned long long drawn) { state->drawn += drawn; }

/// Philox 4x32 with 10 rounds: four random numbers for each counter.
inline __device__ uint4 philox(unsigned long long counter, unsigned long long seed) {
  uint4 c = make_uint4(static_cast<unsigned>(counter), static_cast<unsigned>(counter >> 32), 0, 0);
  unsigned key0 = static_cast<unsigned>(seed), key1 = static_cast<unsigned>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
    c = make_uint4(high1 ^ c.y ^ key0, low1, high0 ^ c.w ^ key1, low0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

/// Sets elements of x to zero with the probability `rate`, and scales the others. `kept`: which; as bytes.
template <class Number>
__global__ void drop_out(const RandomState* state, long long count, float rate, typename Number::Storage* x,
                         unsigned char* kept) {
  using Sum = typename Number::Sum;
  const long long first = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
  if (first >= count) return;
  const uint4 random = philox(state->drawn / 4 + first / 4, state->seed);
  const unsigned numbers[4] = {random.x, random.y, random.z, random.w};
  const Sum scale = Sum(1) / (Sum(1) - static_cast<Sum>(rate));
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (first + i >= count) break;
    const bool keep = static_cast<float>(numbers[i]) * 0x1p-32f >= rate;
    x[first + i] = keep ? Number::store(Number::load(x[first + i]) * scale) : typename Number::Storage(0);
    kept[first + i] = keep;
  }
}

/// The gradient of the same: scales the gradients of kept elements, the others are zero.
template <class Number>
__global__ void drop_out_backward(long long count, float rate, typename Number::Storage* dx,
                                  const unsigned char* kept) {
  using Sum = typename Number::Sum;
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Sum scale = Sum(1) / (Sum(1) - static_cast<Sum>(rate));
  dx[i] = kept[i] ? Number::store(Number::load(dx[i]) * scale) : typename Number::Storage(0);
}

/// to[column] = sum of the column (+ to[column]); also to `second`, if it is not null. 32 columns per block.
template <class Number>
__global__ void sum_columns(const typename Number::Storage* from, long long rows, int columns, long long row_stride,
                            bool add, typename Number::Storage* to, typename Number::Storage* second) {
  using Sum = typename Number::Sum;
  __shared__ Sum sums[8][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  Sum sum = 0;
  if (column < columns)
    for (long long row = threadIdx.y; row < rows; row += 8) sum += Number::load(from[row * row_stride + column]);
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || column >= columns) return;
  for (int i = 1; i < 8; ++i) sum += sums[i][threadIdx.x];
  if (to != nullptr) to[column] = Number::store(add ? sum + Number::load(to[column]) : sum);
  if (second != nullptr) second[column] = Number::store(add ? sum + Number::load(second[column]) : sum);
}

using Half = unsigned short;
template __global__ void drop_out<F32>(const RandomState*, long long, float, float*, unsigned char*);
template __global__ void drop_out<F64>(const RandomState*, long long, float, double*, unsigned char*);
template __global__ void drop_out<F16>(const RandomState*, long long, float, Half*, unsigned char*);
template __global__ void drop_out<BF16>(const RandomState*, long long, float, Half*, unsigned char*);
template __global__ void drop_out_backward<F32>(long long, float, float*, const unsigned char*);
template __global__ void drop_out_backward<F64>(long long, float, double*, const unsigned char*);
template __global__ void drop_out_backward<F16>(long long, float, Half*, const unsigned char*);
template __global__ void drop_out_backward<BF16>(long long, float, Half*, const unsigned char*);
template __global__ void sum_columns<F32>(const float*, long long, int, long long, bool, float*, float*);
template __global__ void sum_columns<F64>(const double*, long long, int, long long, bool, double*, double*);
template __global__ void sum_columns<F16>(const Half*, long long, int, long long, bool, Half*, Half*);
template __global__ void sum_columns<BF16>(const Half*, long long, int, long long, bool, Half*, Half*);

}  // namespace stand_in::cudnn
