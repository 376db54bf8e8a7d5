// Correct: the tail is guarded, an out-of-bounds address is computed but not used, and the last element is read.
extern "C" __global__ void guarded(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* behind = x + n + i;
  if (i < n) y[i] = x[n - 1 - i] + (behind < x ? 1.0f : 0.0f) + (i + 1 < n ? x[i + 1] : 0.0f);
}
