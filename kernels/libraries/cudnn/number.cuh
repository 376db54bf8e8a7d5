#pragma once

// The types of numbers in tensors: how they are stored, what sums of them are kept in, and how to convert the two.

namespace stand_in::cudnn {

struct F32 {
  using Storage = float;
  using Sum = float;
  static __device__ Sum load(Storage stored) { return stored; }
  static __device__ Storage store(Sum value) { return value; }
};

/// float tensors whose products are computed by tensor cores, from 10 bits of each mantissa.
struct TF32 : F32 {};

struct F64 {
  using Storage = double;
  using Sum = double;
  static __device__ Sum load(Storage stored) { return stored; }
  static __device__ Storage store(Sum value) { return value; }
};

struct F16 {
  using Storage = unsigned short;
  using Sum = float;
  static __device__ Sum load(Storage stored) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(stored));
    return value;
  }
  static __device__ Storage store(Sum value) {
    Storage stored;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(stored) : "f"(value));
    return stored;
  }
};

/// The upper half of a float.
struct BF16 {
  using Storage = unsigned short;
  using Sum = float;
  static __device__ Sum load(Storage stored) { return __uint_as_float(static_cast<unsigned>(stored) << 16); }
  static __device__ Storage store(Sum value) {
    Storage stored;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(stored) : "f"(value));
    return stored;
  }
};

}  // namespace stand_in::cudnn
