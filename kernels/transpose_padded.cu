// y = x transposed by way of a tile with one column too many: x has so many rows and columns.
//
// Shows: how one unused word a row turns transpose_shared's 32 wavefronts into one. A column's words are now 33 apart,
// so each lies in another bank.
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
    const int row = left + down, column = top + threadIdx.x;  // of y
    if (row < columns && column < rows) y[row * rows + column] = tile[threadIdx.x][down];
  }
}
