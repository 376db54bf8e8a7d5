// threadIdx, blockIdx, blockDim, gridDim and warpSize.
#pragma once

#include "vectors.h"

namespace warpwalk_cuda {

// A variable without storage: reading a component reads its special register.
#define WARPWALK_INDEX(NAME, REGISTER)                                                             \
  struct NAME {                                                                                    \
    __declspec(property(get = read_x)) unsigned int x;                                             \
    __declspec(property(get = read_y)) unsigned int y;                                             \
    __declspec(property(get = read_z)) unsigned int z;                                             \
    WARPWALK_MEMBER static unsigned int read_x() { return __nvvm_read_ptx_sreg_##REGISTER##_x(); } \
    WARPWALK_MEMBER static unsigned int read_y() { return __nvvm_read_ptx_sreg_##REGISTER##_y(); } \
    WARPWALK_MEMBER static unsigned int read_z() { return __nvvm_read_ptx_sreg_##REGISTER##_z(); } \
    WARPWALK_MEMBER operator uint3() const { return {read_x(), read_y(), read_z()}; }              \
    WARPWALK_MEMBER operator dim3() const { return dim3(read_x(), read_y(), read_z()); }           \
    NAME() = delete;                                                                               \
    NAME(const NAME&) = delete;                                                                    \
    NAME& operator=(const NAME&) = delete;                                                         \
  };
WARPWALK_INDEX(ThreadIndex, tid)
WARPWALK_INDEX(BlockIndex, ctaid)
WARPWALK_INDEX(BlockShape, ntid)
WARPWALK_INDEX(GridShape, nctaid)
#undef WARPWALK_INDEX

}  // namespace warpwalk_cuda

extern const __device__ __attribute__((weak)) warpwalk_cuda::ThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) warpwalk_cuda::BlockIndex blockIdx;
extern const __device__ __attribute__((weak)) warpwalk_cuda::BlockShape blockDim;
extern const __device__ __attribute__((weak)) warpwalk_cuda::GridShape gridDim;
constexpr int warpSize = 32;
