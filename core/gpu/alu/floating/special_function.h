#pragma once

#include "core/gpu/alu/floating/floats.h"

/// The functions of the special function unit (MUFU), to the bit as an H200 computes them.
///
/// The unit divides a binade of the argument into segments and evaluates c0 + c1 x + c2 x^2 there, with the multiplier
/// and the truncated square of Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (ARITH
/// 2005). Their coefficients are not published; tests/alu/special_functions finds them from the results of an H200.
/// All results equal the recorded ones: every mantissa of one binade (two for the roots), 13 million other arguments.
///
/// Subnormal arguments count as zero, subnormal results become zero, and every NaN is nan_f32.
namespace warpwalk::gpu::alu::special {

float reciprocal(float x);
float inverse_root(float x);
float root(float x);
float power_of_two(float x);
float logarithm(float x);  ///< to base 2
float sine(float turns);   ///< sin(2 pi turns)
float cosine(float turns);
float hyperbolic_tangent(float x);  ///< returns |x| below 2^-8 unchanged, also subnormal ones

/// MUFU.RCP64H and RSQ64H: from the upper half of an f64 to the upper half of the result.
u32 reciprocal_high(u32 high);
u32 inverse_root_high(u32 high);

}  // namespace warpwalk::gpu::alu::special
