// y = max(x, 0): one thread per element.
//
// Shows: a choice per lane without a branch (the compiler uses a select), and a kernel limited only by memory. As in
// PyTorch, NaN stays NaN and -0 becomes 0. Launch: any block, ceil(n / block) blocks.
extern "C" __global__ void relu(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] <= 0.0f ? 0.0f : x[i];
}
