// Thread 9 reads a pair that begins at an odd element.
#include "cases.h"

__global__ void load_pairs(const float* x, const int* start, float* sum) {
  const float2 pair = *reinterpret_cast<const float2*>(x + start[threadIdx.x]);
  sum[threadIdx.x] = pair.x + pair.y;
}

void launch_misaligned() {
  std::vector<int> start = counting(64, 2);
  start[9] = 19;
  load_pairs<<<1, 64>>>(on_gpu(std::vector<float>(256, 1)), on_gpu(start), on_gpu(std::vector<float>(64)));
}
