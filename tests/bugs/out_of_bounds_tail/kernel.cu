// The grid is rounded up to whole blocks, but i is not checked against the number of elements.
extern "C" __global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];  // BUG: i reaches 1023, but there are 1000 elements
}
