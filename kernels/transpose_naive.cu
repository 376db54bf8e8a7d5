// y = x transposed, directly from global memory to global memory; x has `rows` rows and `columns` columns.
//
// Shows: requests that do not coalesce. A warp reads 32 adjacent words but writes 32 words that are a whole row of y
// apart: 32 sectors for 128 bytes.
// Launch: block 32 x 8, ceil(columns / 32) x ceil(rows / 32) blocks; a thread moves four elements.
extern "C" __global__ void transpose_naive(const float* x, float* y, int rows, int columns) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int down = threadIdx.y; down < 32; down += 8) {
    const int row = blockIdx.y * 32 + down;
    if (row < rows && column < columns) y[column * rows + row] = x[row * columns + column];
  }
}
