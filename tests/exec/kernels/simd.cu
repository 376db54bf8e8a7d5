// CUDA's SIMD intrinsics and extremes of three numbers, which ptxas writes with VIMNMX3, VIADDMNMX and VIADD.16x2.
#define KERNEL(name, value) \
  extern "C" __global__ void name(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d, unsigned e) { \
    const unsigned t = threadIdx.x, x = a[t], y = b[t], z = c[t]; \
    d[t] = value; \
  }
KERNEL(max3, __vimax3_s32(x, y, z))
KERNEL(min3, __vimin3_s32(x, y, z))
KERNEL(max3_unsigned, __vimax3_u32(x, y, z))
KERNEL(min3_unsigned, __vimin3_u32(x, y, z))
KERNEL(max3_relu, __vimax3_s32_relu(x, y, z))
KERNEL(min3_relu, __vimin3_s32_relu(x, y, z))
KERNEL(max3_halves, __vimax3_s16x2(x, y, z))
KERNEL(min3_halves_unsigned, __vimin3_u16x2(x, y, z))
KERNEL(max3_halves_relu, __vimax3_s16x2_relu(x, y, z))
KERNEL(min3_halves_relu, __vimin3_s16x2_relu(x, y, z))
KERNEL(add_max, __viaddmax_s32(x, y, z))
KERNEL(add_min_unsigned, __viaddmin_u32(x, y, z))
KERNEL(add_max_relu, __viaddmax_s32_relu(x, y, z))
KERNEL(add_max_halves, __viaddmax_s16x2(x, y, z))
KERNEL(add_min_halves, __viaddmin_s16x2(x, y, z))
KERNEL(add_max_halves_unsigned, __viaddmax_u16x2(x, y, z))
KERNEL(add_min_halves_relu, __viaddmin_s16x2_relu(x, y, z))
KERNEL(add_halves, __vadd2(x, y))
KERNEL(subtract_halves, __vsub2(x, y))
KERNEL(subtract_halves_saturated, __vsubus2(x, y))
KERNEL(masked, ([](unsigned p, unsigned q) { unsigned r; asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(p), "r"(q)); return r; }(e, 7u + e)) + x)
