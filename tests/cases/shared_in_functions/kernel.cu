// Functions that are not inlined and have their own shared memory and static counter; one template, several instances.
template <typename T>
__device__ __noinline__ T block_total(T v) {
  __shared__ T slots[64];
  slots[threadIdx.x] = v;
  __syncthreads();
  T sum = 0;
  for (int k = 0; k < 64; ++k) sum += slots[k];
  __syncthreads();
  return sum;
}
__device__ __noinline__ int ticket() {
  static __device__ int next = 100;
  return threadIdx.x == 0 ? atomicAdd(&next, 1) : -1;
}

extern "C" __global__ void shared_in_functions(const int* x, long long* y, float* z, int* tickets) {
  const int i = threadIdx.x;
  y[i] = block_total<long long>((long long)x[i] << 30) + block_total<int>(x[i]);
  z[i] = block_total<float>(0.5f * x[i]);
  tickets[i] = ticket() + (i == 0 ? ticket() : 0);
}
