// Atomics that are atomic only within a block, on a counter of all blocks.
extern "C" __global__ void count(const int* x, int* counter) {
  if (x[blockIdx.x * blockDim.x + threadIdx.x] % 3 == 0) atomicAdd_block(counter, 1);  // BUG: other blocks count too
}
