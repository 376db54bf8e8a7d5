// The matrix product c = a b. a has m rows and k columns, b has k rows and n columns.
// m and n are multiples of 64, k is a multiple of 32.
// A thread block loads tiles of 16 x 16 elements of a and b; each thread computes one element of c.
// launch: grid n / 16 x m / 16, block 16 x 16
constexpr int tile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float at[tile][tile], bt[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int first = 0; first < k; first += tile) {
    at[y][x] = a[row * k + first + x];
    bt[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) {
      sum += at[y][i] * bt[i][x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}
