#include <cmath>

#include "core/gpu/alu/floating/special_function.h"
#include "core/gpu/alu/machine/flagged.h"
#include "core/gpu/alu/machine/machine.h"

namespace warpwalk::gpu::machine {

using alu::bits_of;
using alu::Compiled;
using alu::each_lane;
using alu::f64_of;
using alu::Flagged;
using alu::Formed;
using alu::Lanewise;
using alu::load;
using alu::s32;
using alu::store;
using alu::u32;
using alu::u64;

namespace {

u32 modified(u64 form, u32 a) { return (a & static_cast<u32>(form >> 32)) ^ static_cast<u32>(form); }
u64 modified_wide(u64 form, u64 a) {
  if ((a & 0x7fffffffffffffffU) > 0x7ff0000000000000U) return a;
  if ((form & 1) != 0) a &= 0x7fffffffffffffffU;
  return (form & 2) != 0 ? a ^ 0x8000000000000000U : a;
}

/// Bits 0-1: the halves; bit 2: absolute value; bit 3: negation.
u32 halves_of(u64 form, u32 a) {
  u32 value = a;
  if ((form & 3) == 1) value = (a & 0xffffU) | a << 16;
  if ((form & 3) == 2) value = a >> 16 | (a & 0xffff0000U);
  if ((form & 4) != 0) value &= 0x7fff7fffU;
  if ((form & 8) != 0) value ^= 0x80008000U;
  return value;
}

struct Select {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const u32 mask = call.predicate_in;
    const void* const a = call.a;
    const void* const b = call.b;
    void* const d = call.d;
    each_lane([&](int lane) { store<u32>(d, lane, alu::bit(mask, lane) ? load<u32>(a, lane) : load<u32>(b, lane)); });
  }
};
struct SelectFlushed {
  [[gnu::always_inline]] static void run(AluCall& call) {
    Select::run(call);
    void* const d = call.d;
    each_lane([&](int lane) { store<float>(d, lane, alu::flushed(load<float>(d, lane))); });
  }
};

/// Bits 0-2: the exponent + 3; bit 3: subnormal sources and results count as zeros; bit 4: the result is limited to 0
/// to 1. The product and its scaled value are exact in a double.
float scaled_product_of(u64 form, float a, float b) {
  constexpr double smallest_normal = 0x1p-126;
  constexpr double powers[] = {0.125, 0.25, 0.5, 1, 2, 4, 8, 16};
  const bool flushes = (form & 8) != 0;
  if (flushes) {
    a = alu::flushed(a);
    b = alu::flushed(b);
  }
  const double exact = static_cast<double>(a) * static_cast<double>(b) * powers[form & 7];
  auto result = static_cast<float>(exact);
  if (flushes && exact < smallest_normal && exact > -smallest_normal) result = std::signbit(exact) ? -0.0F : 0.0F;
  if ((form & 16) != 0) return result > 1 ? 1.0F : result > 0 ? result : 0.0F;  // NaN gives 0
  return alu::canonical(result);
}

/// The quotient is computed from a reciprocal and corrected by multiply-adds, so none of the intermediate values may
/// overflow or become subnormal.
u32 needs_slow_division(u64, u32, u32& out, u32 a, u32 b) {
  const auto exponent = [](u32 x) { return static_cast<s32>(x >> 23 & 0xffU); };
  const s32 of_a = exponent(a), of_b = exponent(b);
  const bool normal = of_b >= 2 && of_b <= 252 && of_a >= 25 && of_a <= 254;
  const bool in_range = of_a - of_b < 126 && of_a - of_b > -125;
  out = normal && in_range ? 0 : 1;
  return 0;
}

u32 first_is_extreme(u64 least, u32, u32& out, double a, double b) {
  const bool a_is_nan = a != a, b_is_nan = b != b;
  // -0 is less than +0.
  const bool zero_first = a == b && std::signbit(a) == (least != 0);
  const bool first = zero_first || (least != 0 ? a < b : a > b);
  out = ((first || b_is_nan) && !a_is_nan ? 1U : 0U) | (a_is_nan && b_is_nan ? 2U : 0U);
  return 0;
}

}  // namespace

Alu modified_f32(bool negate, bool absolute) {
  const u64 kept = absolute ? 0x7fffffffU : 0xffffffffU;
  return Formed<&modified>::alu(host_isa(), kept << 32 | (negate ? 0x80000000U : 0U));
}
Alu modified_f64(bool negate, bool absolute) {
  return Formed<&modified_wide>::alu(host_isa(), (absolute ? 1U : 0U) | (negate ? 2U : 0U));
}
Alu modified_halves(Halves halves, bool negate, bool absolute) {
  return Formed<&halves_of>::alu(host_isa(), static_cast<u64>(halves) | (absolute ? 4U : 0U) | (negate ? 8U : 0U));
}

Alu select() {
  return {
      .run = Compiled<Select>::choose(host_isa()), .d_bytes = 4, .a_bytes = 4, .b_bytes = 4, .reads_predicate = true};
}
Alu select_flushed() {
  Alu alu = select();
  alu.run = Compiled<SelectFlushed>::choose(host_isa());
  return alu;
}

Alu scaled_product(int exponent, bool flushes, bool saturates) {
  const u64 form = static_cast<u64>(exponent + 3) | (flushes ? 8U : 0U) | (saturates ? 16U : 0U);
  return Formed<&scaled_product_of>::alu(host_isa(), form);
}
Alu sine() { return Lanewise<&alu::special::sine>::alu(host_isa()); }
Alu cosine() { return Lanewise<&alu::special::cosine>::alu(host_isa()); }
Alu reciprocal_high() { return Lanewise<&alu::special::reciprocal_high>::alu(host_isa()); }
Alu inverse_root_high() { return Lanewise<&alu::special::inverse_root_high>::alu(host_isa()); }
Alu double_extreme(bool least) { return Flagged<&first_is_extreme>::alu(least ? 1 : 0); }
Alu check_division() { return Flagged<&needs_slow_division>::alu(0); }

}  // namespace warpwalk::gpu::machine
