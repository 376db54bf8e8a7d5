// Compiled with -frounding-math, because the loops run in a changed host rounding mode.
#include <cfenv>

#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/floating/ftz.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;

/// Sets the thread's rounding mode and restores it on destruction.
class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int before_;
};

template <class T>
struct Sum {
  static T of(T a, T b) { return a + b; }
};
template <class T>
struct Difference {
  static T of(T a, T b) { return a - b; }
};
template <class T>
struct Product {
  static T of(T a, T b) { return a * b; }
  static bool tiny(T a, T b) { return tiny_product(a, b); }
};
template <class T>
struct Quotient {
  static T of(T a, T b) { return a / b; }
  static bool tiny(T a, T b) { return tiny_quotient(a, b); }
  static constexpr bool first_nan = true;
};
template <class T>
struct Reciprocal {
  static T of(T a) { return T{1} / a; }
  static bool tiny(T a) { return tiny_quotient(1.0F, a); }
};
template <class T>
struct SquareRoot {
  static T of(T a) { return std::sqrt(a); }
};
template <class T>
struct Fused {
  static T of(T a, T b, T c) { return std::fma(a, b, c); }
  static bool tiny(T a, T b, T c) {
    const Scaled factors = scaled(a, b);
    return magnitude_of(std::fma(factors.a, factors.b, c * scale)) < min_normal_scaled;
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

/// A separate function, so that the compiler moves none of it across the change of mode.
template <auto F>
[[gnu::noinline]] void loop(AluCall& call) {
  Lanewise<F>::run(call);
}

template <auto F, int Mode>
void run_in_mode(AluCall& call) {
  const RoundingMode mode(Mode);
  loop<F>(call);
}

template <auto F>
Found find_mode(const Request& request) {
  Alu alu = request.lanewise<F>();
  switch (request.instruction.rounding) {
    case Rounding::rz: alu.run = &run_in_mode<F, FE_TOWARDZERO>; break;
    case Rounding::rm: alu.run = &run_in_mode<F, FE_DOWNWARD>; break;
    case Rounding::rp: alu.run = &run_in_mode<F, FE_UPWARD>; break;
    default: return request.unsupported();
  }
  return alu;
}

template <class Op, class... S>
Found find_f32_of(const Request& request, bool has_sat) {
  if (!request.has_only({Modifier::ftz, Modifier::sat}) || (request.has(Modifier::sat) && !has_sat))
    return request.unsupported();
  if (request.has(Modifier::sat))
    return request.has(Modifier::ftz) ? find_mode<&finished_f32<Op, true, true, S...>>(request)
                                      : find_mode<&finished_f32<Op, false, true, S...>>(request);
  return request.has(Modifier::ftz) ? find_mode<&finished_f32<Op, true, false, S...>>(request)
                                    : find_mode<&finished_f32<Op, false, false, S...>>(request);
}

Found find_f32_directed(const Request& request) {
  switch (request.instruction.opcode) {
    case Opcode::add: return find_f32_of<Sum<float>, float, float>(request, true);
    case Opcode::sub: return find_f32_of<Difference<float>, float, float>(request, true);
    case Opcode::mul: return find_f32_of<Product<float>, float, float>(request, true);
    case Opcode::fma:
    case Opcode::mad: return find_f32_of<Fused<float>, float, float, float>(request, true);
    case Opcode::div: return find_f32_of<Quotient<float>, float, float>(request, false);
    case Opcode::rcp: return find_f32_of<Reciprocal<float>, float>(request, false);
    case Opcode::sqrt: return find_f32_of<SquareRoot<float>, float>(request, false);
    default: return request.unsupported();
  }
}

Found find_f64_directed(const Request& request) {
  if (!request.has_only({})) return request.unsupported();
  switch (request.instruction.opcode) {
    case Opcode::add: return find_mode<&finished_f64<Sum<double>, double>>(request);
    case Opcode::sub: return find_mode<&finished_f64<Difference<double>, double>>(request);
    case Opcode::mul: return find_mode<&finished_f64<Product<double>, double>>(request);
    case Opcode::fma:
    case Opcode::mad: return find_mode<&finished_f64<Fused<double>, double, double>>(request);
    case Opcode::div: return find_mode<&finished_f64<Quotient<double>, double>>(request);
    case Opcode::rcp: return find_mode<&finished_f64<Reciprocal<double>>>(request);
    case Opcode::sqrt: return find_mode<&finished_f64<SquareRoot<double>>>(request);
    default: return request.unsupported();
  }
}

[[gnu::noinline]] double fused_in_mode(double a, double b, double c) { return std::fma(a, b, c); }

}  // namespace

double fused_directed(Rounding rounding, double a, double b, double c) {
  const RoundingMode mode(rounding == Rounding::rz   ? FE_TOWARDZERO
                          : rounding == Rounding::rm ? FE_DOWNWARD
                                                     : FE_UPWARD);
  return fused_in_mode(a, b, c);
}

Found find_directed(const Request& request) {
  return request.type() == Type::f32 ? find_f32_directed(request) : find_f64_directed(request);
}

}  // namespace warpwalk::gpu::alu
