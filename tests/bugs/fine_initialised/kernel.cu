// Correct: an output that is only written, a tile that is read only where it was written, a word written byte by byte.
extern "C" __global__ void careful(const int* x, int* y, unsigned* counts, int n) {
  __shared__ int tile[128];
  __shared__ unsigned word;
  int own[8];
  const int t = threadIdx.x;
  if (t < n) tile[t] = x[t];
  if (t < 4) reinterpret_cast<unsigned char*>(&word)[t] = (unsigned char)(t + 1);
  if (t < 8) counts[t] = 0;
  for (int k = 0; k < 8; ++k) own[(k + x[0]) & 7] = k;
  __syncthreads();
  if (t < n) y[t] = tile[n - 1 - t] + (int)word + own[tile[t] & 7];
  atomicAdd(&counts[t & 7], 1u);
}
