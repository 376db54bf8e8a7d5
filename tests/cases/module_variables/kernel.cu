// Module variables with initial values: arrays, a structure that contains addresses, and a counter shared by all
// blocks.
struct Node {
  int value;
  const Node* next;
  const int* data;
};
__device__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ const Node tail = {300, nullptr, primes + 5};
__device__ const Node middle = {20, &tail, primes};
__device__ const Node head = {1, &middle, &primes[2]};
__device__ unsigned arrivals;
__device__ char text[] = "warpwalk";
__device__ double halves[4] = {0.5, 1.5, -2.5, 1e300};

extern "C" __global__ void module_variables(int* y, unsigned* total, double* d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (const Node* node = &head; node; node = node->next) sum += node->value * node->data[i & 1];
  y[i] = sum + primes[i & 7] + text[i % 9];
  d[i] = halves[i & 3] * 2.0;
  atomicAdd(&arrivals, 1u);
  __threadfence();
  __syncthreads();
  if (gridDim.x == 1 && threadIdx.x == 0) *total = *(volatile unsigned*)&arrivals;
}
