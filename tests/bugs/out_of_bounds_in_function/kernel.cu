// An out-of-bounds store in a function that is not inlined, in only one lane of the third block.
__device__ __noinline__ void put(int* at, int value) {
  *at = value;  // BUG: past the end
}

extern "C" __global__ void through(int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put(y + (i == 77 ? n + 5 : i), i);
}
