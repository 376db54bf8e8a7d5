// Correct: warps of a block exchange words with __syncthreads(), and lanes of a warp with __syncwarp().
extern "C" __global__ void exchange(int* x, int* y) {
  int* const mine = x + blockIdx.x * blockDim.x;
  const unsigned t = threadIdx.x;
  mine[t] = 3 * t;
  __syncthreads();
  const int other = mine[blockDim.x - 1 - t];
  __syncthreads();
  mine[t] = other;
  __syncwarp();
  const int neighbour = mine[t ^ 1];
  __syncwarp();
  mine[t ^ 1] = neighbour + 1;
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = mine[(t + 40) % blockDim.x];
}
