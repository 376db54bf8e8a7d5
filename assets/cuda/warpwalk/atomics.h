// Atomic functions. Those without a suffix have the scope of the GPU; _block and _system have their own.
#pragma once

#include "integers.h"

// One `atom` instruction, for the three scopes.
#define WARPWALK_ATOMIC(NAME, OP, TYPE, REGISTER)                  \
  WARPWALK_ATOMIC_IN(NAME, "atom." OP, TYPE, REGISTER)             \
  WARPWALK_ATOMIC_IN(NAME##_block, "atom.cta." OP, TYPE, REGISTER) \
  WARPWALK_ATOMIC_IN(NAME##_system, "atom.sys." OP, TYPE, REGISTER)
#define WARPWALK_ATOMIC_IN(NAME, INSTRUCTION, TYPE, REGISTER)                                        \
  WARPWALK_DEVICE TYPE NAME(TYPE* p, TYPE v) {                                                       \
    TYPE old;                                                                                        \
    asm volatile(INSTRUCTION " %0, [%1], %2;" : "=" REGISTER(old) : "l"(p), REGISTER(v) : "memory"); \
    return old;                                                                                      \
  }
// The same where the compiler has the operation: it finds out whether the memory is shared or global.
#define WARPWALK_KNOWN(NAME, FUNCTION, OP, TYPE, REGISTER)                                \
  WARPWALK_DEVICE TYPE NAME(TYPE* p, TYPE v) { return FUNCTION(p, v, __ATOMIC_RELAXED); } \
  WARPWALK_ATOMIC_IN(NAME##_block, "atom.cta." OP, TYPE, REGISTER)                        \
  WARPWALK_ATOMIC_IN(NAME##_system, "atom.sys." OP, TYPE, REGISTER)
// Adding the negative number is how subtraction is compiled.
#define WARPWALK_SUBTRACT(NAME, TYPE)                                                                         \
  WARPWALK_DEVICE TYPE NAME(TYPE* p, TYPE v) { return atomicAdd(p, static_cast<TYPE>(0) - v); }               \
  WARPWALK_DEVICE TYPE NAME##_block(TYPE* p, TYPE v) { return atomicAdd_block(p, static_cast<TYPE>(0) - v); } \
  WARPWALK_DEVICE TYPE NAME##_system(TYPE* p, TYPE v) { return atomicAdd_system(p, static_cast<TYPE>(0) - v); }
#define WARPWALK_CAS(TYPE, BITS, REGISTER)                                                   \
  WARPWALK_DEVICE TYPE atomicCAS(TYPE* p, TYPE expected, TYPE v) {                           \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected;                                                                         \
  }                                                                                          \
  WARPWALK_CAS_IN(atomicCAS_block, "atom.cta.cas." BITS, TYPE, REGISTER)                     \
  WARPWALK_CAS_IN(atomicCAS_system, "atom.sys.cas." BITS, TYPE, REGISTER)
#define WARPWALK_CAS_IN(NAME, INSTRUCTION, TYPE, REGISTER)    \
  WARPWALK_DEVICE TYPE NAME(TYPE* p, TYPE expected, TYPE v) { \
    TYPE old;                                                 \
    asm volatile(INSTRUCTION " %0, [%1], %2, %3;"             \
                 : "=" REGISTER(old)                          \
                 : "l"(p), REGISTER(expected), REGISTER(v)    \
                 : "memory");                                 \
    return old;                                               \
  }

#define WARPWALK_ATOMICS(TYPE, REGISTER, U, S, B)                            \
  WARPWALK_KNOWN(atomicMin, __atomic_fetch_min, "min." S, TYPE, REGISTER)    \
  WARPWALK_KNOWN(atomicMax, __atomic_fetch_max, "max." S, TYPE, REGISTER)    \
  WARPWALK_KNOWN(atomicAnd, __atomic_fetch_and, "and." B, TYPE, REGISTER)    \
  WARPWALK_KNOWN(atomicOr, __atomic_fetch_or, "or." B, TYPE, REGISTER)       \
  WARPWALK_KNOWN(atomicXor, __atomic_fetch_xor, "xor." B, TYPE, REGISTER)    \
  WARPWALK_KNOWN(atomicExch, __atomic_exchange_n, "exch." B, TYPE, REGISTER) \
  WARPWALK_KNOWN(atomicAdd, __atomic_fetch_add, "add." U, TYPE, REGISTER)    \
  WARPWALK_SUBTRACT(atomicSub, TYPE)                                         \
  WARPWALK_CAS(TYPE, B, REGISTER)
WARPWALK_ATOMICS(int, "r", "s32", "s32", "b32")
WARPWALK_ATOMICS(unsigned int, "r", "u32", "u32", "b32")
WARPWALK_ATOMICS(long long, "l", "u64", "s64", "b64")
WARPWALK_ATOMICS(unsigned long long, "l", "u64", "u64", "b64")
WARPWALK_ATOMICS(unsigned long, "l", "u64", "u64", "b64")
WARPWALK_ATOMIC(atomicInc, "inc.u32", unsigned int, "r")
WARPWALK_ATOMIC(atomicDec, "dec.u32", unsigned int, "r")
WARPWALK_ATOMIC_IN(atomicAdd_block, "atom.cta.add.f32", float, "f")
WARPWALK_ATOMIC_IN(atomicAdd_system, "atom.sys.add.f32", float, "f")
WARPWALK_ATOMIC_IN(atomicAdd_block, "atom.cta.add.f64", double, "d")
WARPWALK_ATOMIC_IN(atomicAdd_system, "atom.sys.add.f64", double, "d")
WARPWALK_ATOMIC(atomicExch, "exch.b32", float, "f")
WARPWALK_DEVICE float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
WARPWALK_DEVICE double atomicAdd(double* p, double v) {
  double old;
  asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(old) : "l"(p), "d"(v) : "memory");
  return old;
}
WARPWALK_CAS_IN(atomicCAS, "atom.cas.b16", unsigned short, "h")
WARPWALK_CAS_IN(atomicCAS_block, "atom.cta.cas.b16", unsigned short, "h")
WARPWALK_CAS_IN(atomicCAS_system, "atom.sys.cas.b16", unsigned short, "h")
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
// In global memory only.
WARPWALK_DEVICE float2 atomicAdd(float2* p, float2 v) {
  float2 old;
  asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
               : "=f"(old.x), "=f"(old.y)
               : "l"(p), "f"(v.x), "f"(v.y)
               : "memory");
  return old;
}
WARPWALK_DEVICE float4 atomicAdd(float4* p, float4 v) {
  float4 old;
  asm volatile("atom.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
               : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)
               : "l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
  return old;
}
#endif
#undef WARPWALK_ATOMIC
#undef WARPWALK_ATOMIC_IN
#undef WARPWALK_KNOWN
#undef WARPWALK_SUBTRACT
#undef WARPWALK_CAS
#undef WARPWALK_CAS_IN
#undef WARPWALK_ATOMICS
