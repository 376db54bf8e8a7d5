// The halo of a tile is missing: the last thread reads the word past the array.
extern "C" __global__ void smooth(const float* x, float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = 0.5f * (tile[threadIdx.x] + tile[threadIdx.x + 1]);  // BUG: tile[64]
}
