// Blocks of 256 threads fill all warps of an SM, and each thread loads its four bytes at once, before the barrier.
// launch: grid (n + 4 * 256 - 1) / (4 * 256), block 256, shared 4 * 16
__global__ void decode(const unsigned char* code, const float* table, float* y, int n) {
  extern __shared__ float local[];
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  uchar4 v = {};
  if (i + 3 < n) v = *reinterpret_cast<const uchar4*>(code + i);
  if (threadIdx.x < 16) local[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  if (i + 3 < n) {
    *reinterpret_cast<float4*>(y + i) = {local[v.x / 16], local[v.y / 16], local[v.z / 16], local[v.w / 16]};
  } else {  // the last elements
    for (; i < n; ++i) y[i] = local[code[i] / 16];
  }
}
