// A matrix times a vector: four columns per load, one warp per row; the block shares the vector.
extern "C" __global__ void matrix_vector(const float4* a, const float4* x, float* y, int rows, int quads, float alpha) {
  extern __shared__ float4 vector[];
  for (int k = threadIdx.x; k < quads; k += blockDim.x) vector[k] = x[k];
  __syncthreads();
  const int lane = threadIdx.x & 31, row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = lane; k < quads; k += 32) {
    const float4 m = __ldg(a + row * quads + k), v = vector[k];
    sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
  }
  for (int by = 16; by > 0; by >>= 1) sum += __shfl_down_sync(~0u, sum, by);
  if (lane == 0) y[row] = alpha * sum + y[row];
}
