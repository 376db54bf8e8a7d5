// f32 and f64 arithmetic with .rz, .rm or .rp.
#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/floating/ftz.h"
#include "core/gpu/alu/floating/rounded.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;

template <Toward toward>
struct Sum {
  template <class T>
  static T of(T a, T b) {
    return add_rounded<toward>(a, b);
  }
};
template <Toward toward>
struct Difference {
  template <class T>
  static T of(T a, T b) {
    return add_rounded<toward>(a, -b);
  }
};
template <Toward toward>
struct Product {
  template <class T>
  static T of(T a, T b) {
    return multiply_rounded<toward>(a, b);
  }
  static bool tiny(float a, float b) {
    const Scaled factors = scaled(a, b);
    return magnitude_of(of(factors.a, factors.b)) < min_normal_scaled;
  }
};
template <Toward toward>
struct Quotient {
  template <class T>
  static T of(T a, T b) {
    return divide_rounded<toward>(a, b);
  }
  static bool tiny(float a, float b) {
    return magnitude_of(of(multiply_rounded<toward>(a, scale), b)) < min_normal_scaled;
  }
  static constexpr bool first_nan = true;
};
template <Toward toward>
struct Reciprocal {
  template <class T>
  static T of(T a) {
    return divide_rounded<toward>(T{1}, a);
  }
  static bool tiny(float a) { return Quotient<toward>::tiny(1.0F, a); }
};
template <Toward toward>
struct SquareRoot {
  template <class T>
  static T of(T a) {
    return root_rounded<toward>(a);
  }
};
template <Toward toward>
struct Fused {
  template <class T>
  static T of(T a, T b, T c) {
    return fused_rounded<toward>(a, b, c);
  }
  static bool tiny(float a, float b, float c) {
    const Scaled factors = scaled(a, b);
    return magnitude_of(of(factors.a, factors.b, multiply_rounded<toward>(c, scale))) < min_normal_scaled;
  }
};

/// Applies Op and the NaN rules of f64 instructions. If both operands are NaN, division returns the first.
template <class Op, class... S>
double finished_f64(double a, S... others) {
  if constexpr (requires { Op::first_nan; })
    if (a != a) return quiet(a);
  return f64_result(Op::of(a, others...), a, others...);
}

/// Applies Op with the flushing, saturation and NaN of f32 instructions.
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

/// The function for the rounding of the instruction.
template <auto Zero, auto Down, auto Up>
Found find_rounding(const Request& request) {
  switch (request.instruction.rounding) {
    case Rounding::rz: return request.lanewise<Zero>();
    case Rounding::rm: return request.lanewise<Down>();
    case Rounding::rp: return request.lanewise<Up>();
    default: return request.unsupported();
  }
}

template <template <Toward> class Op, bool Ftz, bool Sat, class... S>
Found find_f32_with(const Request& request) {
  return find_rounding<&finished_f32<Op<Toward::zero>, Ftz, Sat, S...>, &finished_f32<Op<Toward::down>, Ftz, Sat, S...>,
                       &finished_f32<Op<Toward::up>, Ftz, Sat, S...>>(request);
}

template <template <Toward> class Op, class... S>
Found find_f64_of(const Request& request) {
  return find_rounding<&finished_f64<Op<Toward::zero>, S...>, &finished_f64<Op<Toward::down>, S...>,
                       &finished_f64<Op<Toward::up>, S...>>(request);
}

template <template <Toward> class Op, class... S>
Found find_f32_of(const Request& request, bool has_sat) {
  if (!request.has_only({Modifier::ftz, Modifier::sat}) || (request.has(Modifier::sat) && !has_sat))
    return request.unsupported();
  if (request.has(Modifier::sat))
    return request.has(Modifier::ftz) ? find_f32_with<Op, true, true, S...>(request)
                                      : find_f32_with<Op, false, true, S...>(request);
  return request.has(Modifier::ftz) ? find_f32_with<Op, true, false, S...>(request)
                                    : find_f32_with<Op, false, false, S...>(request);
}

Found find_f32_directed(const Request& request) {
  switch (request.instruction.opcode) {
    case Opcode::add: return find_f32_of<Sum, float, float>(request, true);
    case Opcode::sub: return find_f32_of<Difference, float, float>(request, true);
    case Opcode::mul: return find_f32_of<Product, float, float>(request, true);
    case Opcode::fma:
    case Opcode::mad: return find_f32_of<Fused, float, float, float>(request, true);
    case Opcode::div: return find_f32_of<Quotient, float, float>(request, false);
    case Opcode::rcp: return find_f32_of<Reciprocal, float>(request, false);
    case Opcode::sqrt: return find_f32_of<SquareRoot, float>(request, false);
    default: return request.unsupported();
  }
}

Found find_f64_directed(const Request& request) {
  if (!request.has_only({})) return request.unsupported();
  switch (request.instruction.opcode) {
    case Opcode::add: return find_f64_of<Sum, double>(request);
    case Opcode::sub: return find_f64_of<Difference, double>(request);
    case Opcode::mul: return find_f64_of<Product, double>(request);
    case Opcode::fma:
    case Opcode::mad: return find_f64_of<Fused, double, double>(request);
    case Opcode::div: return find_f64_of<Quotient, double>(request);
    case Opcode::rcp: return find_f64_of<Reciprocal>(request);
    case Opcode::sqrt: return find_f64_of<SquareRoot>(request);
    default: return request.unsupported();
  }
}

}  // namespace

double fused_directed(Rounding rounding, double a, double b, double c) {
  if (rounding == Rounding::rz) return fused_rounded<Toward::zero>(a, b, c);
  return rounding == Rounding::rm ? fused_rounded<Toward::down>(a, b, c) : fused_rounded<Toward::up>(a, b, c);
}

Found find_directed(const Request& request) {
  return request.type() == Type::f32 ? find_f32_directed(request) : find_f64_directed(request);
}

}  // namespace warpwalk::gpu::alu
