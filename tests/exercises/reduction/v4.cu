// Each thread adds two elements before the rounds.
// launch: grid (n + 511) / 512, block 256
__global__ void sum(const int* x, int* total, int n) {
  __shared__ int part[256];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  int first = i < n ? x[i] : 0, second = i + 256 < n ? x[i + 256] : 0;
  part[t] = first + second;
  __syncthreads();
  for (int distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (t < distance) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, part[0]);
}
