#include "core/gpu/alu/machine/flagged.h"
#include "core/gpu/alu/machine/machine.h"

namespace warpwalk::gpu::machine {

using alu::Flagged;
using alu::Formed;
using alu::Lanewise;
using alu::s32;
using alu::s64;
using alu::u16;
using alu::u32;
using alu::u64;

u64 IntegerForm::packed() const {
  const auto flag = [](bool value, unsigned at) { return static_cast<u64>(value) << at; };
  return negated | static_cast<u64>(inverted) << 4 | flag(is_signed, 8) | flag(high, 9) | flag(wrap, 10) |
         flag(left, 11) | flag(wide, 12) | static_cast<u64>(shift) << 16;
}

IntegerForm IntegerForm::unpacked(u64 bits) {
  return {.negated = static_cast<unsigned>(bits & 15),
          .inverted = static_cast<unsigned>(bits >> 4 & 15),
          .is_signed = (bits >> 8 & 1) != 0,
          .high = (bits >> 9 & 1) != 0,
          .wrap = (bits >> 10 & 1) != 0,
          .left = (bits >> 11 & 1) != 0,
          .wide = (bits >> 12 & 1) != 0,
          .shift = static_cast<unsigned>(bits >> 16 & 63)};
}

namespace {

/// All ones if source i is complemented. A negation is a complement plus 1.
u32 complement_mask(u64 form, unsigned i) { return 0U - static_cast<u32>((form | form >> 4) >> i & 1); }
u32 negations(u64 form) { return static_cast<u32>((form & 1) + (form >> 1 & 1) + (form >> 2 & 1)); }

u32 sum_of_three(u64 form, u32 a, u32 b, u32 c) {
  return (a ^ complement_mask(form, 0)) + (b ^ complement_mask(form, 1)) + (c ^ complement_mask(form, 2)) +
         negations(form);
}

/// The same for 64-bit values.
u64 wide_sum_of_three(u64 form, u64 a, u64 b, u64 c) {
  const auto modified = [form](u64 value, unsigned i) { return (form >> i & 1) != 0 ? 0 - value : value; };
  return modified(a, 0) + modified(b, 1) + modified(c, 2);
}

/// The carries of a sum of 32-bit values: bit 0 if it is at least 2^32, bit 1 if it is at least 2^33.
u32 carries_of(u64 sum) { return (sum >> 32 != 0 ? 1U : 0U) | (sum >> 33 != 0 ? 2U : 0U); }
u32 count_of(u32 in) { return (in & 1) + (in >> 1 & 1); }

u32 sum_with_carries(u64 form, u32 in, u32& out, u32 a, u32 b, u32 c) {
  const u64 sum = static_cast<u64>(a ^ complement_mask(form, 0)) + (b ^ complement_mask(form, 1)) +
                  (c ^ complement_mask(form, 2)) + negations(form) + count_of(in);
  out = carries_of(sum);
  return static_cast<u32>(sum);
}

/// The first source of LEA after the shift. `c` is its upper word for .HI.
u32 shifted_source(u64 form, u32 a, u32 c) {
  const auto shift = static_cast<unsigned>(form >> 16 & 31);
  if ((form >> 9 & 1) == 0) return a << shift;
  return static_cast<u32>((static_cast<u64>(c) << 32 | a) << shift >> 32);
}
/// Negation and complement of LEA's first source concern the whole 64-bit value c:a.
void modify_source(u64 form, u32& a, u32& c) {
  u64 value = static_cast<u64>(c) << 32 | a;
  if ((form & 1) != 0) value = 0 - value;
  if ((form >> 4 & 1) != 0) value = ~value;
  a = static_cast<u32>(value);
  c = static_cast<u32>(value >> 32);
}

u32 shift_and_add(u64 form, u32 a, u32 b, u32 c) {
  modify_source(form, a, c);
  return shifted_source(form, a, c) + (b ^ complement_mask(form, 1)) + static_cast<u32>(form >> 1 & 1);
}

u32 shift_and_add_carries(u64 form, u32 in, u32& out, u32 a, u32 b, u32 c) {
  const bool negated = (form & 1) != 0, inverted = (form >> 4 & 1) != 0;
  u32 first = shifted_source(form, a, c);
  if (negated || inverted) first = ~first;
  const u64 sum = static_cast<u64>(first) + (b ^ complement_mask(form, 1)) + static_cast<u64>(negated ? 1 : 0) +
                  (form >> 1 & 1) + count_of(in);
  out = carries_of(sum);
  return static_cast<u32>(sum);
}

u64 full_product(u64 form, u32 a, u32 b) {
  if ((form >> 8 & 1) == 0) return static_cast<u64>(a) * b;
  return static_cast<u64>(static_cast<s64>(static_cast<s32>(a)) * static_cast<s32>(b));
}
u64 third(u64 form, u64 c) {
  if ((form >> 2 & 1) != 0) return 0 - c;
  return (form >> 6 & 1) != 0 ? ~c : c;
}

u32 product_sum(u64 form, u32 a, u32 b, u32 c) { return a * b + static_cast<u32>(third(form, c)); }
u32 product_sum_carries(u64 form, u32 in, u32& out, u32 a, u32 b, u32 c) {
  const u64 sum = static_cast<u64>(a * b) + static_cast<u32>(third(form, c)) + (in & 1);
  out = carries_of(sum);
  return static_cast<u32>(sum);
}
u64 wide_product_sum(u64 form, u32 a, u32 b, u64 c) { return full_product(form, a, b) + third(form, c); }
u64 wide_product_sum_carries(u64 form, u32 in, u32& out, u32 a, u32 b, u64 c) {
  const u64 first = full_product(form, a, b), second = third(form, c);
  const u64 sum = first + second, all = sum + (in & 1);
  out = sum < first || all < sum ? 1 : 0;
  return all;
}
u32 high_product_sum(u64 form, u32 a, u32 b, u64 c) { return static_cast<u32>(wide_product_sum(form, a, b, c) >> 32); }
u32 high_product_sum_carries(u64 form, u32 in, u32& out, u32 a, u32 b, u64 c) {
  return static_cast<u32>(wide_product_sum_carries(form, in, out, a, b, c) >> 32);
}

u32 funnel_shifted(u64 form, u32 a, u32 b, u32 c) {
  const u64 value = static_cast<u64>(c) << 32 | a;
  const bool is_signed = (form >> 8 & 1) != 0, high = (form >> 9 & 1) != 0, wrap = (form >> 10 & 1) != 0;
  const u32 width = (form >> 12 & 1) != 0 ? 64 : 32;
  const u32 amount = wrap ? b & (width - 1) : b < width ? b : width;
  u64 result = 0;
  if ((form >> 11 & 1) != 0) {
    result = amount >= 64 ? 0 : value << amount;
  } else if (is_signed) {
    result = static_cast<u64>(static_cast<s64>(value) >> (amount >= 64 ? 63 : amount));
  } else {
    result = amount >= 64 ? 0 : value >> amount;
  }
  return static_cast<u32>(high ? result >> 32 : result);
}

u32 sign_extended(u64 form, u32 a, u32 b) {
  const bool wrap = (form >> 10 & 1) != 0;
  const u32 bits = wrap ? b & 31 : b;
  if (bits == 0) return 0;
  if (bits >= 32) return a;
  const u32 kept = a & ((1U << bits) - 1);
  const bool negative = (form >> 8 & 1) != 0 && (a >> (bits - 1) & 1) != 0;
  return negative ? kept | ~((1U << bits) - 1) : kept;
}

u64 joined(u32 a, u32 b) { return static_cast<u64>(b) << 32 | a; }
u32 lower(u64 a) { return static_cast<u32>(a); }
u32 upper(u64 a) { return static_cast<u32>(a >> 32); }
u16 lower_half(u32 a) { return static_cast<u16>(a); }
u32 widened(u16 a) { return a; }
u32 inverted(u32 a) { return ~a; }
u32 byte_onwards(u64 form, u32 a) { return a >> form; }
u32 lane_inserted(u64 form, u32 a, u32 b, u32 c) { return (a & ~(b << form)) | (c & b) << form; }
u32 scaled_sum(u64 form, u32 a, u32 b) { return a * static_cast<u32>(form) + b; }
u64 wide_sum(u64 a, u64 b) { return a + b; }

/// The low 32 bits of the form are the distance, the high ones those of the window.
u64 moved(u64 form, u64 a) {
  const bool inside = a >> 32 == form >> 32 && (a & 0xffffffffU) < (u64{1} << 24);
  return inside ? a + (form & 0xffffffffU) : a;
}

u64 aligned(u64 bytes, u64 a) { return a & ~(bytes - 1); }
u32 rest_of(u64 bytes, u64 a) { return static_cast<u32>(bytes - (a & (bytes - 1))); }

constexpr u64 relu_flag = u64{1} << 32;
u32 chosen_integer(u64 form, u32 a, u32 b, bool least) {
  const bool is_signed = (form >> 8 & 1) != 0;
  const bool less = is_signed ? static_cast<s32>(a) < static_cast<s32>(b) : a < b;
  const u32 result = less == least ? a : b;
  return (form & relu_flag) != 0 && static_cast<s32>(result) < 0 ? 0 : result;
}
u32 least(u64 form, u32 a, u32 b) { return chosen_integer(form, a, b, true); }
u32 greatest(u64 form, u32 a, u32 b) { return chosen_integer(form, a, b, false); }

bool integer_holds(u32 compare, bool less, bool equal) {
  switch (compare) {
    case 0: return false;
    case 1: return less;
    case 2: return equal;
    case 3: return less || equal;
    case 4: return !less && !equal;
    case 5: return !equal;
    case 6: return !less;
    default: return true;
  }
}

/// Bits 0-2 of the form: the comparison; 3-4: AND, OR, XOR; 5: signed; 6: carry_in has the lower words' comparison.
u32 compared(u64 form, u32 in, u32& out, u32 a, u32 b) {
  const auto compare = static_cast<u32>(form & 7);
  const bool less = (form >> 5 & 1) != 0 ? static_cast<s32>(a) < static_cast<s32>(b) : a < b;
  bool result = integer_holds(compare, less, a == b);
  // If the upper words are equal, the lower words decide.
  if ((form >> 6 & 1) != 0 && a == b && compare != 0 && compare != 7) result = (in >> 1 & 1) != 0;
  const bool with = (in & 1) != 0;
  const auto combined = [&](bool value) {
    switch (form >> 3 & 3) {
      case 0: return value && with;
      case 1: return value || with;
      default: return value != with;
    }
  };
  out = (combined(result) ? 1U : 0U) | (combined(!result) ? 2U : 0U);
  return 0;
}

}  // namespace

Alu join() { return Lanewise<&joined>::alu(host_isa()); }
Alu low_word() { return Lanewise<&lower>::alu(host_isa()); }
Alu high_word() { return Lanewise<&upper>::alu(host_isa()); }
Alu low_half() { return Lanewise<&lower_half>::alu(host_isa()); }
Alu from_half() { return Lanewise<&widened>::alu(host_isa()); }

Alu add3(IntegerForm form) { return Formed<&sum_of_three>::alu(host_isa(), form.packed()); }
Alu add3_carries(IntegerForm form) { return Flagged<&sum_with_carries>::alu(form.packed()); }
Alu add3_wide(IntegerForm form) { return Formed<&wide_sum_of_three>::alu(host_isa(), form.packed()); }
Alu shift_add(IntegerForm form) { return Formed<&shift_and_add>::alu(host_isa(), form.packed()); }
Alu shift_add_carries(IntegerForm form) { return Flagged<&shift_and_add_carries>::alu(form.packed()); }
Alu multiply_add(IntegerForm form) { return Formed<&product_sum>::alu(host_isa(), form.packed()); }
Alu multiply_add_carries(IntegerForm form) { return Flagged<&product_sum_carries>::alu(form.packed()); }
Alu multiply_add_wide(IntegerForm form) { return Formed<&wide_product_sum>::alu(host_isa(), form.packed()); }
Alu multiply_add_wide_carries(IntegerForm form) { return Flagged<&wide_product_sum_carries>::alu(form.packed()); }
Alu multiply_add_high(IntegerForm form) { return Formed<&high_product_sum>::alu(host_isa(), form.packed()); }
Alu multiply_add_high_carries(IntegerForm form) { return Flagged<&high_product_sum_carries>::alu(form.packed()); }

Alu funnel_shift(IntegerForm form) { return Formed<&funnel_shifted>::alu(host_isa(), form.packed()); }
Alu extend(IntegerForm form) { return Formed<&sign_extended>::alu(host_isa(), form.packed()); }
Alu complement() { return Lanewise<&inverted>::alu(host_isa()); }
Alu select_byte(unsigned byte) { return Formed<&byte_onwards>::alu(host_isa(), 8 * byte); }
Alu insert_bits(unsigned shift) { return Formed<&lane_inserted>::alu(host_isa(), shift); }
Alu minimum(IntegerForm form, bool relu) {
  return Formed<&least>::alu(host_isa(), form.packed() | (relu ? relu_flag : 0));
}
Alu maximum(IntegerForm form, bool relu) {
  return Formed<&greatest>::alu(host_isa(), form.packed() | (relu ? relu_flag : 0));
}
Alu scaled_address(unsigned scale) { return Formed<&scaled_sum>::alu(host_isa(), scale); }
Alu wide_address() { return Lanewise<&wide_sum>::alu(host_isa()); }

Alu moved_in_window(u64 window, unsigned distance) { return Formed<&moved>::alu(host_isa(), window | distance); }
Alu aligned_address(unsigned bytes) { return Formed<&aligned>::alu(host_isa(), bytes); }
Alu bytes_from_address(unsigned bytes) { return Formed<&rest_of>::alu(host_isa(), bytes); }

Alu compare_extended(unsigned compare, unsigned combine, bool is_signed, bool sign_extended) {
  const u64 form = compare | combine << 3 | (is_signed ? 32U : 0U) | (sign_extended ? 64U : 0U);
  return Flagged<&compared>::alu(form);
}

}  // namespace warpwalk::gpu::machine
