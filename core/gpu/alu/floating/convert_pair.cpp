#include "core/gpu/alu/floating/convert.h"
#include "core/gpu/alu/floating/half.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Rounding;
using ptx::Type;

/// The type of each of the two values in a register; Type::none for other types.
Type half_of(Type type) {
  switch (type) {
    case Type::f16x2: return Type::f16;
    case Type::bf16x2: return Type::bf16;
    case Type::e4m3x2: return Type::e4m3;
    case Type::e5m2x2: return Type::e5m2;
    default: return Type::none;
  }
}

/// Converts two f32 values. a becomes the high half, b the low half.
template <class D>
D convert_two(u64 form, u32 a, u32 b) {
  const Conversion conversion = Conversion::unpacked(form);
  return static_cast<D>(convert(conversion, a) << (4 * sizeof(D)) | convert(conversion, b));
}

/// Same for f16 and bf16 rounded to nearest, in a loop that vectorizes. Relu: values not above 0 become 0, except NaN.
template <class H, bool Relu>
u32 from_two_floats(float a, float b) {
  const u32 high = narrow<H>(Relu ? (a < 0 ? 0.0F : a) + 0.0F : a).bits;
  const u32 low = narrow<H>(Relu ? (b < 0 ? 0.0F : b) + 0.0F : b).bits;
  return high << 16 | low;
}

template <class H>
Alu find_two_floats(const Request& request, bool relu) {
  return relu ? request.lanewise<&from_two_floats<H, true>>() : request.lanewise<&from_two_floats<H, false>>();
}

/// Converts both halves of a.
template <class D, class A>
D from_pair(u64 form, A a) {
  const Conversion conversion = Conversion::unpacked(form);
  return static_cast<D>(convert(conversion, static_cast<u64>(a) >> (4 * sizeof(A))) << (4 * sizeof(D)) |
                        convert(conversion, a));
}

}  // namespace

Found find_pair_conversion(const Request& request, const Conversion& pair) {
  Conversion c = pair;
  c.to = half_of(pair.to);
  const bool to_bytes = c.to == Type::e4m3 || c.to == Type::e5m2;
  const bool narrows = c.rounding == Rounding::rn || (c.rounding == Rounding::rz && !to_bytes);
  if (!narrows || c.ftz || c.sat) return request.unsupported();
  if (pair.from == Type::f32) {
    // Two sources. PTX has conversions to fp8 only with .satfinite.
    if (request.instruction.operands.size() != 3 || (to_bytes && !c.satfinite)) return request.unsupported();
    if (!to_bytes && !c.satfinite && c.rounding == Rounding::rn)
      return c.to == Type::f16 ? find_two_floats<F16>(request, c.relu) : find_two_floats<Bf16>(request, c.relu);
    return to_bytes ? Formed<&convert_two<u16>>::alu(Isa::baseline, c.packed())
                    : Formed<&convert_two<u32>>::alu(Isa::baseline, c.packed());
  }
  c.from = half_of(pair.from);
  if (to_bytes && pair.from == Type::f16x2 && c.satfinite)
    return Formed<&from_pair<u16, u32>>::alu(Isa::baseline, c.packed());
  const bool from_bytes = c.from == Type::e4m3 || c.from == Type::e5m2;
  if (pair.to == Type::f16x2 && from_bytes && !c.satfinite)
    return Formed<&from_pair<u32, u16>>::alu(Isa::baseline, c.packed());
  return request.unsupported();
}

namespace {

/// Clamps a signed number to `Bits` bits.
template <int Bits, bool Signed>
u32 clamped(u32 value) {
  constexpr s64 high = Signed ? (s64{1} << (Bits - 1)) - 1 : (s64{1} << Bits) - 1;
  constexpr s64 low = Signed ? -high - 1 : 0;
  const s64 x = static_cast<s32>(value);
  return static_cast<u32>(x < low ? low : x > high ? high : x) & ((1U << Bits) - 1);
}

/// cvt.pack.sat to 16 bits: a and b clamped, b in the low half.
template <bool Signed>
u32 pack_two(u32 a, u32 b) {
  return clamped<16, Signed>(a) << 16 | clamped<16, Signed>(b);
}

/// cvt.pack.sat to 8, 4 or 2 bits: a and b clamped in the low bits, the low bits of c above them.
template <int Bits, bool Signed>
u32 pack_onto(u32 a, u32 b, u32 c) {
  return c << (2 * Bits) | clamped<Bits, Signed>(a) << Bits | clamped<Bits, Signed>(b);
}

template <int Bits, bool Signed>
Found find_pack_onto(const Request& request) {
  if (request.type(2) != Type::b32) return request.unsupported();
  return request.lanewise<&pack_onto<Bits, Signed>>();
}

}  // namespace

Found find_convert_pack(const Request& request) {
  if (!request.has(Modifier::sat) || !request.has_only({Modifier::sat}) || request.type(1) != Type::s32)
    return request.unsupported();
  const bool with_c = request.type(2) == Type::b32;
  switch (request.type(0)) {
    case Type::u16: return with_c ? request.unsupported() : Found(request.lanewise<&pack_two<false>>());
    case Type::s16: return with_c ? request.unsupported() : Found(request.lanewise<&pack_two<true>>());
    case Type::u8: return find_pack_onto<8, false>(request);
    case Type::s8: return find_pack_onto<8, true>(request);
    case Type::u4: return find_pack_onto<4, false>(request);
    case Type::s4: return find_pack_onto<4, true>(request);
    case Type::u2: return find_pack_onto<2, false>(request);
    case Type::s2: return find_pack_onto<2, true>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
