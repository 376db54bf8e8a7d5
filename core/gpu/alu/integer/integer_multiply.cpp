#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

template <class T>
T mad_low(T a, T b, T c) {
  return add(multiply_low(a, b), c);
}

template <class T>
T mad_high(T a, T b, T c) {
  return add(multiply_high(a, b), c);
}

template <class T>
Double<T> mad_wide(T a, T b, Double<T> c) {
  return add(multiply_wide(a, b), c);
}

/// mad.hi.sat.s32: clamps the sum.
s32 mad_high_saturating(s32 a, s32 b, s32 c) { return clamp_to<s32>(static_cast<s64>(multiply_high(a, b)) + c); }

/// Returns the low or high half of the product plus c plus carry. `carry` becomes the carry out of that sum.
template <class T, T (*Product)(T, T), bool Reads>
T mad_carried(u32& carry, T a, T b, T c) {
  using U = Unsigned<T>;
  const U product = static_cast<U>(Product(a, b));
  const U partial = product + static_cast<U>(c);
  const U sum = partial + (Reads ? carry : 0);
  carry = static_cast<u32>(partial < product) | static_cast<u32>(sum < partial);
  return static_cast<T>(sum);
}

template <class T>
Found find_carried_multiply(const Request& request) {
  if (!request.has_only({Modifier::cc, Modifier::lo, Modifier::hi})) return request.unsupported();
  const bool reads = request.instruction.opcode == Opcode::madc;
  const bool writes = request.has(Modifier::cc);
  if (request.has(Modifier::hi))
    return reads ? Carried<&mad_carried<T, multiply_high<T>, true>>::alu(true, writes)
                 : Carried<&mad_carried<T, multiply_high<T>, false>>::alu(false, writes);
  return reads ? Carried<&mad_carried<T, multiply_low<T>, true>>::alu(true, writes)
               : Carried<&mad_carried<T, multiply_low<T>, false>>::alu(false, writes);
}

template <class T>
Found find_plain_multiply(const Request& request) {
  const bool mad = request.instruction.opcode == Opcode::mad;
  if (request.has(Modifier::wide)) {
    if constexpr (sizeof(T) < 8) {
      if (!request.has_only({Modifier::wide})) return request.unsupported();
      return mad ? request.lanewise<&mad_wide<T>>() : request.lanewise<&multiply_wide<T>>();
    }
    return request.unsupported();
  }
  if (request.has(Modifier::hi)) {
    if constexpr (std::is_same_v<T, s32>)
      if (mad && request.has(Modifier::sat) && request.has_only({Modifier::hi, Modifier::sat}))
        return request.lanewise<&mad_high_saturating>();
    if (!request.has_only({Modifier::hi})) return request.unsupported();
    return mad ? request.lanewise<&mad_high<T>>() : request.lanewise<&multiply_high<T>>();
  }
  if (!request.has_only({Modifier::lo})) return request.unsupported();
  using U = Unsigned<T>;
  return mad ? request.lanewise<&mad_low<U>>() : request.lanewise<&multiply_low<U>>();
}

/// The low 24 bits of a register, extended.
template <class T>
s64 low24(T a) {
  const u32 bits = static_cast<u32>(a) & 0xffffffU;
  return std::is_signed_v<T> && (bits & 0x800000U) != 0 ? static_cast<s64>(bits) - 0x1000000 : static_cast<s64>(bits);
}

template <class T>
T multiply24_low(T a, T b) {
  return static_cast<T>(low24(a) * low24(b));
}

/// Bits 47 to 16 of the 48-bit product.
template <class T>
T multiply24_high(T a, T b) {
  return static_cast<T>((low24(a) * low24(b)) >> 16);
}

template <class T, T (*Product)(T, T)>
T mad24(T a, T b, T c) {
  return add(Product(a, b), c);
}

s32 mad24_high_saturating(s32 a, s32 b, s32 c) { return clamp_to<s32>(static_cast<s64>(multiply24_high(a, b)) + c); }

template <class T>
Found find_24(const Request& request) {
  const bool mad = request.instruction.opcode == Opcode::mad24;
  if constexpr (std::is_same_v<T, s32>)
    if (mad && request.has(Modifier::sat) && request.has(Modifier::hi) &&
        request.has_only({Modifier::hi, Modifier::sat}))
      return request.lanewise<&mad24_high_saturating>();
  if (!request.has_only({Modifier::lo, Modifier::hi})) return request.unsupported();
  if (request.has(Modifier::hi))
    return mad ? request.lanewise<&mad24<T, multiply24_high<T>>>() : request.lanewise<&multiply24_high<T>>();
  return mad ? request.lanewise<&mad24<T, multiply24_low<T>>>() : request.lanewise<&multiply24_low<T>>();
}

/// c + |a - b|, with the difference as an unsigned number.
template <class T>
T sum_of_difference(T a, T b, T c) {
  using W = Wrapping<T>;
  const W difference = a < b ? static_cast<W>(b) - static_cast<W>(a) : static_cast<W>(a) - static_cast<W>(b);
  return static_cast<T>(static_cast<W>(c) + difference);
}

template <class T>
Found find_multiply_of(const Request& request) {
  switch (request.instruction.opcode) {
    case Opcode::mul24:
    case Opcode::mad24:
      if constexpr (sizeof(T) == 4) return find_24<T>(request);
      return request.unsupported();
    case Opcode::sad:
      if (!request.has_only({})) return request.unsupported();
      return request.lanewise<&sum_of_difference<T>>();
    case Opcode::madc:
      if constexpr (sizeof(T) >= 4) return find_carried_multiply<T>(request);
      return request.unsupported();
    default:
      if (!request.has(Modifier::cc)) return find_plain_multiply<T>(request);
      if constexpr (sizeof(T) >= 4)
        if (request.instruction.opcode == Opcode::mad) return find_carried_multiply<T>(request);
      return request.unsupported();
  }
}

}  // namespace

Found find_multiply(const Request& request) {
  return for_integer(request, [&request]<class T>() { return find_multiply_of<T>(request); });
}

}  // namespace warpwalk::gpu::alu
