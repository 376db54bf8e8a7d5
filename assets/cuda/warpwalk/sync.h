// Barriers, fences, votes, clocks, and what ends or delays a thread.
#pragma once

#include "indices.h"

// clang 14 moves loads of shared variables across its own __syncthreads().
WARPWALK_DEVICE void __warpwalk_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() __warpwalk_syncthreads()
WARPWALK_DEVICE int __syncthreads_count(int predicate) {
  int n;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(n)
               : "r"(predicate)
               : "memory");
  return n;
}
WARPWALK_DEVICE int __syncthreads_and(int predicate) {
  int all;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(all)
               : "r"(predicate)
               : "memory");
  return all;
}
WARPWALK_DEVICE int __syncthreads_or(int predicate) {
  int any;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(any)
               : "r"(predicate)
               : "memory");
  return any;
}
WARPWALK_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
WARPWALK_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
WARPWALK_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
WARPWALK_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

WARPWALK_DEVICE unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
WARPWALK_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  unsigned int lanes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(lanes)
               : "r"(predicate), "r"(mask)
               : "memory");
  return lanes;
}
#define WARPWALK_VOTE(NAME, MODE)                                           \
  WARPWALK_DEVICE int NAME(unsigned int mask, int predicate) {              \
    int result;                                                             \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." MODE \
                 ".pred q, p, %2;"                                          \
                 " selp.s32 %0, 1, 0, q; }"                                 \
                 : "=r"(result)                                             \
                 : "r"(predicate), "r"(mask)                                \
                 : "memory");                                               \
    return result;                                                          \
  }
WARPWALK_VOTE(__all_sync, "all")
WARPWALK_VOTE(__any_sync, "any")
WARPWALK_VOTE(__uni_sync, "uni")
#undef WARPWALK_VOTE

WARPWALK_DEVICE long long clock64() {
  long long cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}
WARPWALK_DEVICE int clock() {
  int cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}
WARPWALK_DEVICE unsigned long long __globaltimer() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}
WARPWALK_DEVICE void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
WARPWALK_DEVICE void __trap() { asm volatile("trap;"); }
// Programmatic dependent launch; nothing to do before compute capability 9.0.
WARPWALK_DEVICE void cudaGridDependencySynchronize() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
WARPWALK_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
WARPWALK_DEVICE void __brkpt() { asm volatile("brkpt;"); }
WARPWALK_DEVICE void __prof_trigger(int) {}
WARPWALK_DEVICE unsigned int __isGlobal(const void* p) {
  unsigned int is;
  asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
  return is;
}
WARPWALK_DEVICE unsigned int __isShared(const void* p) {
  unsigned int is;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
  return is;
}
WARPWALK_DEVICE unsigned int __isConstant(const void* p) {
  unsigned int is;
  asm("{ .reg .pred p; isspacep.const p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
  return is;
}
WARPWALK_DEVICE unsigned int __isLocal(const void* p) {
  unsigned int is;
  asm("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
  return is;
}
WARPWALK_DEVICE size_t __cvta_generic_to_shared(const void* p) {
  size_t a;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p));
  return a;
}
WARPWALK_DEVICE size_t __cvta_generic_to_global(const void* p) {
  size_t a;
  asm("cvta.to.global.u64 %0, %1;" : "=l"(a) : "l"(p));
  return a;
}
WARPWALK_DEVICE void* __cvta_shared_to_generic(size_t a) {
  size_t p;
  asm("cvta.shared.u64 %0, %1;" : "=l"(p) : "l"(a));
  return reinterpret_cast<void*>(p);
}
WARPWALK_DEVICE void* __cvta_global_to_generic(size_t a) {
  size_t p;
  asm("cvta.global.u64 %0, %1;" : "=l"(p) : "l"(a));
  return reinterpret_cast<void*>(p);
}
