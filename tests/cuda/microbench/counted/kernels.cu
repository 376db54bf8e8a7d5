// Small kernels for one unit each, whose counters Nsight Compute records: cold caches, sectors written in part, and
// what counts as an access of L2.
#include <cstdint>

extern "C" {

__global__ void copy_word(const float* x, float* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

__global__ void copy_vector(const float4* x, float4* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

__global__ void add_vector(const float4* x, const float4* z, float4* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 a = x[i], b = z[i];
  y[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void read_vector(const float4* x, float* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[i];
  if (v.x + v.y + v.z + v.w == 123.5f) y[i] = v.x;
}

__global__ void write_vector(float4* y, float a) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = make_float4(a, a, a, a);
}

/// The first `words` of the eight words of each sector.
__global__ void write_words(float* y, int words, float a) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 8 < words) y[i] = a;
}

/// The first `sectors` of the four sectors of each line.
__global__ void write_sectors(float* y, int sectors, float a) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 8 % 4 < sectors) y[i] = a;
}

/// The first `words` of the 32 words of each line.
__global__ void write_prefix(float* y, int words, float a) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 32 < words) y[i] = a;
}

/// The halves of each sector, one after the other.
__global__ void write_halves(float* y, float a) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 8 < 4) y[i] = a;
  __syncthreads();
  if (i % 8 >= 4) y[i] = a;
}

/// A byte per lane: one sector per warp; `step` 2 leaves out every second sector.
__global__ void read_bytes(const uint8_t* x, float* y, int step) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint8_t v = x[i / 32 * 32 * step + i % 32];
  if (v == 255) y[i] = v;
}

/// Every thread of all blocks adds to the bin of its number in the block.
__global__ void add_to_bins(unsigned* bins) { atomicAdd(bins + threadIdx.x, 1u); }

__global__ void take_from_bins(unsigned* bins, unsigned* y) {
  const unsigned old = atomicAdd(bins + threadIdx.x, 1u);
  if (old == 0xffffffffu) *y = old;
}

/// One line per warp, `stride` words apart.
__global__ void touch(const float* x, float* y, int stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = x[std::size_t(i / 32) * stride + i % 32];
  if (v == 123.5f) y[i] = v;
}

}  // extern "C"
