// Through a tile in shared memory whose columns lie in one bank each: reads of a column have 32-way conflicts.
constexpr int size = 32;

__global__ void transpose(const float* a, float* b, int rows, int columns) {
  __shared__ float tile[size][size];
  int x = blockIdx.x * size + threadIdx.x, y = blockIdx.y * size + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = a[y * columns + x];
  __syncthreads();
  x = blockIdx.y * size + threadIdx.x;
  y = blockIdx.x * size + threadIdx.y;
  if (x < rows && y < columns) b[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
