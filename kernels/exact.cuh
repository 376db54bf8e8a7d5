// Arithmetic that nvcc must not fuse: product and sum are rounded separately, as the cpu backend rounds them.
#pragma once

__device__ inline float product(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double product(double a, double b) { return __dmul_rn(a, b); }
