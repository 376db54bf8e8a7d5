// The grid is rounded up to whole blocks, and nobody asks whether i is still an element.
extern "C" __global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];  // BUG: i reaches 1023, there are 1000
}
