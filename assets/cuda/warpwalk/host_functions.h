// Functions of the device that NVIDIA's header gives the host, too, and that the C library does not have.
#pragma once

#include "qualifiers.h"

#define WARPWALK_HOST static __inline__ __attribute__((host, always_inline, nodebug, unused))
// Mixed integers follow the rule of CUDA: unsigned if one of them is.
#define WARPWALK_HOST_MIN_MAX(A, B, R)                                                    \
  WARPWALK_HOST R min(A a, B b) {                                                         \
    return static_cast<R>(b) < static_cast<R>(a) ? static_cast<R>(b) : static_cast<R>(a); \
  }                                                                                       \
  WARPWALK_HOST R max(A a, B b) {                                                         \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a); \
  }
#define WARPWALK_HOST_MIN_MAX_OF(S, U) \
  WARPWALK_HOST_MIN_MAX(S, S, S)       \
  WARPWALK_HOST_MIN_MAX(U, U, U) WARPWALK_HOST_MIN_MAX(S, U, U) WARPWALK_HOST_MIN_MAX(U, S, U)
WARPWALK_HOST_MIN_MAX_OF(int, unsigned int)
WARPWALK_HOST_MIN_MAX_OF(long, unsigned long)
WARPWALK_HOST_MIN_MAX_OF(long long, unsigned long long)
#undef WARPWALK_HOST_MIN_MAX_OF
#undef WARPWALK_HOST_MIN_MAX
WARPWALK_HOST float min(float a, float b) { return __builtin_fminf(a, b); }
WARPWALK_HOST float max(float a, float b) { return __builtin_fmaxf(a, b); }
WARPWALK_HOST double min(double a, double b) { return __builtin_fmin(a, b); }
WARPWALK_HOST double max(double a, double b) { return __builtin_fmax(a, b); }
WARPWALK_HOST double min(float a, double b) { return __builtin_fmin(a, b); }
WARPWALK_HOST double max(float a, double b) { return __builtin_fmax(a, b); }
WARPWALK_HOST double min(double a, float b) { return __builtin_fmin(a, b); }
WARPWALK_HOST double max(double a, float b) { return __builtin_fmax(a, b); }
WARPWALK_HOST float rsqrtf(float a) { return 1 / __builtin_sqrtf(a); }
WARPWALK_HOST double rsqrt(double a) { return 1 / __builtin_sqrt(a); }
#undef WARPWALK_HOST
