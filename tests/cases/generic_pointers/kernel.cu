// One pointer for three state spaces: each lane loads, stores and adds through an address whose space is dynamic.
__device__ int in_module[32];

extern "C" __global__ void generic_pointers(const int* x, int* y, int* spaces) {
  __shared__ int shared[32];
  int local[4];
  const int lane = threadIdx.x;
  shared[lane] = x[lane] * 2;
  in_module[lane] = x[lane] * 5;
  for (int k = 0; k < 4; ++k) local[k] = x[lane] - k;
  __syncthreads();
  int* p = nullptr;
  switch (x[lane] & 3) {
    case 0: p = &shared[31 - lane]; break;
    case 1: p = &local[lane & 3]; break;
    case 2: p = &in_module[lane]; break;
    default: p = &y[32 + lane];
  }
  *p += 7;
  if ((x[lane] & 3) != 1) atomicAdd(p, 100);
  spaces[lane] = (__isShared(p) ? 1 : 0) + (__isGlobal(p) ? 2 : 0) + (__isLocal(p) ? 4 : 0);
  __syncthreads();
  y[lane] = *p + shared[lane] + local[(lane + 1) & 3] + in_module[lane];
}
