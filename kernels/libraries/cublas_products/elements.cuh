#pragma once

// Elements of matrices whose types are known when the kernel runs.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "product.h"

namespace stand_in::cublas {

__device__ inline float load_element(const void* at, int type, long long index) {
  switch (type) {
    case type_f16: return __half2float(static_cast<const __half*>(at)[index]);
    case type_bf16: return __bfloat162float(static_cast<const __nv_bfloat16*>(at)[index]);
    case type_e4m3: return static_cast<float>(static_cast<const __nv_fp8_e4m3*>(at)[index]);
    case type_e5m2: return static_cast<float>(static_cast<const __nv_fp8_e5m2*>(at)[index]);
    case type_s8: return static_cast<float>(static_cast<const signed char*>(at)[index]);
    case type_s32: return static_cast<float>(static_cast<const int*>(at)[index]);
    default: return static_cast<const float*>(at)[index];
  }
}

/// Rounds to the nearest value of the type; integers and 8-bit floats saturate.
__device__ inline void store_element(void* at, int type, long long index, float value) {
  switch (type) {
    case type_f16: static_cast<__half*>(at)[index] = __float2half_rn(value); break;
    case type_bf16: static_cast<__nv_bfloat16*>(at)[index] = __float2bfloat16_rn(value); break;
    case type_e4m3: static_cast<__nv_fp8_e4m3*>(at)[index] = __nv_fp8_e4m3(value); break;
    case type_e5m2: static_cast<__nv_fp8_e5m2*>(at)[index] = __nv_fp8_e5m2(value); break;
    case type_s8: static_cast<signed char*>(at)[index] = max(-128, min(127, __float2int_rn(value))); break;
    case type_s32: static_cast<int*>(at)[index] = __float2int_rn(value); break;
    default: static_cast<float*>(at)[index] = value;
  }
}

__device__ inline bool is_aligned(const void* at, int bytes) {
  return (reinterpret_cast<unsigned long long>(at) & (bytes - 1)) == 0;
}

/// Loads up to four elements that follow one another, with one access if they are whole and aligned.
__device__ inline void load_four(const void* at, int type, long long index, int count, float (&values)[4]) {
  if (count == 4 && type == type_f32 && is_aligned(static_cast<const float*>(at) + index, 16)) {
    const float4 four = *reinterpret_cast<const float4*>(static_cast<const float*>(at) + index);
    values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
    return;
  }
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    const float value = load_element(at, type, index + i);
    // Indices of registers are constants.
#pragma unroll
    for (int to = 0; to < 4; ++to)
      if (to == i) values[to] = value;
  }
}

/// Stores up to four elements that follow one another, with one access if they are whole and aligned.
__device__ inline void store_four(void* at, int type, long long index, int count, const float (&values)[4]) {
  if (count == 4 && type == type_f32 && is_aligned(static_cast<float*>(at) + index, 16)) {
    *reinterpret_cast<float4*>(static_cast<float*>(at) + index) =
        make_float4(values[0], values[1], values[2], values[3]);
    return;
  }
  if (count == 4 && type == type_f16 && is_aligned(static_cast<__half*>(at) + index, 8)) {
    __half2 pairs[2] = {__floats2half2_rn(values[0], values[1]), __floats2half2_rn(values[2], values[3])};
    *reinterpret_cast<uint2*>(static_cast<__half*>(at) + index) = *reinterpret_cast<uint2*>(pairs);
    return;
  }
  if (count == 4 && type == type_bf16 && is_aligned(static_cast<__nv_bfloat16*>(at) + index, 8)) {
    __nv_bfloat162 pairs[2] = {__floats2bfloat162_rn(values[0], values[1]), __floats2bfloat162_rn(values[2], values[3])};
    *reinterpret_cast<uint2*>(static_cast<__nv_bfloat16*>(at) + index) = *reinterpret_cast<uint2*>(pairs);
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i < count) store_element(at, type, index + i, values[i]);
}

}  // namespace stand_in::cublas
