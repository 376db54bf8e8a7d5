// Loads and stores with a cache operator.
#pragma once

#include "vectors.h"

#define WARPWALK_LOADS(TYPE, PTX, REGISTER, VIA)                              \
  WARPWALK_LOAD(__ldg, "ld.global.nc", TYPE, PTX, REGISTER, VIA, )            \
  WARPWALK_LOAD(__ldca, "ld.global.ca", TYPE, PTX, REGISTER, VIA, : "memory") \
  WARPWALK_LOAD(__ldcg, "ld.global.cg", TYPE, PTX, REGISTER, VIA, : "memory") \
  WARPWALK_LOAD(__ldcs, "ld.global.cs", TYPE, PTX, REGISTER, VIA, : "memory") \
  WARPWALK_LOAD(__ldlu, "ld.global.lu", TYPE, PTX, REGISTER, VIA, : "memory") \
  WARPWALK_LOAD(__ldcv, "ld.global.cv", TYPE, PTX, REGISTER, VIA, : "memory") \
  WARPWALK_STORE(__stwb, "st.global.wb", TYPE, PTX, REGISTER, VIA)            \
  WARPWALK_STORE(__stcg, "st.global.cg", TYPE, PTX, REGISTER, VIA)            \
  WARPWALK_STORE(__stcs, "st.global.cs", TYPE, PTX, REGISTER, VIA)            \
  WARPWALK_STORE(__stwt, "st.global.wt", TYPE, PTX, REGISTER, VIA)

#define WARPWALK_LOAD(NAME, LOAD, TYPE, PTX, REGISTER, VIA, CLOBBER)           \
  WARPWALK_DEVICE TYPE NAME(const TYPE* p) {                                   \
    VIA v;                                                                     \
    asm volatile(LOAD "." PTX " %0, [%1];" : "=" REGISTER(v) : "l"(p)CLOBBER); \
    return static_cast<TYPE>(v);                                               \
  }
#define WARPWALK_STORE(NAME, STORE, TYPE, PTX, REGISTER, VIA)                                        \
  WARPWALK_DEVICE void NAME(TYPE* p, TYPE value) {                                                   \
    asm volatile(STORE "." PTX " [%0], %1;" ::"l"(p), REGISTER(static_cast<VIA>(value)) : "memory"); \
  }
WARPWALK_LOADS(char, "s8", "r", int)
WARPWALK_LOADS(signed char, "s8", "r", int)
WARPWALK_LOADS(unsigned char, "u8", "r", unsigned int)
WARPWALK_LOADS(short, "s16", "h", short)
WARPWALK_LOADS(unsigned short, "u16", "h", unsigned short)
WARPWALK_LOADS(int, "s32", "r", int)
WARPWALK_LOADS(unsigned int, "u32", "r", unsigned int)
WARPWALK_LOADS(long, "s64", "l", long)
WARPWALK_LOADS(unsigned long, "u64", "l", unsigned long)
WARPWALK_LOADS(long long, "s64", "l", long long)
WARPWALK_LOADS(unsigned long long, "u64", "l", unsigned long long)
WARPWALK_LOADS(float, "f32", "f", float)
WARPWALK_LOADS(double, "f64", "d", double)
#undef WARPWALK_LOAD
#undef WARPWALK_STORE

#define WARPWALK_LOAD(NAME, LOAD, TYPE, PTX, REGISTER, VIA, CLOBBER)                                         \
  WARPWALK_DEVICE TYPE##2 NAME(const TYPE##2 * p) {                                                          \
    TYPE##2 v;                                                                                               \
    asm volatile(LOAD ".v2." PTX " {%0, %1}, [%2];" : "=" REGISTER(v.x), "=" REGISTER(v.y) : "l"(p)CLOBBER); \
    return v;                                                                                                \
  }
#define WARPWALK_STORE(NAME, STORE, TYPE, PTX, REGISTER, VIA)                                            \
  WARPWALK_DEVICE void NAME(TYPE##2 * p, TYPE##2 v) {                                                    \
    asm volatile(STORE ".v2." PTX " [%0], {%1, %2};" ::"l"(p), REGISTER(v.x), REGISTER(v.y) : "memory"); \
  }
WARPWALK_LOADS(short, "s16", "h", short)
WARPWALK_LOADS(ushort, "u16", "h", short)
WARPWALK_LOADS(int, "s32", "r", int)
WARPWALK_LOADS(uint, "u32", "r", int)
WARPWALK_LOADS(longlong, "s64", "l", int)
WARPWALK_LOADS(ulonglong, "u64", "l", int)
WARPWALK_LOADS(float, "f32", "f", int)
WARPWALK_LOADS(double, "f64", "d", int)
#undef WARPWALK_LOAD
#undef WARPWALK_STORE

#define WARPWALK_LOAD(NAME, LOAD, TYPE, PTX, REGISTER, VIA, CLOBBER)                          \
  WARPWALK_DEVICE TYPE##4 NAME(const TYPE##4 * p) {                                           \
    TYPE##4 v;                                                                                \
    asm volatile(LOAD ".v4." PTX " {%0, %1, %2, %3}, [%4];"                                   \
                 : "=" REGISTER(v.x), "=" REGISTER(v.y), "=" REGISTER(v.z), "=" REGISTER(v.w) \
                 : "l"(p)CLOBBER);                                                            \
    return v;                                                                                 \
  }
#define WARPWALK_STORE(NAME, STORE, TYPE, PTX, REGISTER, VIA)                                                       \
  WARPWALK_DEVICE void NAME(TYPE##4 * p, TYPE##4 v) {                                                               \
    asm volatile(STORE ".v4." PTX " [%0], {%1, %2, %3, %4};" ::"l"(p), REGISTER(v.x), REGISTER(v.y), REGISTER(v.z), \
                 REGISTER(v.w)                                                                                      \
                 : "memory");                                                                                       \
  }
WARPWALK_LOADS(short, "s16", "h", short)
WARPWALK_LOADS(ushort, "u16", "h", short)
WARPWALK_LOADS(int, "s32", "r", int)
WARPWALK_LOADS(uint, "u32", "r", int)
WARPWALK_LOADS(float, "f32", "f", int)
#undef WARPWALK_LOAD
#undef WARPWALK_STORE
#undef WARPWALK_LOADS
