// A small application: two threads of the host, each with its streams, compute histograms, prefix sums and sums of
// values in half precision, in several rounds, named by NVTX ranges.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include <cuda_fp16.h>
#include <nvtx3/nvToolsExt.h>

namespace {

constexpr int count = 16384, bins = 128, rounds = 3, threads = 256;

__global__ void histogram(const std::uint32_t* values, int n, unsigned* result) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[values[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    if (own[i] != 0) atomicAdd(&result[i], own[i]);
}

__device__ unsigned scan_warp(unsigned value) {
  const int lane = threadIdx.x % 32;
  for (int by = 1; by < 32; by *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, by);
    if (lane >= by) value += other;
  }
  return value;
}

// One block: the sums of all bins up to each.
__global__ void scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned of_warps[bins / 32];
  const int warp = threadIdx.x / 32;
  unsigned value = scan_warp(in[threadIdx.x]);
  if (threadIdx.x % 32 == 31) of_warps[warp] = value;
  __syncthreads();
  for (int before = 0; before < warp; ++before) value += of_warps[before];
  out[threadIdx.x] = value;
}

// Places every value into its bin's part, in no particular order within it.
__global__ void scatter(const std::uint32_t* values, int n, unsigned* ends, std::uint32_t* sorted) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sorted[atomicSub(&ends[values[i] % bins], 1u) - 1] = values[i];
}

__global__ void to_half(const std::uint32_t* values, int n, __half2* halves) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n)
    halves[i] = __hmul2(__floats2half2_rn(values[2 * i] % 64, values[2 * i + 1] % 64), __float2half2_rn(0.25f));
}

// Multiples of 1/4 below 2^24: the float sum is exact in any order.
__global__ void sum_halves(const __half2* halves, int n, float* sum, unsigned* blocks_with_large) {
  float total = 0;
  bool large = false;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float2 both = __half22float2(halves[i]);
    total += both.x + both.y;
    large = large || both.x > 15.5f;
  }
  for (int by = 16; by > 0; by /= 2) total += __shfl_xor_sync(0xffffffffu, total, by);
  const unsigned votes = __ballot_sync(0xffffffffu, large);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sum, total);
    atomicAdd(blocks_with_large, static_cast<unsigned>(__popc(votes) > 0));
  }
}

struct Round {
  std::vector<unsigned> histogram, ends;
  bool sorted = true, exact = true;
  float sum = 0;
  unsigned votes = 0;
};

struct Device {
  std::uint32_t *values = nullptr, *sorted = nullptr;
  unsigned *histogram = nullptr, *ends = nullptr, *votes = nullptr;
  __half2* halves = nullptr;
  float* sum = nullptr;
  cudaStream_t sorting = nullptr, summing = nullptr;
  cudaEvent_t copied = nullptr, summed = nullptr;
};

Device make_device() {
  Device d;
  NEED(cudaStreamCreateWithFlags(&d.sorting, cudaStreamNonBlocking));
  NEED(cudaStreamCreateWithFlags(&d.summing, cudaStreamNonBlocking));
  NEED(cudaEventCreateWithFlags(&d.copied, cudaEventDisableTiming));
  NEED(cudaEventCreateWithFlags(&d.summed, cudaEventDisableTiming));
  NEED(cudaMalloc(&d.values, count * sizeof(std::uint32_t)));
  NEED(cudaMalloc(&d.sorted, count * sizeof(std::uint32_t)));
  NEED(cudaMalloc(&d.halves, count / 2 * sizeof(__half2)));
  NEED(cudaMalloc(&d.histogram, bins * sizeof(unsigned)));
  NEED(cudaMalloc(&d.ends, bins * sizeof(unsigned)));
  NEED(cudaMalloc(&d.sum, sizeof(float)));
  NEED(cudaMalloc(&d.votes, sizeof(unsigned)));
  return d;
}

void destroy(const Device& d) {
  for (void* memory : {static_cast<void*>(d.values), static_cast<void*>(d.sorted), static_cast<void*>(d.halves),
                       static_cast<void*>(d.histogram), static_cast<void*>(d.ends), static_cast<void*>(d.sum),
                       static_cast<void*>(d.votes)})
    NEED(cudaFree(memory));
  NEED(cudaEventDestroy(d.copied));
  NEED(cudaEventDestroy(d.summed));
  NEED(cudaStreamDestroy(d.sorting));
  NEED(cudaStreamDestroy(d.summing));
}

