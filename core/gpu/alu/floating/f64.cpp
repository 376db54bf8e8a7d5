#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/floating/fused.h"
#include "core/gpu/alu/floating/predicate.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Opcode;

double sum_f64(double a, double b) { return a + b; }
double difference_f64(double a, double b) { return a - b; }
double product_f64(double a, double b) { return a * b; }
double reciprocal_f64(double a) { return 1.0 / a; }
double square_root_f64(double a) { return std::sqrt(a); }
double absolute_f64(double a) { return f64_of(bits_of(a) & 0x7fffffffffffffffU); }
/// abs and neg keep the sign of a NaN.
double absolute_number(double a) { return a == a ? absolute_f64(a) : quiet(a); }
double negated_number(double a) { return a == a ? -a : quiet(a); }
double with_sign_of_f64(double a, double b) {
  return f64_of((bits_of(a) & 0x8000000000000000U) | bits_of(absolute_f64(b)));
}

/// F with the NaN of f64 instructions.
template <auto F>
struct FinishedF64;

template <class... S, double (*F)(S...)>
struct FinishedF64<F> {
  static double run(S... sources) { return f64_result(F(sources...), sources...); }
};

/// If both operands are NaN, div returns the first (observed on an H200).
double quotient_number(double a, double b) { return a != a ? quiet(a) : f64_result(a / b, a, b); }

template <Extreme E>
double chosen_f64(double a, double b) {
  return extreme<E>(a, b);
}

}  // namespace

Found find_f64(const Request& request) {
  if (!request.has_only({})) return request.unsupported();
  constexpr double (*fused_f64)(double, double, double) = fused;
  switch (request.instruction.opcode) {
    case Opcode::add: return request.lanewise<&FinishedF64<&sum_f64>::run>();
    case Opcode::sub: return request.lanewise<&FinishedF64<&difference_f64>::run>();
    case Opcode::mul: return request.lanewise<&FinishedF64<&product_f64>::run>();
    case Opcode::fma:
    case Opcode::mad: return request.lanewise<&FinishedF64<fused_f64>::run>();
    case Opcode::div: return request.lanewise<&quotient_number>();
    case Opcode::rcp: return request.lanewise<&FinishedF64<&reciprocal_f64>::run>();
    case Opcode::sqrt: return request.lanewise<&FinishedF64<&square_root_f64>::run>();
    case Opcode::abs: return request.lanewise<&absolute_number>();
    case Opcode::neg: return request.lanewise<&negated_number>();
    case Opcode::copysign: return request.lanewise<&with_sign_of_f64>();
    case Opcode::min: return request.lanewise<&FinishedF64<&chosen_f64<Extreme::least>>::run>();
    case Opcode::max: return request.lanewise<&FinishedF64<&chosen_f64<Extreme::greatest>>::run>();
    case Opcode::testp: return find_testp<double>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
