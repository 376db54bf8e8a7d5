#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/floating/ftz.h"
#include "core/gpu/alu/floating/fused.h"
#include "core/gpu/alu/floating/predicate.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;

float absolute_f32(float a) { return f32_of(bits_of(a) & 0x7fffffffU); }

/// Operations. `tiny` detects a tiny exact result if rounding could hide it.
struct Sum {
  static float of(float a, float b) { return a + b; }
};
struct Difference {
  static float of(float a, float b) { return a - b; }
};
struct Product {
  static float of(float a, float b) { return a * b; }
  static bool tiny(float a, float b) { return tiny_product(a, b); }
};
struct Quotient {
  static float of(float a, float b) { return a / b; }
  static bool tiny(float a, float b) { return tiny_quotient(a, b); }
};
struct Reciprocal {
  static float of(float a) { return 1.0F / a; }
  static bool tiny(float a) { return tiny_quotient(1.0F, a); }
};
struct SquareRoot {
  static float of(float a) { return std::sqrt(a); }
};
struct Absolute {
  static float of(float a) { return absolute_f32(a); }
};
struct Negated {
  static float of(float a) { return -a; }
};
struct FusedByProcessor {
  static float of(float a, float b, float c) { return fused(a, b, c); }
  static bool tiny(float a, float b, float c) {
    const Scaled factors = scaled(a, b);
    return magnitude_of(fused(factors.a, factors.b, c * scale)) < min_normal_scaled;
  }
};
struct FusedInF64 {
  static float of(float a, float b, float c) { return fused_in_f64(a, b, c); }
  static bool tiny(float a, float b, float c) {
    const Scaled factors = scaled(a, b);
    return magnitude_of(fused_in_f64(factors.a, factors.b, c * scale)) < min_normal_scaled;
  }
};

/// Applies Op with the flushing of .ftz and the clamping of .sat.
template <class Op, bool Ftz, bool Sat, class... S>
float finished_f32(S... sources) {
  float result;
  if constexpr (!Ftz)
    result = Op::of(sources...);
  else if constexpr (requires { Op::tiny(sources...); })
    result = flush_if_tiny(Op::tiny(flushed(sources)...), Op::of(flushed(sources)...));
  else
    result = flushed(Op::of(flushed(sources)...));
  return Sat ? saturated(result) : canonical(result);
}

template <class Op, class... S>
Found find_flushed(const Request& request) {
  if (!request.has_only({Modifier::ftz})) return request.unsupported();
  return request.has(Modifier::ftz) ? request.lanewise<&finished_f32<Op, true, false, S...>>()
                                    : request.lanewise<&finished_f32<Op, false, false, S...>>();
}

template <class Op, class... S>
Found find_finished(const Request& request) {
  if (!request.has(Modifier::sat)) return find_flushed<Op, S...>(request);
  if (!request.has_only({Modifier::ftz, Modifier::sat})) return request.unsupported();
  return request.has(Modifier::ftz) ? request.lanewise<&finished_f32<Op, true, true, S...>>()
                                    : request.lanewise<&finished_f32<Op, false, true, S...>>();
}

Found find_fused(const Request& request) {
#if defined(__FP_FAST_FMAF)
  return find_finished<FusedByProcessor, float, float, float>(request);
#else
  if (request.isa == Isa::wide) return find_finished<FusedByProcessor, float, float, float>(request);
  return find_finished<FusedInF64, float, float, float>(request);
#endif
}

/// .NaN: NaN wins. .xorsign.abs: compares magnitudes; the result has the sign of the product.
template <Extreme E, bool Nan, bool Xorsign>
struct Chosen {
  static float of(float a, float b) {
    const float number = Xorsign ? extreme<E>(absolute_f32(a), absolute_f32(b)) : extreme<E>(a, b);
    const u32 sign = Xorsign ? (bits_of(a) ^ bits_of(b)) & 0x80000000U : 0;
    return Nan && (a != a || b != b) ? f32_of(nan_f32) : f32_of(bits_of(number) | sign);
  }
};

template <Extreme E>
Found find_extreme(const Request& request) {
  if (!request.has_only({Modifier::ftz, Modifier::nan, Modifier::xorsign, Modifier::abs}) ||
      request.has(Modifier::xorsign) != request.has(Modifier::abs))
    return request.unsupported();
  // Op already includes its own modifiers. Only .ftz is left to handle.
  const auto found = [&]<bool Nan, bool Xorsign>() -> Found {
    using Op = Chosen<E, Nan, Xorsign>;
    return request.has(Modifier::ftz) ? request.lanewise<&finished_f32<Op, true, false, float, float>>()
                                      : request.lanewise<&finished_f32<Op, false, false, float, float>>();
  };
  const bool nan = request.has(Modifier::nan);
  if (request.has(Modifier::xorsign))
    return nan ? found.template operator()<true, true>() : found.template operator()<false, true>();
  return nan ? found.template operator()<true, false>() : found.template operator()<false, false>();
}

/// The sign of a with the magnitude of b.
float with_sign_of_f32(float a, float b) { return f32_of((bits_of(a) & 0x80000000U) | (bits_of(b) & 0x7fffffffU)); }

}  // namespace

Found find_f32(const Request& request) {
  switch (request.instruction.opcode) {
    case Opcode::add: return find_finished<Sum, float, float>(request);
    case Opcode::sub: return find_finished<Difference, float, float>(request);
    case Opcode::mul: return find_finished<Product, float, float>(request);
    case Opcode::fma:
    case Opcode::mad: return find_fused(request);
    case Opcode::div: return find_flushed<Quotient, float, float>(request);
    case Opcode::rcp: return find_flushed<Reciprocal, float>(request);
    case Opcode::sqrt: return find_flushed<SquareRoot, float>(request);
    case Opcode::abs: return find_flushed<Absolute, float>(request);
    case Opcode::neg: return find_flushed<Negated, float>(request);
    case Opcode::min: return find_extreme<Extreme::least>(request);
    case Opcode::max: return find_extreme<Extreme::greatest>(request);
    case Opcode::copysign:
      if (!request.has_only({})) return request.unsupported();
      return request.lanewise<&with_sign_of_f32>();
    case Opcode::testp: return find_testp<float>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