Round compute(const Device& d, std::uint32_t seed) {
  Round r;
  r.histogram.resize(bins);
  r.ends.resize(bins);
  std::vector<std::uint32_t> host(count), sorted(count);
  for (std::uint32_t& value : host) value = (seed = seed * 1664525u + 1013904223u) >> 8;
  nvtxRangePushA("copy");
  NEED(cudaMemcpyAsync(d.values, host.data(), count * sizeof(std::uint32_t), cudaMemcpyHostToDevice, d.sorting));
  NEED(cudaEventRecord(d.copied, d.sorting));
  NEED(cudaStreamWaitEvent(d.summing, d.copied));
  nvtxRangePop();
  nvtxRangePushA("sort");
  NEED(cudaMemsetAsync(d.histogram, 0, bins * sizeof(unsigned), d.sorting));
  histogram<<<8, threads, 0, d.sorting>>>(d.values, count, d.histogram);
  scan<<<1, bins, 0, d.sorting>>>(d.histogram, d.ends);
  NEED(cudaMemcpyAsync(r.ends.data(), d.ends, bins * sizeof(unsigned), cudaMemcpyDeviceToHost, d.sorting));
  scatter<<<count / threads, threads, 0, d.sorting>>>(d.values, count, d.ends, d.sorted);
  nvtxRangePop();
  nvtxRangePushA("sum");
  NEED(cudaMemsetAsync(d.sum, 0, sizeof(float), d.summing));
  NEED(cudaMemsetAsync(d.votes, 0, sizeof(unsigned), d.summing));
  to_half<<<count / 2 / threads, threads, 0, d.summing>>>(d.values, count, d.halves);
  sum_halves<<<4, threads, 0, d.summing>>>(d.halves, count / 2, d.sum, d.votes);
  NEED(cudaEventRecord(d.summed, d.summing));
  nvtxRangePop();
  NEED(cudaStreamWaitEvent(d.sorting, d.summed));
  NEED(cudaMemcpyAsync(&r.sum, d.sum, sizeof(float), cudaMemcpyDeviceToHost, d.sorting));
  NEED(cudaMemcpyAsync(&r.votes, d.votes, sizeof(unsigned), cudaMemcpyDeviceToHost, d.sorting));
  NEED(cudaMemcpyAsync(r.histogram.data(), d.histogram, bins * sizeof(unsigned), cudaMemcpyDeviceToHost, d.sorting));
  NEED(cudaMemcpyAsync(sorted.data(), d.sorted, count * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, d.sorting));
  NEED(cudaStreamSynchronize(d.sorting));
  for (int i = 1; i < count; ++i) r.sorted = r.sorted && sorted[i - 1] % bins <= sorted[i] % bins;
  float expected = 0;
  for (const std::uint32_t value : host) expected += (value % 64) * 0.25f;
  std::sort(host.begin(), host.end());
  std::sort(sorted.begin(), sorted.end());
  r.sorted = r.sorted && host == sorted;
  r.exact = expected == r.sum;
  return r;
}

void worker(int number, std::vector<Round>* results) {
  const Device device = make_device();
  for (int round = 0; round < rounds; ++round) {
    nvtxRangePushA(("round " + std::to_string(round) + " of worker " + std::to_string(number)).c_str());
    results->push_back(compute(device, 1000u * number + round));
    nvtxRangePop();
  }
  destroy(device);
}

}  // namespace

int main() {
  NEED(cudaFree(nullptr));
  nvtxMarkA("start");
  std::vector<Round> results[2];
  std::thread first(worker, 0, &results[0]), second(worker, 1, &results[1]);
  first.join();
  second.join();
  nvtxMarkA("end");
  for (int number = 0; number < 2; ++number)
    for (const Round& r : results[number]) {
      unsigned largest = 0, total = 0;
      for (const unsigned n : r.histogram) largest = std::max(largest, n), total += n;
      std::printf("worker %d: largest bin %u, all %u, ends %u %u %u, sum %.2f, warps with large values %u\n", number,
                  largest, total, r.ends[0], r.ends[63], r.ends[127], r.sum, r.votes);
      check(r.sorted && r.exact && total == count && r.ends[bins - 1] == count, "sorted, and the sum is exact");
      std::vector<unsigned> sums(bins);
      std::partial_sum(r.histogram.begin(), r.histogram.end(), sums.begin());
      check(sums == r.ends, "the prefix sums are those of the histogram");
    }
  return finish();
}
