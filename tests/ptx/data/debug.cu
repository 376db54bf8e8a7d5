// nvcc -G compiles this file to debug.sm_90.ptx.
__device__ int counter = 7;
struct Pair {
  int first;
  float second;
};
__noinline__ __device__ Pair turned(Pair p) { return {static_cast<int>(p.second), static_cast<float>(p.first)}; }

extern "C" __global__ void kernel(float* out, int n) {
  __shared__ float tile[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float local[4] = {};
  for (int k = 0; k < 4; ++k) local[k] = turned({k, 0.5f * i}).second;
  tile[threadIdx.x & 31] = local[i & 3];
  __syncthreads();
  if (i < n) out[i] = tile[31 - (threadIdx.x & 31)] + atomicAdd(&counter, 1);
}
