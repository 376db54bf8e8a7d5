#include "core/gpu/alu/floating/convert.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Rounding;
using ptx::Type;

template <class D, class A>
D any(u64 form, A a) {
  return static_cast<D>(convert(Conversion::unpacked(form), a));
}

/// cvt.f32.f32 and cvt.f64.f64 without modifiers copy a NaN unchanged.
template <class T>
T unchanged(T a) {
  return a;
}

template <class D>
Found find_any(const Request& request, const Conversion& conversion, int a_bytes) {
  // Integer code, which no instruction set speeds up.
  switch (a_bytes) {
    case 2: return Formed<&any<D, u16>>::alu(Isa::baseline, conversion.packed());
    case 4: return Formed<&any<D, u32>>::alu(Isa::baseline, conversion.packed());
    case 8: return Formed<&any<D, u64>>::alu(Isa::baseline, conversion.packed());
    default: return request.unsupported();
  }
}

bool is_directed(Rounding rounding) {
  return rounding == Rounding::rn || rounding == Rounding::rz || rounding == Rounding::rm || rounding == Rounding::rp;
}

/// True if PTX has this conversion between two scalar types.
bool exists(const Conversion& c) {
  if (is_integer(c.from) && is_integer(c.to)) return c.rounding == Rounding::none && !c.ftz && !c.relu && !c.satfinite;
  if (is_integer(c.to)) return format_of(c.from) != nullptr && is_integral(c.rounding) && !c.relu && !c.satfinite;
  if (c.to == Type::tf32)
    return c.from == Type::f32 && !c.ftz && !c.sat &&
           (c.rounding == Rounding::rna || c.rounding == Rounding::rn || c.rounding == Rounding::rz);
  if (is_integer(c.from)) return is_directed(c.rounding) && !c.relu && !c.satfinite;
  if (c.from == c.to) return c.rounding == Rounding::none || is_integral(c.rounding);
  // Widening is exact, so the rounding is optional.
  return c.rounding == Rounding::none || is_directed(c.rounding);
}

bool is_pair(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2 || type == Type::e4m3x2 || type == Type::e5m2x2;
}

bool is_scalar(Type type) { return is_integer(type) || (format_of(type) != nullptr && ptx::bytes_of(type) > 1); }

}  // namespace

Found find_convert(const Request& request) {
  if (!request.has_only({Modifier::ftz, Modifier::sat, Modifier::satfinite, Modifier::relu}))
    return request.unsupported();
  const Conversion conversion = {.to = request.type(0),
                                 .from = request.type(1),
                                 .rounding = request.instruction.rounding,
                                 .ftz = request.has(Modifier::ftz),
                                 .sat = request.has(Modifier::sat),
                                 .satfinite = request.has(Modifier::satfinite),
                                 .relu = request.has(Modifier::relu)};
  if (is_pair(conversion.to)) return find_pair_conversion(request, conversion);
  if ((!is_scalar(conversion.to) && conversion.to != Type::tf32) || !is_scalar(conversion.from) || !exists(conversion))
    return request.unsupported();

  const bool plain = conversion.rounding == Rounding::none && !conversion.ftz && !conversion.sat;
  if (plain && conversion.from == Type::f32 && conversion.to == Type::f32) return request.lanewise<&unchanged<u32>>();
  if (plain && conversion.from == Type::f64 && conversion.to == Type::f64) return request.lanewise<&unchanged<u64>>();

  const int d_bytes = request.register_bytes(0, conversion.to == Type::tf32 ? Type::b32 : conversion.to);
  const int a_bytes = request.register_bytes(1, conversion.from);
  if (const auto fast = find_fast_conversion(request, conversion, d_bytes, a_bytes)) return *fast;
  switch (d_bytes) {
    case 2: return find_any<u16>(request, conversion, a_bytes);
    case 4: return find_any<u32>(request, conversion, a_bytes);
    case 8: return find_any<u64>(request, conversion, a_bytes);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
