// Measures the error of expf against the correctly rounded result over all floats: a histogram of the distance in ulp.
// The reference is exp in double precision (within 1 ulp of double) rounded to float. Near a tie of two floats, the
// reference may be off by one float.
//   nvcc -arch=native -O3 exp_ulp.cu -o exp_ulp && ./exp_ulp
#include <cstdint>
#include <cstdio>

#include <cuda_runtime.h>

namespace {

constexpr int most = 8;  // the last bin counts larger distances too

// Maps floats to integers so that adjacent floats map to adjacent integers.
__device__ std::int64_t ordered(float value) {
  const std::int64_t bits = __float_as_int(value);
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

__global__ void measure(unsigned long long* counts, unsigned long long* wrong_kind, unsigned* last_at) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t at = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; at < (std::uint64_t{1} << 32);
       at += threads) {
    const float x = __uint_as_float(static_cast<unsigned>(at));
    const float got = expf(x);
    const float want = static_cast<float>(exp(static_cast<double>(x)));
    if (isnan(got) || isnan(want)) {
      if (isnan(got) != isnan(want)) atomicAdd(wrong_kind, 1);
      continue;
    }
    const std::int64_t apart = llabs(ordered(got) - ordered(want));
    atomicAdd(&counts[apart < most ? apart : most], 1);
    if (apart >= 2) atomicMax(last_at, static_cast<unsigned>(at));
  }
}

}  // namespace

int main() {
  unsigned long long host[most + 3] = {};
  unsigned long long* counts = nullptr;
  if (cudaMalloc(&counts, sizeof host) != cudaSuccess) return 1;
  cudaMemcpy(counts, host, sizeof host, cudaMemcpyHostToDevice);
  measure<<<4096, 256>>>(counts, counts + most + 1, reinterpret_cast<unsigned*>(counts + most + 2));
  if (cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (int i = 0; i <= most; ++i)
    if (host[i] > 0) std::printf("%d%s apart: %llu\n", i, i == most ? " or more" : "", host[i]);
  std::printf("not a number where there should be one, or the other way round: %llu\n", host[most + 1]);
  std::printf("the last input that is 2 or more apart: 0x%08llx\n", host[most + 2]);
  return 0;
}
