// Attention with a running maximum and a causal mask: one thread per query, keys and values in shared-memory tiles.
extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* o, int length,
                                     float scale) {
  constexpr int width = 16, tile = 32;
  __shared__ float keys[tile][width], values[tile][width];
  const int i = blockIdx.x * tile + threadIdx.x;
  float query[width], sum[width] = {}, largest = -INFINITY, total = 0.0f;
  for (int d = 0; d < width; ++d) query[d] = i < length ? q[i * width + d] * scale : 0.0f;
  for (int base = 0; base <= blockIdx.x * tile; base += tile) {
    __syncthreads();
    for (int d = 0; d < width; ++d) {
      keys[threadIdx.x][d] = base + threadIdx.x < length ? k[(base + threadIdx.x) * width + d] : 0.0f;
      values[threadIdx.x][d] = base + threadIdx.x < length ? v[(base + threadIdx.x) * width + d] : 0.0f;
    }
    __syncthreads();
    for (int j = 0; j < tile && base + j <= i; ++j) {
      float score = 0.0f;
      for (int d = 0; d < width; ++d) score += query[d] * keys[j][d];
      const float next = fmaxf(largest, score), shrink = __expf(largest - next), weight = __expf(score - next);
      total = total * shrink + weight;
      for (int d = 0; d < width; ++d) sum[d] = sum[d] * shrink + weight * values[j][d];
      largest = next;
    }
  }
  if (i < length)
    for (int d = 0; d < width; ++d) o[i * width + d] = sum[d] / total;
}
