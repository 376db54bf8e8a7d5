// Correct: blocks take tiles from an atomic counter; each tile has one owner.
extern "C" __global__ void work(int* x, int* next, int tiles) {
  __shared__ int tile;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    const int mine = tile;
    __syncthreads();
    if (mine >= tiles) return;
    x[mine * blockDim.x + threadIdx.x] += 1;
  }
}
