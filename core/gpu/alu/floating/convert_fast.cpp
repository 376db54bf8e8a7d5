#include "core/gpu/alu/floating/convert.h"
#include "core/gpu/alu/floating/half.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Rounding;
using ptx::Type;

/// The low bits of a register as T, extended to the width of D.
template <class D, class T, class A>
D extended(A a) {
  return static_cast<D>(static_cast<T>(a));
}

template <class D, class A>
std::optional<Alu> find_extended(const Request& request, Type type) {
  switch (type) {
    case Type::u8: return request.lanewise<&extended<D, u8, A>>();
    case Type::s8: return request.lanewise<&extended<D, s8, A>>();
    case Type::u16: return request.lanewise<&extended<D, u16, A>>();
    case Type::s16: return request.lanewise<&extended<D, s16, A>>();
    case Type::u32: return request.lanewise<&extended<D, u32, A>>();
    case Type::s32: return request.lanewise<&extended<D, s32, A>>();
    case Type::u64:
    case Type::s64: return request.lanewise<&extended<D, u64, A>>();
    default: return {};
  }
}

template <class D>
std::optional<Alu> find_extended(const Request& request, Type type, int a_bytes) {
  if (a_bytes == 2) return find_extended<D, u16>(request, type);
  if (a_bytes == 4) return find_extended<D, u32>(request, type);
  return find_extended<D, u64>(request, type);
}

/// Integer to integer without .sat: the narrower type determines which bits count and how they are extended.
std::optional<Alu> find_integers(const Request& request, const Conversion& c, int d_bytes, int a_bytes) {
  const int to = ptx::bytes_of(c.to);
  const int from = ptx::bytes_of(c.from);
  // A negative number in an unsigned type that is narrower than its register needs two different extensions.
  if (to > from && ptx::is_signed(c.from) && !ptx::is_signed(c.to) && to < d_bytes) return {};
  const Type narrower = to <= from ? c.to : c.from;
  if (d_bytes == 2) return find_extended<u16>(request, narrower, a_bytes);
  if (d_bytes == 4) return find_extended<u32>(request, narrower, a_bytes);
  return find_extended<u64>(request, narrower, a_bytes);
}

template <class D, class A>
D host_convert(A a) {
  return static_cast<D>(a);
}

/// A NaN keeps its sign and the upper part of its payload, and becomes quiet.
float narrowed(double a) {
  const u64 bits = bits_of(a);
  const u64 nan = (bits >> 32 & 0x80000000U) | 0x7fc00000U | (bits >> 29 & 0x3fffffU);
  return a == a ? static_cast<float>(a) : f32_of(static_cast<u32>(nan));
}
double widened(float a) {
  const u64 bits = bits_of(a);
  const u64 nan = (bits & 0x80000000U) << 32 | 0x7ff8000000000000U | (bits & 0x3fffffU) << 29;
  return a == a ? static_cast<double>(a) : f64_of(nan);
}
float widened_f16(F16 a) { return canonical(widen(a)); }
/// A bf16 is the upper half of an f32, also for NaN.
float widened_bf16(Bf16 a) { return widen(a); }

template <Rounding R, class T>
T integral(T a) {
  if constexpr (R == Rounding::rni) return std::nearbyint(a);
  if constexpr (R == Rounding::rmi) return std::floor(a);
  if constexpr (R == Rounding::rpi) return std::ceil(a);
  if constexpr (R == Rounding::rzi) return std::trunc(a);
}

template <Rounding R, bool Ftz>
s32 to_s32(float a) {
  const float x = integral<R>(Ftz ? flushed(a) : a);
  const float above = x >= -0x1p31F ? x : -0x1p31F;
  const float within = above <= 0x1.fffffep30F ? above : 0x1.fffffep30F;
  const s32 value = x >= 0x1p31F ? std::numeric_limits<s32>::max() : static_cast<s32>(within);
  return x == x ? value : 0;
}

template <Rounding R, bool Ftz>
u32 to_u32(float a) {
  const float x = integral<R>(Ftz ? flushed(a) : a);
  const float above = x >= 0 ? x : 0.0F;
  const float within = above <= 0x1.fffffep31F ? above : 0x1.fffffep31F;
  const bool upper = within >= 0x1p31F;
  const u32 value = static_cast<u32>(static_cast<s32>(upper ? within - 0x1p31F : within)) + (upper ? 0x80000000U : 0U);
  return x >= 0x1p32F ? std::numeric_limits<u32>::max() : value;
}

/// To 64 bits, or from f64. NaN gives the bits of the lowest signed number.
template <class T, class F, Rounding R, bool Ftz>
T to_wide(F a) {
  F x;
  if constexpr (Ftz)
    x = integral<R>(flushed(a));
  else
    x = integral<R>(a);
  constexpr auto low = static_cast<F>(std::numeric_limits<T>::min());
  // One more than the highest value. It is a power of two and therefore exact in F.
  constexpr auto beyond = static_cast<F>(u64{1} << (8 * sizeof(T) - 2)) * (std::is_signed_v<T> ? 2 : 4);
  if (x != x) return static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  if (x <= low) return std::numeric_limits<T>::min();
  return x >= beyond ? std::numeric_limits<T>::max() : static_cast<T>(x);
}

