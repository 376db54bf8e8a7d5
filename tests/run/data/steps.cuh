// Included by inlined.cu: functions that are inlined into each other, one that is called, and a kernel.
#pragma once

__device__ inline float halved(float x) {
  return x * 0.5f;
}

__device__ inline float stepped(float x, float by) {
  const float half = halved(by);
  return x < half ? x + half : half - x;
}

__device__ __noinline__ float bent(float x) {
  for (int i = 0; i < 3; ++i) x = x * x + 0.5f;
  return x;
}

template <class T>
__global__ void doubled(T* x) {
  x[threadIdx.x] += x[threadIdx.x];
}
