// Launches of classes that `tests/validate/kernels.cu` lacks: recursion with a stack in local memory, integer dot
// products, and warps that hand work over through barriers in shared memory.
#include <cuda/barrier>

#include <cstdint>

#pragma nv_diag_suppress 20054  // a cuda::barrier in shared memory is initialised by init()

namespace {

// ---- recursion ----

__device__ __noinline__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/// A frame of 64 bytes: each call fills its own array and reads it after the calls below it.
__device__ __noinline__ unsigned tree(unsigned depth, unsigned seed) {
  unsigned part[12];
#pragma unroll 1
  for (unsigned i = 0; i < 12; ++i) part[i] = seed * (i + 1) + depth;
  if (depth == 0) return part[seed % 12];
  const unsigned left = tree(depth - 1, part[seed % 7] + 1), right = tree(depth - 1, part[seed % 5] + 2);
  return left ^ right ^ part[(left + right) % 12];
}

__device__ __noinline__ void quicksort(int* values, int first, int last) {
  while (first < last) {
    const int pivot = values[(first + last) / 2];
    int i = first, j = last;
    while (i <= j) {
      while (values[i] < pivot) ++i;
      while (values[j] > pivot) --j;
      if (i <= j) {
        const int other = values[i];
        values[i++] = values[j];
        values[j--] = other;
      }
    }
    if (j - first < last - i) {
      quicksort(values, first, j);
      first = i;
    } else {
      quicksort(values, i, last);
      last = j;
    }
  }
}

// ---- mbarriers ----

__device__ unsigned shared_address(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__device__ void start(std::uint64_t* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}

__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(shared_address(barrier)) : "memory");
}

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
      "@!done bra again; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

}  // namespace

extern "C" __global__ void recursive_fibonacci(const unsigned* n, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fibonacci(6 + n[i] % 4);
}

extern "C" __global__ void recursive_tree(unsigned* out, unsigned depth) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tree(depth, i);
}

extern "C" __global__ void recursive_sort(const int* values, int* out) {
  int own[24];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 24; ++k) own[k] = values[i * 24 + k];
  quicksort(own, 0, 23);
  for (int k = 0; k < 24; ++k) out[i * 24 + k] = own[k];
}

/// Products of bytes in registers: eight sums per thread.
extern "C" __global__ void dot_products(const int* a, const int* b, int* out, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sums[8] = {}, x = a[i], y = b[i];
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int k = 0; k < 8; ++k) sums[k] = __dp4a(x + k, y ^ round, sums[k]);
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += sums[k];
  out[i] = sum;
}

/// A (rows x depth) times B (columns x depth), bytes, four to a word; tiles of 32 x 32 in shared memory.
extern "C" __global__ void dot_matrix(const int* a, const int* b, int* c, int words) {
  __shared__ int left[32][17], right[32][17];
  const int x = threadIdx.x, y = threadIdx.y, columns = gridDim.x * 32;
  int sums[2][2] = {};
  for (int first = 0; first < words; first += 16) {
    for (int k = 0; k < 2; ++k) {
      left[y + 16 * k][x] = a[(blockIdx.y * 32 + y + 16 * k) * words + first + x];
      right[y + 16 * k][x] = b[(blockIdx.x * 32 + y + 16 * k) * words + first + x];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
      for (int r = 0; r < 2; ++r)
        for (int s = 0; s < 2; ++s) sums[r][s] = __dp4a(left[y + 16 * r][k], right[x + 16 * s][k], sums[r][s]);
    __syncthreads();
  }
  for (int r = 0; r < 2; ++r)
    for (int s = 0; s < 2; ++s) c[(blockIdx.y * 32 + y + 16 * r) * columns + blockIdx.x * 32 + x + 16 * s] = sums[r][s];
}

/// The first warp loads the next tile while the others add up the last one; two tiles, handed over by mbarriers.
extern "C" __global__ void mbarrier_pipeline(const float* x, float* out, int tiles) {
  __shared__ float tile[2][896];
  __shared__ std::uint64_t full[2], empty[2];
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; ++k) start(&full[k], 32), start(&empty[k], 224);
  __syncthreads();
  const float* const own = x + static_cast<std::size_t>(blockIdx.x) * tiles * 896;
  if (threadIdx.x < 32) {
    for (int t = 0; t < tiles; ++t) {
      if (t >= 2) wait(&empty[t % 2], (t / 2 - 1) % 2);
#pragma unroll 7
      for (int k = threadIdx.x; k < 896; k += 32) tile[t % 2][k] = own[t * 896 + k];
      arrive(&full[t % 2]);
    }
  } else {
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
      wait(&full[t % 2], t / 2 % 2);
      for (int k = threadIdx.x - 32; k < 896; k += 224) sum += tile[t % 2][k] * 0.5f;
      arrive(&empty[t % 2]);
    }
    out[blockIdx.x * 224 + threadIdx.x - 32] = sum;
  }
}

/// A token goes round the eight warps of a block; each waits for its own mbarrier.
extern "C" __global__ void mbarrier_ring(unsigned* out, int rounds) {
  __shared__ std::uint64_t turn[8];
  __shared__ unsigned token;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x < 8) start(&turn[threadIdx.x], 1);
  if (threadIdx.x == 0) token = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) arrive(&turn[0]);
  for (int round = 0; round < rounds; ++round) {
    wait(&turn[warp], round % 2);
    if (threadIdx.x % 32 == 0) {
      token = token * 3 + warp;
      arrive(&turn[(warp + 1) % 8]);
    }
    __syncwarp();
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = token;
}

/// All threads arrive and wait at the same mbarrier, as cuda::barrier does it.
extern "C" __global__ void barrier_steps(const float* x, float* out, int steps) {
  __shared__ float line[2][512];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const int i = threadIdx.x, n = blockDim.x;
  if (i == 0) init(&barrier, n);
  line[0][i] = x[blockIdx.x * n + i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* const from = line[step % 2];
    line[(step + 1) % 2][i] = 0.25f * from[(i + n - 1) % n] + 0.5f * from[i] + 0.25f * from[(i + 1) % n];
    barrier.arrive_and_wait();
  }
  out[blockIdx.x * n + i] = line[steps % 2][i];
}

/// The same by __syncthreads().
extern "C" __global__ void syncthreads_steps(const float* x, float* out, int steps) {
  __shared__ float line[2][512];
  const int i = threadIdx.x, n = blockDim.x;
  line[0][i] = x[blockIdx.x * n + i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* const from = line[step % 2];
    line[(step + 1) % 2][i] = 0.25f * from[(i + n - 1) % n] + 0.5f * from[i] + 0.25f * from[(i + 1) % n];
    __syncthreads();
  }
  out[blockIdx.x * n + i] = line[steps % 2][i];
}

/// Two halves of a block pass data to each other by words in shared memory that they poll.
extern "C" __global__ void polled_flags(unsigned* out, int rounds) {
  __shared__ volatile unsigned flag[2];
  const int half = threadIdx.x / 128, within = threadIdx.x % 128;
  if (threadIdx.x < 2) flag[threadIdx.x] = 0;
  __syncthreads();
  unsigned sum = 0;
  for (int round = 1; round <= rounds; ++round) {
    if (within < 32) {
      if (half == 1)
        while (flag[0] < static_cast<unsigned>(round)) {
        }
      sum += flag[half];
      if (within == 0) flag[half] = round;
      __syncwarp();
      if (half == 0)
        while (flag[1] < static_cast<unsigned>(round)) {
        }
    }
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
