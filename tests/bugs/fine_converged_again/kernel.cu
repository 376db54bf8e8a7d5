// Correct: lanes diverge, reconverge after the branch, and then reach the barrier together.
extern "C" __global__ void meet(const int* x, int* y) {
  __shared__ int s[64];
  int v = x[threadIdx.x];
  if (v & 1) {
    for (int k = 0; k < v % 7; ++k) v = v * 3 + 1;
  } else if (v & 2) {
    v = -v;
  }
  s[threadIdx.x] = v;
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x] + __shfl_xor_sync(~0u, v, 1);
}
