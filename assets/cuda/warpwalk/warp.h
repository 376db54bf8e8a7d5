// Exchange within a warp: shuffles, matches, reductions.
#pragma once

#include "sync.h"

namespace warpwalk_cuda {

// The lanes that a shuffle of `width` lanes stays within, and the last one it may read.
WARPWALK_DEVICE int shuffle_bounds(int width, int last) { return ((32 - width) << 8) | last; }

#define WARPWALK_SHUFFLE(NAME, MODE, LAST)                                                             \
  WARPWALK_DEVICE unsigned int NAME##_word(unsigned int mask, unsigned int v, int lane, int width) {   \
    unsigned int r;                                                                                    \
    asm volatile("shfl.sync." MODE ".b32 %0, %1, %2, %3, %4;"                                          \
                 : "=r"(r)                                                                             \
                 : "r"(v), "r"(lane), "r"(shuffle_bounds(width, LAST)), "r"(mask)                      \
                 : "memory");                                                                          \
    return r;                                                                                          \
  }                                                                                                    \
  template <class T>                                                                                   \
  WARPWALK_DEVICE T NAME(unsigned int mask, T value, int lane, int width) {                            \
    if constexpr (sizeof(T) == 8) {                                                                    \
      unsigned long long bits, out;                                                                    \
      __builtin_memcpy(&bits, &value, 8);                                                              \
      const unsigned int low = NAME##_word(mask, static_cast<unsigned int>(bits), lane, width);        \
      const unsigned int high = NAME##_word(mask, static_cast<unsigned int>(bits >> 32), lane, width); \
      out = (static_cast<unsigned long long>(high) << 32) | low;                                       \
      T result;                                                                                        \
      __builtin_memcpy(&result, &out, 8);                                                              \
      return result;                                                                                   \
    } else {                                                                                           \
      static_assert(sizeof(T) <= 4, "a shuffle takes up to 8 bytes");                                  \
      unsigned int bits = 0;                                                                           \
      __builtin_memcpy(&bits, &value, sizeof(T));                                                      \
      bits = NAME##_word(mask, bits, lane, width);                                                     \
      T result;                                                                                        \
      __builtin_memcpy(&result, &bits, sizeof(T));                                                     \
      return result;                                                                                   \
    }                                                                                                  \
  }
WARPWALK_SHUFFLE(shuffle_index, "idx", 31)
WARPWALK_SHUFFLE(shuffle_up, "up", 0)
WARPWALK_SHUFFLE(shuffle_down, "down", 31)
WARPWALK_SHUFFLE(shuffle_xor, "bfly", 31)
#undef WARPWALK_SHUFFLE

}  // namespace warpwalk_cuda

#define WARPWALK_SHUFFLES(TYPE)                                                                          \
  WARPWALK_DEVICE TYPE __shfl_sync(unsigned int mask, TYPE v, int lane, int width = 32) {                \
    return warpwalk_cuda::shuffle_index(mask, v, lane, width);                                           \
  }                                                                                                      \
  WARPWALK_DEVICE TYPE __shfl_up_sync(unsigned int mask, TYPE v, unsigned int delta, int width = 32) {   \
    return warpwalk_cuda::shuffle_up(mask, v, static_cast<int>(delta), width);                           \
  }                                                                                                      \
  WARPWALK_DEVICE TYPE __shfl_down_sync(unsigned int mask, TYPE v, unsigned int delta, int width = 32) { \
    return warpwalk_cuda::shuffle_down(mask, v, static_cast<int>(delta), width);                         \
  }                                                                                                      \
  WARPWALK_DEVICE TYPE __shfl_xor_sync(unsigned int mask, TYPE v, int lanes, int width = 32) {           \
    return warpwalk_cuda::shuffle_xor(mask, v, lanes, width);                                            \
  }
WARPWALK_SHUFFLES(int)
WARPWALK_SHUFFLES(unsigned int)
WARPWALK_SHUFFLES(long)
WARPWALK_SHUFFLES(unsigned long)
WARPWALK_SHUFFLES(long long)
WARPWALK_SHUFFLES(unsigned long long)
WARPWALK_SHUFFLES(float)
WARPWALK_SHUFFLES(double)

namespace warpwalk_cuda {

WARPWALK_DEVICE unsigned int match_any(unsigned int mask, unsigned int v) {
  unsigned int lanes;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(lanes) : "r"(v), "r"(mask) : "memory");
  return lanes;
}
WARPWALK_DEVICE unsigned int match_any(unsigned int mask, unsigned long long v) {
  unsigned int lanes;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(lanes) : "l"(v), "r"(mask) : "memory");
  return lanes;
}
WARPWALK_DEVICE unsigned int match_all(unsigned int mask, unsigned int v, int* same) {
  unsigned int lanes;
  int all;
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
               : "=r"(lanes), "=r"(all)
               : "r"(v), "r"(mask)
               : "memory");
  *same = all;
  return lanes;
}
WARPWALK_DEVICE unsigned int match_all(unsigned int mask, unsigned long long v, int* same) {
  unsigned int lanes;
  int all;
  asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"
               : "=r"(lanes), "=r"(all)
               : "l"(v), "r"(mask)
               : "memory");
  *same = all;
  return lanes;
}

template <class T>
WARPWALK_DEVICE auto bits_of(T value) {
  if constexpr (sizeof(T) == 8) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &value, 8);
    return bits;
  } else {
    static_assert(sizeof(T) == 4, "a match takes 4 or 8 bytes");
    unsigned int bits;
    __builtin_memcpy(&bits, &value, 4);
    return bits;
  }
}

}  // namespace warpwalk_cuda

template <class T>
WARPWALK_DEVICE unsigned int __match_any_sync(unsigned int mask, T value) {
  return warpwalk_cuda::match_any(mask, warpwalk_cuda::bits_of(value));
}
template <class T>
WARPWALK_DEVICE unsigned int __match_all_sync(unsigned int mask, T value, int* same) {
  return warpwalk_cuda::match_all(mask, warpwalk_cuda::bits_of(value), same);
}

// Since compute capability 8.0.
#define WARPWALK_REDUCE(NAME, OP, TYPE)                                                     \
  WARPWALK_DEVICE TYPE NAME(unsigned int mask, TYPE v) {                                    \
    TYPE r;                                                                                 \
    asm volatile("redux.sync." OP " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask) : "memory"); \
    return r;                                                                               \
  }
WARPWALK_REDUCE(__reduce_add_sync, "add.s32", int)
WARPWALK_REDUCE(__reduce_min_sync, "min.s32", int)
WARPWALK_REDUCE(__reduce_max_sync, "max.s32", int)
WARPWALK_REDUCE(__reduce_add_sync, "add.u32", unsigned int)
WARPWALK_REDUCE(__reduce_min_sync, "min.u32", unsigned int)
WARPWALK_REDUCE(__reduce_max_sync, "max.u32", unsigned int)
WARPWALK_REDUCE(__reduce_and_sync, "and.b32", unsigned int)
WARPWALK_REDUCE(__reduce_or_sync, "or.b32", unsigned int)
WARPWALK_REDUCE(__reduce_xor_sync, "xor.b32", unsigned int)
#undef WARPWALK_REDUCE
