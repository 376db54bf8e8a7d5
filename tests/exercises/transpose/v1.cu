// The stores of a warp go to 32 rows of b.
__global__ void transpose(const float* a, float* b, int rows, int columns) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < columns && y < rows) b[x * rows + y] = a[y * columns + x];
}
