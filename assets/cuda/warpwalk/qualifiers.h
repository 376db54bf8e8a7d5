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
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
#if __has_attribute(cluster_dims)
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#else
#define __cluster_dims__(...) \
  _Pragma(                    \
      "GCC error \"`__cluster_dims__`: not in warpwalk's own CUDA header; give the \
launch its cluster instead, or install NVRTC (libnvrtc.so) or nvcc\"")
#endif
#define __restrict __restrict__

// clang accepts alignas() before the attributes above, but not after them, and CUDA's own documentation writes
// `__shared__ alignas(128) float tile[32]`. The attribute `aligned` may stand anywhere, but takes no types. So
// alignas() of a number is that attribute, and any other is the keyword: WARPWALK_ALIGNED_2 is a macro only if the
// parentheses follow at once, so not in `2 * sizeof(T)`.
#define WARPWALK_ALIGNED_2() ~, __attribute__((aligned(2)))
#define WARPWALK_ALIGNED_4() ~, __attribute__((aligned(4)))
#define WARPWALK_ALIGNED_8() ~, __attribute__((aligned(8)))
#define WARPWALK_ALIGNED_16() ~, __attribute__((aligned(16)))
#define WARPWALK_ALIGNED_32() ~, __attribute__((aligned(32)))
#define WARPWALK_ALIGNED_64() ~, __attribute__((aligned(64)))
#define WARPWALK_ALIGNED_128() ~, __attribute__((aligned(128)))
#define WARPWALK_ALIGNED_256() ~, __attribute__((aligned(256)))
#define WARPWALK_ALIGNED_512() ~, __attribute__((aligned(512)))
#define WARPWALK_ALIGNED_1024() ~, __attribute__((aligned(1024)))
#define WARPWALK_ALIGNED(first, ...) WARPWALK_ALIGNED_##first()
#define WARPWALK_SECOND(first, second, ...) second
#define WARPWALK_CHOOSE(...) WARPWALK_SECOND(__VA_ARGS__)
#define alignas(...) WARPWALK_CHOOSE(WARPWALK_ALIGNED(__VA_ARGS__, ~), alignas(__VA_ARGS__), ~)

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
