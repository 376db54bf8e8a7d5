#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime.h>

/// Exits with a message if a CUDA call failed.
inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Prints one result: topic,name,parameters,value,unit.
inline void row(const char* topic, const std::string& name, const std::string& parameters, double value,
                const char* unit) {
  std::printf("%s,%s,%s,%.6g,%s\n", topic, name.c_str(), parameters.c_str(), value, unit);
}

/// "NAME=VALUE" for the parameters column; several are separated by spaces.
inline std::string named(const char* name, long long value) { return std::string(name) + "=" + std::to_string(value); }

/// GPU memory, filled with zeros.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)));
    clear();
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* get() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  void clear() { check(cudaMemset(data_, 0, bytes())); }
  void set(const std::vector<T>& values) {
    check(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  /// Waits for the GPU and returns the first `count` elements.
  std::vector<T> read(std::size_t count) const {
    std::vector<T> values(count);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(values.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// SMs of the GPU.
inline int sm_count() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

/// The cycle counter of the SM, read at this place in the program.
__device__ inline long long now() {
  long long cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

/// The cycle counter once `value` has been computed: a store to shared memory needs the value and is issued first.
__device__ inline long long stamp(unsigned value) {
  __shared__ unsigned place[1024];
  asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(place + (threadIdx.x & 1023)))),
               "r"(value)
               : "memory");
  return now();
}

/// Nanoseconds of the GPU; advances in steps of 32.
__device__ inline unsigned long long nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

__device__ inline unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

/// First and last reading of the cycle counter in a block.
struct Span {
  long long start, end;
};

/// Cycles from the first warp's start to the last warp's end; all spans are from one SM.
inline long long cycles_of(const std::vector<Span>& warps) {
  long long start = warps[0].start, end = warps[0].end;
  for (const Span& warp : warps) {
    start = std::min(start, warp.start);
    end = std::max(end, warp.end);
  }
  return end - start;
}

/// Reads 256 MB, so that the L2 cache holds only clean lines of this buffer.
static __global__ void sweep_l2(const uint4* data, std::size_t count, unsigned* sink) {
  unsigned sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint4 v = __ldcg(data + i);
    sum += v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 1) *sink = sum;
}

/// Replaces the contents of the L2 cache.
class L2Sweeper {
 public:
  void sweep() { sweep_l2<<<528, 512>>>(data_.get(), data_.bytes() / sizeof(uint4), sink_.get()); }

 private:
  DeviceArray<uint4> data_{std::size_t(256) << 16};
  DeviceArray<unsigned> sink_{1};
};
