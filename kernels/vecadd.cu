// c = a + b: one thread per element, the smallest useful kernel.
//
// Shows: how a thread finds its element, why the last block needs the comparison with n, and that adjacent lanes that
// access adjacent words make one request of four sectors.
// Launch: any block, ceil(n / block) blocks.
extern "C" __global__ void vecadd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
