// A product of f64 matrices of odd sizes in 8x8 tiles, and the Cholesky factor of a small matrix by a single warp.
extern "C" __global__ void matrix_double(const double* a, const double* b, double* c, double* factor, int m, int n,
                                         int k) {
  __shared__ double ta[8][9], tb[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, column = blockIdx.x * 8 + tx;
  double sum = 0.0;
  for (int p = 0; p < k; p += 8) {
    ta[ty][tx] = row < m && p + tx < k ? a[row * k + p + tx] : 0.0;
    tb[ty][tx] = p + ty < k && column < n ? b[(p + ty) * n + column] : 0.0;
    __syncthreads();
    for (int q = 0; q < 8; ++q) sum += ta[ty][q] * tb[q][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
  if (blockIdx.x || blockIdx.y || ty) return;
  // 8x8, symmetric and diagonally dominant; lane tx owns row tx
  for (int j = 0; j < 8; ++j) {
    double v = tx == j ? 20.0 + a[j] : 0.5 * (a[tx + 8 * j] + a[j + 8 * tx]);
    for (int q = 0; q < j; ++q) v -= tb[tx][q] * tb[j][q];
    __syncwarp(0xff);
    if (tx == j) tb[j][j] = sqrt(v);
    __syncwarp(0xff);
    if (tx > j) tb[tx][j] = v / tb[j][j];
    __syncwarp(0xff);
  }
  for (int j = 0; j <= tx; ++j) factor[tx * 8 + j] = tb[tx][j];
}
