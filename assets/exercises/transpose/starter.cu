// Transposes a matrix: b[x][y] = a[y][x]. a has `rows` rows and `columns` columns, b has `columns` rows.
__global__ void transpose(const float* a, float* b, int rows, int columns) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < columns && y < rows) {
    b[x * rows + y] = a[y * columns + x];
  }
}
