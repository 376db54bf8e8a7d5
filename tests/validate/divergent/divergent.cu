// Kernels whose lanes go different ways: their warp and thread instructions were counted on an H100 (h100_counts.csv).
#include <cstdint>

namespace {

__device__ uint32_t hash(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __noinline__ uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ uint32_t ackermann(uint32_t m, uint32_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool odd(uint32_t n);
__device__ __noinline__ bool even(uint32_t n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(uint32_t n) { return n != 0 && even(n - 1); }

__device__ __noinline__ uint32_t depth_of(uint32_t node, uint32_t left) {
  if (left == 0 || hash(node) % 5 == 0) return 0;
  const uint32_t a = depth_of(2 * node + 1, left - 1), b = depth_of(2 * node + 2, left - 1);
  return 1 + (a > b ? a : b);
}

__device__ __noinline__ void quicksort(uint32_t* v, int low, int high) {
  if (low >= high) return;
  const uint32_t pivot = v[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (v[i] < pivot) ++i;
    while (v[j] > pivot) --j;
    if (i <= j) {
      const uint32_t kept = v[i];
      v[i++] = v[j];
      v[j--] = kept;
    }
  }
  quicksort(v, low, j);
  quicksort(v, i, high);
}

__device__ __noinline__ uint32_t queens(uint32_t all, uint32_t columns, uint32_t down, uint32_t up) {
  if (columns == all) return 1;
  uint32_t count = 0;
  for (uint32_t free = all & ~(columns | down | up); free != 0; free &= free - 1) {
    const uint32_t one = free & -free;
    count += queens(all, columns | one, (down | one) << 1, (up | one) >> 1);
  }
  return count;
}

__device__ __noinline__ uint32_t twice(uint32_t x) { return 2 * x + 1; }
__device__ __noinline__ uint32_t mixed(uint32_t x) { return hash(x) >> 3; }
__device__ __noinline__ uint32_t steps(uint32_t x) {
  uint32_t n = 0;
  for (x |= 1; x != 1 && n < 40; ++n) x = (x & 1) != 0 ? 3 * x + 1 : x / 2;
  return n;
}
__device__ __noinline__ uint32_t root(uint32_t x) { return static_cast<uint32_t>(sqrtf(static_cast<float>(x))); }
__device__ uint32_t (*const functions[])(uint32_t) = {twice, mixed, steps, root};

}  // namespace

extern "C" {

__global__ void recursion(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i < n) out[i] = fibonacci(hash(i) % 12);
}

__global__ void nested_recursion(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i < n) out[i] = ackermann(hash(i) % 3, hash(i) / 8 % 5);
}

__global__ void mutual_recursion(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i < n) out[i] = even(hash(i) % 30) ? 1 : 0;
}

__global__ void tree_recursion(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i < n) out[i] = depth_of(i, 6);
}

__global__ void sort_recursion(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t v[24];
  for (uint32_t k = 0; k < 24; ++k) v[k] = hash(24 * i + k) % 100;
  quicksort(v, 0, static_cast<int>(8 + hash(i) % 16));
  uint32_t sum = 0;
  for (uint32_t k = 0; k < 24; ++k) sum = 31 * sum + v[k];
  out[i] = sum;
}

__global__ void queens_recursion(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i < n) out[i] = queens((1u << (3 + i % 4)) - 1, 0, 0, 0);
}

__global__ void collatz(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t x = 1 + hash(i) % 1000, count = 0;
  for (; x != 1; ++count) x = (x & 1) != 0 ? 3 * x + 1 : x / 2;
  out[i] = count;
}

__global__ void loops_with_break(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t sum = 0;
  for (uint32_t a = 0; a < 8; ++a) {
    if (hash(i + a) % 7 == 0) continue;
    for (uint32_t b = 0; b < 16; ++b) {
      const uint32_t x = hash(i * 16 + a * 4 + b);
      if (x % 11 == 0) break;
      if (x % 5 == 0) continue;
      sum += x & 15;
      if (sum > 500) goto enough;
    }
  }
enough:
  out[i] = sum;
}

__global__ void switches(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t x = hash(i);
  for (uint32_t k = 0; k < 12; ++k) {
    switch (hash(x + k) % 9) {
      case 0: x += 7; break;
      case 1: x = x * x + 1; [[fallthrough]];
      case 2: x ^= x >> 5; break;
      case 3: x = __brev(x); break;
      case 4: out[i] = x; x = out[i] / 3; break;
      case 5: x = static_cast<uint32_t>(__popc(x)) + x / 7; break;
      case 6: x = x % 1000003; break;
      case 7: x = steps(x); break;
      default: x = hash(x + k);
    }
  }
  out[i] = x;
}

__global__ void function_table(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t x = hash(i);
  for (uint32_t k = 0; k < 6; ++k) x = functions[hash(x + k) % 4](x);
  out[i] = x;
}

__global__ void short_circuits(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t count = 0;
  for (uint32_t k = 0; k < 16; ++k) {
    const uint32_t x = hash(i + 1000 * k);
    if ((x % 3 == 0 && steps(x) > 20) || (x % 5 == 0 && root(x) % 2 == 0) || mixed(x) % 7 == 0) ++count;
  }
  out[i] = count;
}

__global__ void early_returns(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t x = hash(i);
  for (uint32_t k = 0; k < 20; ++k) {
    if (x % 9 == 0) {
      out[i] = k;
      return;
    }
    x = hash(x);
    if (x % 31 == 0) return;
  }
  out[i] = x;
}

__global__ void ballots_of_the_rest(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  uint32_t x = hash(i), turns = 0;
  while (__any_sync(0xffffffffu, x % 17 != 0)) {
    if (x % 17 != 0) x = hash(x);
    if (++turns > 60) break;
  }
  if (i < n) out[i] = turns;
}

__global__ void binary_search(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  const uint32_t wanted = hash(i) % 100000;
  uint32_t low = 0, high = 1 + hash(i + 7) % 100000;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (middle == wanted) break;
    if (middle < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

__global__ void divisors(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t a = 1 + hash(i) % 100000, b = 1 + hash(i + 1) % 100000;
  while (b != 0) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  out[i] = a;
}

__global__ void two_ways_in(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  if (i >= n) return;
  uint32_t x = hash(i), count = 0;
  if (x % 2 != 0) goto middle;
top:
  x = hash(x);
  ++count;
middle:
  x ^= x >> 7;
  if (x % 6 == 0) goto done;
  if (x % 3 == 0) goto middle_again;
  goto top;
middle_again:
  x = x * 5 + 1;
  if (++count < 30) goto middle;
done:
  out[i] = count;
}

__global__ void divergent_shuffles(uint32_t* out, uint32_t n) {
  const uint32_t i = thread_number();
  uint32_t x = hash(i);
  for (uint32_t k = 0; k < 8; ++k) {
    if (x % 3 == 0)
      x = steps(x) + hash(x);
    else
      x = hash(x);
    x += __shfl_xor_sync(0xffffffffu, x, 1 << k % 5);
  }
  if (i < n) out[i] = x;
}
}