template <Rounding R, bool Ftz>
float to_integral(float a) {
  return canonical(integral<R>(Ftz ? flushed(a) : a));
}

template <Rounding R, bool Ftz>
std::optional<Alu> find_rounded(const Request& request, Type to) {
  if (to == Type::s64) return request.lanewise<&to_wide<s64, float, R, Ftz>>();
  if (to == Type::u64) return request.lanewise<&to_wide<u64, float, R, Ftz>>();
  if (to == Type::s32) return request.lanewise<&to_s32<R, Ftz>>();
  if (to == Type::u32) return request.lanewise<&to_u32<R, Ftz>>();
  if (to == Type::f32) return request.lanewise<&to_integral<R, Ftz>>();
  return {};
}

std::optional<Alu> find_rounded(const Request& request, const Conversion& c) {
  switch (c.rounding) {
    case Rounding::rni:
      return c.ftz ? find_rounded<Rounding::rni, true>(request, c.to)
                   : find_rounded<Rounding::rni, false>(request, c.to);
    case Rounding::rzi:
      return c.ftz ? find_rounded<Rounding::rzi, true>(request, c.to)
                   : find_rounded<Rounding::rzi, false>(request, c.to);
    case Rounding::rmi:
      return c.ftz ? find_rounded<Rounding::rmi, true>(request, c.to)
                   : find_rounded<Rounding::rmi, false>(request, c.to);
    case Rounding::rpi:
      return c.ftz ? find_rounded<Rounding::rpi, true>(request, c.to)
                   : find_rounded<Rounding::rpi, false>(request, c.to);
    default: return {};
  }
}

template <Rounding R>
std::optional<Alu> find_rounded_f64(const Request& request, Type to) {
  if (to == Type::s32) return request.lanewise<&to_wide<s32, double, R, false>>();
  if (to == Type::u32) return request.lanewise<&to_wide<u32, double, R, false>>();
  if (to == Type::s64) return request.lanewise<&to_wide<s64, double, R, false>>();
  if (to == Type::u64) return request.lanewise<&to_wide<u64, double, R, false>>();
  return {};
}

std::optional<Alu> find_rounded_f64(const Request& request, const Conversion& c) {
  switch (c.rounding) {
    case Rounding::rni: return find_rounded_f64<Rounding::rni>(request, c.to);
    case Rounding::rzi: return find_rounded_f64<Rounding::rzi>(request, c.to);
    case Rounding::rmi: return find_rounded_f64<Rounding::rmi>(request, c.to);
    case Rounding::rpi: return find_rounded_f64<Rounding::rpi>(request, c.to);
    default: return {};
  }
}

std::optional<Alu> find_to_f32(const Request& request, const Conversion& c) {
  switch (c.from) {
    case Type::s32: return request.lanewise<&host_convert<float, s32>>();
    case Type::u32: return request.lanewise<&host_convert<float, u32>>();
    case Type::s64: return request.lanewise<&host_convert<float, s64>>();
    case Type::u64: return request.lanewise<&host_convert<float, u64>>();
    case Type::f64: return request.lanewise<&narrowed>();
    case Type::f16: return request.lanewise<&widened_f16>();
    case Type::bf16: return request.lanewise<&widened_bf16>();
    default: return {};
  }
}

std::optional<Alu> find_to_f64(const Request& request, const Conversion& c) {
  switch (c.from) {
    case Type::f32: return request.lanewise<&widened>();
    case Type::s32: return request.lanewise<&host_convert<double, s32>>();
    case Type::u32: return request.lanewise<&host_convert<double, u32>>();
    case Type::s64: return request.lanewise<&host_convert<double, s64>>();
    case Type::u64: return request.lanewise<&host_convert<double, u64>>();
    default: return {};
  }
}

}  // namespace

std::optional<Alu> find_fast_conversion(const Request& request, const Conversion& c, int d_bytes, int a_bytes) {
  if (c.sat || c.satfinite || c.relu) return {};
  if (is_integer(c.to) && is_integer(c.from)) return find_integers(request, c, d_bytes, a_bytes);
  if (d_bytes != ptx::bytes_of(c.to) || a_bytes != ptx::bytes_of(c.from)) return {};
  if (c.from == Type::f32 && c.rounding >= Rounding::rni) return find_rounded(request, c);
  if (c.from == Type::f64 && c.rounding >= Rounding::rni) return find_rounded_f64(request, c);
  if (c.ftz || (c.rounding != Rounding::rn && c.rounding != Rounding::none)) return {};
  if (c.to == Type::f32 && c.from != Type::f32) return find_to_f32(request, c);
  if (c.to == Type::f64) return find_to_f64(request, c);
  if (c.to == Type::f16 && c.from == Type::f32) return request.lanewise<&narrow_f16>();
  if (c.to == Type::bf16 && c.from == Type::f32) return request.lanewise<&narrow_bf16>();
  return {};
}

}  // namespace warpwalk::gpu::alu
