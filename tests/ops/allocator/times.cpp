// Times of the caching allocator beside cudaMalloc and cudaFree, for times.py, which loads this as a library.
#include <chrono>
#include <vector>

#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>

namespace {
using Clock = std::chrono::steady_clock;
double ns_since(Clock::time_point from) {
  return std::chrono::duration<double, std::nano>(Clock::now() - from).count();
}
}  // namespace

extern "C" {

/// Mean times of one call in ns, over `count` blocks that are all in the cache.
int cached_times(unsigned long long bytes, int count, double* allocate, double* release) {
  std::vector<void*> blocks(static_cast<std::size_t>(count));
  auto* const allocator = c10::cuda::CUDACachingAllocator::get();
  for (int round = 0; round < 2; ++round) {  // the first fills the cache
    auto from = Clock::now();
    for (void*& block : blocks) block = allocator->raw_alloc(bytes);
    *allocate = ns_since(from) / count;
    from = Clock::now();
    for (void* const block : blocks) allocator->raw_delete(block);
    *release = ns_since(from) / count;
  }
  return 0;
}

int driver_times(unsigned long long bytes, int count, double* allocate, double* release) {
  std::vector<void*> blocks(static_cast<std::size_t>(count));
  auto from = Clock::now();
  for (void*& block : blocks)
    if (cudaMalloc(&block, bytes) != cudaSuccess) return 1;
  *allocate = ns_since(from) / count;
  from = Clock::now();
  for (void* const block : blocks)
    if (cudaFree(block) != cudaSuccess) return 1;
  *release = ns_since(from) / count;
  return 0;
}
}
