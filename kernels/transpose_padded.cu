// y = x transposed via a tile with one extra column; x has `rows` rows and `columns` columns.
//
// Shows: how one unused word per row reduces transpose_shared's 32 wavefronts to one. The words of a column are now 33
// apart, so each is in a different bank.
// Launch: block 32 x 8, ceil(columns / 32) x ceil(rows / 32) blocks; a thread moves four elements.
extern "C" __global__ void transpose_padded(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[32][33];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int down = threadIdx.y; down < 32; down += 8) {
    const int row = top + down, column = left + threadIdx.x;
    if (row < rows && column < columns) tile[down][threadIdx.x] = x[row * columns + column];
  }
  __syncthreads();
  for (int down = threadIdx.y; down < 32; down += 8) {
    const int row = left + down, column = top + threadIdx.x;  // in y
    if (row < columns && column < rows) y[row * rows + column] = tile[threadIdx.x][down];
  }
}
