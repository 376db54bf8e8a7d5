// Kernels of the labs: measured on an H200 and simulated (tests/validate/labs.py).
#include <cuda/barrier>
#include <cuda/pipeline>

extern "C" {

/// c = a b, n x n. Each thread reads a row of a and a column of b from global memory.
__global__ void matmul_naive(const float* a, const float* b, float* c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

/// A block of 32 x 32 threads loads tiles into shared memory and uses each element 32 times.
__global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float at[32][32], bt[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    at[y][x] = a[row * n + k + x];
    bt[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += at[y][j] * bt[j][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

}  // extern "C"

// The following compute a tile of 64 x 64 with 16 x 16 threads, 4 x 4 elements per thread, 16 values of k at a time.
constexpr int edge = 64, depth = 16;

// Four more words per row of a: the two rows that a warp reads at once begin in different banks.
struct Tiles {
  float a[edge][depth + 4];
  float b[depth][edge];
};

// Adds the products of the two tiles to the elements of the thread.
__device__ inline void multiply(const Tiles& tiles, float (&sum)[4][4]) {
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int k = 0; k < depth; ++k) {
    float left[4], right[4];
    for (int p = 0; p < 4; ++p) left[p] = tiles.a[y * 4 + p][k];
    const float4 four = *reinterpret_cast<const float4*>(&tiles.b[k][x * 4]);
    right[0] = four.x, right[1] = four.y, right[2] = four.z, right[3] = four.w;
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q) sum[p][q] += left[p] * right[q];
  }
}

__device__ inline void store(const float (&sum)[4][4], float* c, int n) {
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int p = 0; p < 4; ++p)
    *reinterpret_cast<float4*>(c + (blockIdx.y * edge + y * 4 + p) * n + blockIdx.x * edge + x * 4) =
        make_float4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
}

// The four elements of each tile that the thread copies: their sources and targets.
struct Copy {
  int t = threadIdx.x;
  __device__ const float4* a(const float* from, int n, int k) const {
    return reinterpret_cast<const float4*>(from + (blockIdx.y * edge + t / 4) * n + k + t % 4 * 4);
  }
  __device__ const float4* b(const float* from, int n, int k) const {
    return reinterpret_cast<const float4*>(from + (k + t / 16) * n + blockIdx.x * edge + t % 16 * 4);
  }
  __device__ float4* a(Tiles& tiles) const { return reinterpret_cast<float4*>(&tiles.a[t / 4][t % 4 * 4]); }
  __device__ float4* b(Tiles& tiles) const { return reinterpret_cast<float4*>(&tiles.b[t / 16][t % 16 * 4]); }
};

extern "C" {

/// Each thread keeps 4 x 4 elements of c in registers.
__global__ void matmul_registers(const float* a, const float* b, float* c, int n) {
  __shared__ Tiles tiles;
  const Copy copy;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += depth) {
    *copy.a(tiles) = *copy.a(a, n, k);
    *copy.b(tiles) = *copy.b(b, n, k);
    __syncthreads();
    multiply(tiles, sum);
    __syncthreads();
  }
  store(sum, c, n);
}

/// The same with two pairs of tiles: cuda::pipeline copies the next pair (cp.async) while the block multiplies.
__global__ void matmul_pipeline(const float* a, const float* b, float* c, int n) {
  __shared__ Tiles tiles[2];
  const Copy copy;
  auto pipeline = cuda::make_pipeline();
  const auto fetch = [&](int k) {
    pipeline.producer_acquire();
    if (k < n) {
      Tiles& to = tiles[k / depth % 2];
      cuda::memcpy_async(copy.a(to), copy.a(a, n, k), cuda::aligned_size_t<16>(16), pipeline);
      cuda::memcpy_async(copy.b(to), copy.b(b, n, k), cuda::aligned_size_t<16>(16), pipeline);
    }
    pipeline.producer_commit();
  };
  float sum[4][4] = {};
  fetch(0);
  for (int k = 0; k < n; k += depth) {
    fetch(k + depth);
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    __syncthreads();
    multiply(tiles[k / depth % 2], sum);
    pipeline.consumer_release();
    __syncthreads();
  }
  store(sum, c, n);
}

/// The same with a cuda::barrier per pair of tiles, at which the copies of all threads arrive.
__global__ void matmul_barrier(const float* a, const float* b, float* c, int n) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Tiles tiles[2];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier filled[2];
  const Copy copy;
  if (threadIdx.x < 2) init(&filled[threadIdx.x], blockDim.x);
  __syncthreads();
  const auto fetch = [&](int k) {
    const int stage = k / depth % 2;
    for (int half = 0; half < 2; ++half) {  // copies of 8 bytes; copies of 16 would become bulk copies
      cuda::memcpy_async(reinterpret_cast<float2*>(copy.a(tiles[stage])) + half,
                         reinterpret_cast<const float2*>(copy.a(a, n, k)) + half, cuda::aligned_size_t<8>(8),
                         filled[stage]);
      cuda::memcpy_async(reinterpret_cast<float2*>(copy.b(tiles[stage])) + half,
                         reinterpret_cast<const float2*>(copy.b(b, n, k)) + half, cuda::aligned_size_t<8>(8),
                         filled[stage]);
    }
  };
  float sum[4][4] = {};
  fetch(0);
  for (int k = 0; k < n; k += depth) {
    if (k + depth < n) fetch(k + depth);
    filled[k / depth % 2].arrive_and_wait();
    multiply(tiles[k / depth % 2], sum);
    __syncthreads();
  }
  store(sum, c, n);
}

/// A chain of multiply-adds, each of which needs the result before it.
__global__ void fma_chain(const float* x, float* y, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i % 1024];
  for (int k = 0; k < steps; ++k) v = v * 0.999f + 0.001f;
  y[i] = v;
}

/// Four such chains per thread, which do not need each other.
__global__ void fma_four_chains(const float* x, float* y, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u = x[i % 1024], v = u + 1, w = u + 2, z = u + 3;
  for (int k = 0; k < steps; ++k) {
    u = u * 0.999f + 0.001f;
    v = v * 0.999f + 0.001f;
    w = w * 0.999f + 0.001f;
    z = z * 0.999f + 0.001f;
  }
  y[i] = u + v + w + z;
}

/// Sums of n elements. Each thread has one load in flight.
__global__ void read_one(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = first; i < n; i += threads) sum += x[i];
  y[first] = sum;
}

/// The same with four loads in flight per thread.
__global__ void read_four(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = first; i < n; i += threads * 4) {
    const float p = x[i], q = x[i + threads], r = x[i + threads * 2], s = x[i + threads * 3];
    sum += (p + q) + (r + s);
  }
  y[first] = sum;
}

/// Each block reads a window of its own again and again.
__global__ void windows(const float* x, float* y, int words, int passes) {
  const float* const window = x + static_cast<size_t>(blockIdx.x) * words;
  float sum = 0;
  for (int pass = 0; pass < passes; ++pass)
#pragma unroll 4
    for (int i = threadIdx.x; i < words; i += blockDim.x) sum += window[i];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Many multiply-adds per element.
__global__ void busy(const float* x, float* y, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  for (int k = 0; k < steps; ++k) v = v * v + 0.25f * v - 0.5f;
  y[i] = v;
}

/// y = a x + y: two loads and a store per multiply-add.
__global__ void saxpy(const float* x, float* y, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

}  // extern "C"
