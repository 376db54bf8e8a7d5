// Adds within a warp through volatile shared memory, without __syncwarp: relies on lanes that run in step.
// launch: grid (n + 511) / 512, block 256
__global__ void sum(const int* __restrict__ x, int* total, int n) {
  __shared__ int part[256];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  part[t] = (i < n ? x[i] : 0) + (i + 256 < n ? x[i + 256] : 0);
  __syncthreads();
  if (t < 128) part[t] += part[t + 128];
  __syncthreads();
  if (t < 64) part[t] += part[t + 64];
  __syncthreads();
  if (t >= 32) return;
  volatile int* lane = part;
  lane[t] += lane[t + 32];
  lane[t] += lane[t + 16];
  lane[t] += lane[t + 8];
  lane[t] += lane[t + 4];
  lane[t] += lane[t + 2];
  lane[t] += lane[t + 1];
  if (t == 0) atomicAdd(total, lane[0]);
}
