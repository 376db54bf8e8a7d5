// y = max(x, 0): one thread an element.
//
// Shows: a choice per lane that costs no branch (the compiler selects), and a kernel bound by memory alone. As in
// PyTorch, a NaN stays NaN and -0 becomes 0. Launch: any block, ceil(n / block) blocks.
extern "C" __global__ void relu(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] <= 0.0f ? 0.0f : x[i];
}
