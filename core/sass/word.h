#pragma once

#include <cstdint>
#include <string_view>

namespace warpwalk::sass {

/// What a modifier describes.
enum class Field : std::uint8_t {
  flag,  ///< a property without alternatives, such as FTZ
  combine,  ///< how a result is combined with a predicate, or reduced: AND, OR, XOR
  compare,  ///< comparison
  denormals,  ///< FTZ flushes denormal inputs and results to zero; FMZ also makes 0 * x equal to 0
  direction,  ///< of a shift
  eviction,  ///< eviction priority in the caches
  layout,  ///< rows or transposed
  mode,  ///< a variant of the operation
  operation,  ///< for example the operation of an atomic
  order,  ///< memory ordering
  part,  ///< half or byte of a register
  prefetch,  ///< bytes prefetched into L2
  rounding,  ///< rounding mode
  scale,  ///< power of two by which the result is multiplied
  scope,  ///< the threads among which an ordering holds
  shape,  ///< of a matrix operation, M, N and K
  size,  ///< of the memory access in bits, signed (S) or unsigned (U) if narrower than a register
  source_type,  ///< type of the sources of a conversion
  type  ///< of the operation or of its result
};

/// The values of modifiers and operand suffixes, named as nvdisasm writes them. An n precedes a digit: n64 is ".64".
enum class Word : std::uint8_t {
  none,
  invalid,  ///< a value that no instruction has
  a0tr, a1t0, abs, acc, add, all, and_, any, arrive, art0, arv, async, b1, b2, b3, b4e, bf, bf16, bf16_v2, bf16x2_rn,
  bf16x4_rn, bf16x8_rn, bfly, bypass, cas, cast, ceil, clear, col, collective, constant, conv, cos, cta, d, d2, d4,
  d8, dec, defer_blocking, div, down, e, ecl, ecr, ef, el, en, eq, equ, eu, ex, ex2, exch, exclusive, f, f16, f16_v2,
  f16x2_rn, f16x4_rn, f16x8_rn, f32, f32_ftz_rn, f32_rn, f32x2_ftz_rn, f32x2_rn, f32x4_ftz_rn, f32x4_rn, f4e, f64,
  f64_rn, floor, fmz, ftz, g, ge, geu, gpu, gt, gtu, h0_h0, h1, h1_h1, h_and, hi, iadd, idx, inc, ivall, l, le, leu,
  lg2, lo, lt, ltc128b, ltc256b, ltc64b, ltu, lu, lut, m1, m2, m4, m8, m88, max, min, mma, mmio, mmio_gpu, mmio_sys,
  mov, mt88, n128, n16, n16816, n16832, n1684, n1688, n16x2, n16x8x16, n16x8x4, n16x8x8, n2, n2a, n32, n4, n4a, n64,
  n8816, n884, n8x8x4, na, nan, ne, neu, nodec, noinc, ntz, num, or_, pack_ab, pand, pf1, pf2, phasechk, pml2, popc,
  r, rc16, rc8, rcp, rcp64h, red, rel, relu, result, rm, rn, row, rp, rsq, rsq64h, rz, s, s16, s16x2, s32, s64, s8,
  sat, sc, sh, shl, sign, sin, sm, spin, sqrt, strong, strong_gpu, strong_sm, strong_sys, sum, sx32, sync, sys, t,
  tanh, tf32, trans64, trap, trunc, trywait, u, u16, u16x2, u32, u64, u8, up, vc, view, w, warp, wb, weak, wide, x,
  xor_, xorsign, zfill
};

/// "RZ" for Word::rz; empty for Word::none and Word::invalid.
std::string_view name_of(Word word);
/// The inverse of name_of(); Word::invalid for an unknown name.
Word word_named(std::string_view name);

}  // namespace warpwalk::sass
