// Functions that the GPU's system has: printf, assert, malloc, memcpy.
#pragma once

#include "qualifiers.h"

extern "C" {
__device__ int printf(const char* format, ...);
__device__ int vprintf(const char* format, const char* arguments);
__device__ void* malloc(size_t bytes) __attribute__((malloc));
__device__ void free(void* p);
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                             size_t character) __attribute__((noreturn));
// What glibc's assert() calls.
WARPWALK_DEVICE void __assert_fail(const char* message, const char* file, unsigned int line, const char* function) {
  __assertfail(message, file, line, function, 1);
}
WARPWALK_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  if (__builtin_constant_p(bytes)) return __builtin_memcpy(to, from, bytes);
  for (size_t i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
  return to;
}
WARPWALK_DEVICE void* memmove(void* to, const void* from, size_t bytes) {
  char* const t = static_cast<char*>(to);
  const char* const f = static_cast<const char*>(from);
  if (t < f)
    for (size_t i = 0; i < bytes; ++i) t[i] = f[i];
  else
    for (size_t i = bytes; i > 0; --i) t[i - 1] = f[i - 1];
  return to;
}
WARPWALK_DEVICE void* memset(void* to, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<char>(value);
  return to;
}
}

// clang's own <new> defines these operators, too; it needs a C++ library.
#if __has_include(<bits/c++config.h>) || __has_include(<__config>)
#include <new>
#else
__device__ inline void* operator new(size_t bytes) { return malloc(bytes); }
__device__ inline void* operator new[](size_t bytes) { return malloc(bytes); }
__device__ inline void operator delete(void* p) noexcept { free(p); }
__device__ inline void operator delete(void* p, size_t) noexcept { free(p); }
__device__ inline void operator delete[](void* p) noexcept { free(p); }
__device__ inline void operator delete[](void* p, size_t) noexcept { free(p); }
#endif
