// A queue between blocks: the index is atomic, but the element is stored after the count has become visible.
extern "C" __global__ void queue(int* count, int* items, int* y) {
  if (blockIdx.x == 0) {
    const int at = atomicAdd(count, 1);
    __threadfence();
    items[at] = threadIdx.x;  // OTHER: is stored after the count
  } else {
    while (atomicAdd(count, 0) <= threadIdx.x) {
    }
    __threadfence();
    y[threadIdx.x] = items[threadIdx.x];  // BUG: counted, but perhaps not yet stored
  }
}
