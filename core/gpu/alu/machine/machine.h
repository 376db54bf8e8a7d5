#pragma once

// This folder computes instructions that only machine code (SASS) has. The folders beside it compute those
// that PTX has too.

#include "core/gpu/alu/per_lane.h"

/// Arithmetic of machine code (SASS) that PTX does not have, as loops over the lanes of a warp. Operations that PTX has
/// too are looked up with find_alu().
namespace warpwalk::gpu::machine {

/// How the sources of an integer operation are changed before it. Bit i of a mask concerns source i.
struct IntegerForm {
  unsigned negated = 0;    ///< two's complement
  unsigned inverted = 0;   ///< one's complement, in the forms that take carries in (.X)
  bool is_signed = false;  ///< of products, shifts and comparisons
  bool high = false;       ///< .HI
  bool wrap = false;       ///< .W: shift amounts wrap at the width instead of being clamped
  bool left = false;       ///< direction of a shift
  bool wide = false;       ///< the shift is of a 64-bit value (.S64, .U64)
  unsigned shift = 0;      ///< LEA: bits by which the first source is shifted

  alu::u64 packed() const;
  static IntegerForm unpacked(alu::u64 bits);
};

// Register pairs.
Alu join();       ///< 64-bit d = b:a
Alu low_word();   ///< d = bits 0 to 31 of a
Alu high_word();  ///< d = bits 32 to 63 of a
Alu low_half();   ///< 16-bit d = bits 0 to 15 of a
Alu from_half();  ///< d = the 16-bit a

// Sums. The forms with carries read up to two carries (predicate_in, carry_in) and write the carries of the 32-bit sum:
// predicate_out if it is at least 2^32, predicate_out2 if it is at least 2 * 2^32.
Alu add3(IntegerForm form);          ///< IADD3
Alu add3_carries(IntegerForm form);  ///< IADD3 with carries
Alu add3_wide(IntegerForm form);     ///< UIADD3.64: 64-bit values
Alu shift_add(IntegerForm form);     ///< LEA; .HI takes the upper word of the 64-bit value c:a, .SX32 has c = a >> 31
Alu shift_add_carries(IntegerForm form);  ///< LEA with carries

// Products: a * b + c.
Alu multiply_add(IntegerForm form);          ///< IMAD: the low 32 bits
Alu multiply_add_carries(IntegerForm form);  ///< IMAD.X
Alu multiply_add_wide(IntegerForm form);     ///< IMAD.WIDE, 64 bits; c has 64 bits
Alu multiply_add_wide_carries(IntegerForm form);
Alu multiply_add_high(IntegerForm form);  ///< IMAD.HI: bits 32 to 63; c has 64 bits
Alu multiply_add_high_carries(IntegerForm form);

// Bits.
Alu funnel_shift(IntegerForm form);        ///< SHF: the 64-bit value c:a is shifted by b; .HI takes its upper word
Alu extend(IntegerForm form);              ///< SGXT: keeps the low b bits and extends their sign, or zeros
Alu complement();                          ///< ~a
Alu select_byte(unsigned byte);            ///< a >> 8 * byte
Alu insert_bits(unsigned shift);           ///< (a & ~(b << shift)) | ((c & b) << shift)
Alu minimum(IntegerForm form, bool relu);  ///< VIMNMX, signed or unsigned; relu: negative results become 0
Alu maximum(IntegerForm form, bool relu);
Alu scaled_address(unsigned scale);  ///< d = a * scale + b, 32 bits
Alu wide_address();                  ///< 64-bit d = a + b
/// 64-bit d = a, plus `distance` if a is in the window of 16 MB that starts at `window`, a multiple of 4 GB.
Alu moved_in_window(alu::u64 window, unsigned distance);
/// LDGSTS.ZFILL: the low bits of an address, below `bytes` (a power of two), count the bytes that are not read.
Alu aligned_address(unsigned bytes);     ///< 64-bit d = a without these bits
Alu bytes_from_address(unsigned bytes);  ///< 32-bit d = bytes - these bits of the 64-bit a
/// Comparisons of the upper words of 64-bit values: predicate_in is combined as by setp, carry_in is the result of the
/// comparison of the lower words. `compare` is one of F LT EQ LE GT NE GE T as 0 to 7; `combine` AND, OR, XOR as 0
/// to 2.
Alu compare_extended(unsigned compare, unsigned combine, bool is_signed, bool extended);

// Selections: d = predicate_in ? a : b.
Alu select();
Alu select_flushed();  ///< FSEL.FTZ: f32 subnormals become zeros

// Floats.
Alu modified_f32(bool negate, bool absolute);
Alu modified_f64(bool negate, bool absolute);           ///< NaNs keep their sign
enum class Halves : unsigned char { both, low, high };  ///< the halves of a source that a packed operation reads
Alu modified_halves(Halves halves, bool negate, bool absolute);
/// FMUL.D2 to .M8, rounded to nearest: a * b * 2^exponent, rounded once. `exponent` is from -3 to 3.
Alu scaled_product(int exponent, bool flushes, bool saturates);
Alu sine();    ///< MUFU.SIN: sin(2 pi a), flushed
Alu cosine();  ///< MUFU.COS
/// MUFU.RCP64H and MUFU.RSQ64H: a and d are the upper words of doubles. The result is truncated to 20 fraction bits.
Alu reciprocal_high();
Alu inverse_root_high();
/// DSETP.MIN and DSETP.MAX: predicate_out is set if min or max of a and b is a, predicate_out2 if both are NaN.
Alu double_extreme(bool least);
/// FCHK: predicate_out is set if a / b needs the slow path: a source or the quotient is not a normal number well inside
/// the range of f32.
Alu check_division();

}  // namespace warpwalk::gpu::machine
