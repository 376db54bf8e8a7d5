// Correct: a grid-stride loop, in place; each thread has its own words.
extern "C" __global__ void scale(float* x, int n, float by) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = by * x[i] + 1;
}
