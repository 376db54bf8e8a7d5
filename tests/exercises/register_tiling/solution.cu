// Tiles of 64 x 32 and 32 x 64 in shared memory; each thread computes 4 x 4 elements of c. It reads and writes four
// neighbouring columns at once.
// launch: grid n / 64 x m / 64, block 16 x 16
constexpr int side = 16, per_thread = 4, tile = side * per_thread, depth = 32;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ __align__(16) float at[tile][depth + 4];  // padded, so that neighbouring rows begin in different banks
  __shared__ float4 bt[depth][side];
  int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * tile, top = blockIdx.y * tile;
  float sum[per_thread][per_thread] = {};
  for (int first = 0; first < k; first += depth) {
#pragma unroll
    for (int d = 0; d < depth; d += side) {
#pragma unroll
      for (int p = 0; p < tile; p += side) {
        at[p + y][d + x] = a[(top + p + y) * k + first + d + x];
        reinterpret_cast<float*>(bt[d + y])[p + x] = b[(first + d + y) * n + left + p + x];
      }
    }
    __syncthreads();
#pragma unroll 16
    for (int i = 0; i < depth; ++i) {
      float4 right = bt[i][x];
#pragma unroll
      for (int p = 0; p < per_thread; ++p) {
        float factor = at[y + side * p][i];
        sum[p][0] += factor * right.x;
        sum[p][1] += factor * right.y;
        sum[p][2] += factor * right.z;
        sum[p][3] += factor * right.w;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < per_thread; ++p) {
    float* row = c + (top + y + side * p) * n + left + per_thread * x;
    *reinterpret_cast<float4*>(row) = make_float4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
  }
}
