#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

/// A faulty program: its name on the command line, and the function that launches its kernel.
struct Case {
  const char* name;
  void (*launch)();
};

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// A copy of the values in the GPU's memory.
template <class T>
T* on_gpu(const std::vector<T>& values) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, values.size() * sizeof(T)));
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

/// first, first + step, first + 2 step, ...
inline std::vector<int> counting(int count, int step = 1) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i * step;
  return values;
}
