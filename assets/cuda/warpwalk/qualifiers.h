// The words of CUDA C++ for functions and variables, as attributes of clang.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cudart_builtin__
#define __device_builtin__
#define __grid_constant__
#if __has_attribute(cluster_dims)
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#else
#define __cluster_dims__(...) \
  _Pragma(                    \
      "GCC error \"`__cluster_dims__`: not in warpwalk's own CUDA header; give the \
launch its cluster instead, or install NVRTC (libnvrtc.so) or nvcc\"")
#endif
#define __restrict __restrict__

// clang does not implement managed variables of CUDA. On the simulated GPU they are variables of the module; the host
// part of a program cannot access them.
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, unavailable("managed variables are not in warpwalk's own CUDA header")))
#endif

#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

// Functions of the headers. Their instructions belong to the line that calls them.
#define WARPWALK_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))
#define WARPWALK_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug))
#define WARPWALK_OUTLINE static __attribute__((device, noinline, nodebug, unused))
#define WARPWALK_MEMBER __attribute__((device, always_inline, nodebug))
#define WARPWALK_MEMBER_BOTH __attribute__((host, device, always_inline, nodebug))

typedef __SIZE_TYPE__ size_t;
