// Through a tile with 16 columns of padding: every second row begins in the same bank, so conflicts are 16-way.
constexpr int size = 32;

__global__ void transpose(const float* a, float* b, int rows, int columns) {
  __shared__ float tile[size][size + 16];
  int x = blockIdx.x * size + threadIdx.x, y = blockIdx.y * size + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = a[y * columns + x];
  __syncthreads();
  x = blockIdx.y * size + threadIdx.x;
  y = blockIdx.x * size + threadIdx.y;
  if (x < rows && y < columns) b[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
