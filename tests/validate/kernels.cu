// Kernels for validation launches that no case covers. They are measured on an H200 and never used to fit a parameter.
#include <cstdint>

extern "C" {

/// Does nothing: the cost of a launch.
__global__ void empty() {}

/// Reads from scattered places, a different sector per lane.
__global__ void gather(const float* x, float* y, unsigned mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = i * 2654435761u;
  h = (h ^ h >> 15) * 2246822519u;
  y[i] = x[(h ^ h >> 13) & mask];
}

/// Writes to scattered places; an odd factor gives each thread a place of its own.
__global__ void scatter(const float* x, float* y, unsigned mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[(i * 40503u * 2u + i) & mask] = x[i];
}

/// Rows of a table by index: one warp per row of 128 floats.
__global__ void embedding(const int* rows, const float4* table, float4* y) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  y[row * 32 + lane] = table[rows[row] * 32 + lane];
}

/// Each block adds its elements to bins in global memory.
__global__ void global_histogram(const int* x, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(bins + x[i], 1u);
}

/// One ticket per warp from a single counter, whose value is used.
__global__ void tickets(unsigned* counter, unsigned* y) {
  const unsigned lane = threadIdx.x & 31;
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(counter, 32u);
  y[blockIdx.x * blockDim.x + threadIdx.x] = __shfl_sync(~0u, first, 0) & 31u | lane;
}

/// A polynomial in double precision.
__global__ void polynomial(const double* x, double* y, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double v = x[i];
  double sum = 1.0;
  for (int k = 0; k < terms; ++k) sum = sum * v + 0.5;
  y[i] = sum;
}

/// A long chain of dependent operations; few warps.
__global__ void chain(const float* x, float* y, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  for (int k = 0; k < steps; ++k) v = v * 0.999f + 0.001f;
  y[i] = v;
}

/// A chain of dependent loads through a table of 1,024 indices in global memory.
__global__ void walk(const int* next, int* y, int steps) {
  int at = (blockIdx.x * blockDim.x + threadIdx.x) % 1000;
  for (int k = 0; k < steps; ++k) at = next[at];
  y[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

/// y = a x + y, four elements per thread.
__global__ void saxpy_vector(const float4* x, float4* y, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[i], w = y[i];
  y[i] = make_float4(a * v.x + w.x, a * v.y + w.y, a * v.z + w.z, a * v.w + w.w);
}

/// Many barriers: neighbours in a block exchange values.
__global__ void exchanges(const float* x, float* y, int rounds) {
  __shared__ float line[1026];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) line[0] = line[blockDim.x + 1] = 0.0f;
  float v = x[i];
  for (int k = 0; k < rounds; ++k) {
    line[t + 1] = v;
    __syncthreads();
    v = 0.25f * line[t] + 0.5f * v + 0.25f * line[t + 2];
    __syncthreads();
  }
  y[i] = v;
}

/// Tiles of 4 KB copied by cp.async, two ahead of the sum of their columns.
__global__ void async_tiles(const int4* x, int* y, int tiles) {
  __shared__ int4 stage[3][256];
  const int t = threadIdx.x;
  const int4* from = x + static_cast<std::size_t>(blockIdx.x) * tiles * 256 + t;
  int sum = 0;
  for (int s = 0; s < tiles + 2; ++s) {
    if (s < tiles) {
      const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&stage[s % 3][t]));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from + s * 256));
    }
    asm volatile("cp.async.commit_group;");
    if (s < 2) continue;
    asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    const int4 v = stage[(s - 2) % 3][t ^ 1];
    sum += v.x + v.y * 3 + v.z * 5 + v.w * 7;
    __syncthreads();
  }
  y[blockIdx.x * 256 + t] = sum;
}

/// Warp sums by shuffles, votes and a prefix count.
__global__ void compact(const int* x, int* y, int* counts, int threshold) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int v = x[i];
  const unsigned keep = __ballot_sync(~0u, v < threshold);
  const int place = __popc(keep & ((1u << lane) - 1));
  if (v < threshold) y[i - lane + place] = v;
  int sum = v;
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
  if (lane == 0) counts[i / 32] = __popc(keep) + sum;
}

/// Sines, exponentials and square roots by the special-function unit.
__global__ void special(const float* x, float* y, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  for (int k = 0; k < rounds; ++k) v = __sinf(v) + __expf(-v * v) + sqrtf(v * v + 0.5f);
  y[i] = v;
}

}  // extern "C"
