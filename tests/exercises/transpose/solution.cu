// Through a padded tile; each thread of a block of 32 x 8 moves four elements, so their loads overlap.
// launch: block 32 x 8
constexpr int size = 32, step = 8;

__global__ void transpose(const float* a, float* b, int rows, int columns) {
  __shared__ float tile[size][size + 1];
  int x = blockIdx.x * size + threadIdx.x, y = blockIdx.y * size + threadIdx.y;
  for (int k = 0; k < size; k += step)
    if (x < columns && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = a[(y + k) * columns + x];
  __syncthreads();
  x = blockIdx.y * size + threadIdx.x;
  y = blockIdx.x * size + threadIdx.y;
  for (int k = 0; k < size; k += step)
    if (x < rows && y + k < columns) b[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}
