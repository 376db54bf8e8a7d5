#include "core/gpu/alu/floating/approximate.h"

#include "core/gpu/alu/floating/ftz.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

/// a times the reciprocal of b. Both are scaled if b is subnormal; above 2^126 the reciprocal is 0.
float divided(float a, float b) {
  const float by = is_subnormal(b) ? 0x1p24F : 1;
  return canonical(special::reciprocal(b * by) * (a * by));
}
float divided_flushed(float a, float b) {
  const float reciprocal = special::reciprocal(b), factor = flushed(a);
  return canonical(flush_if_tiny(tiny_product(reciprocal, factor), reciprocal * factor));
}

/// div.full supports the full range of b.
float full_quotient(float a, float b) {
  const float by = magnitude_of(b) > 0x1p126F ? 0.25F : is_subnormal(b) ? 0x1p24F : 1;
  return canonical(special::reciprocal(b * by) * (a * by));
}
float full_quotient_flushed(float a, float b) {
  const float by = magnitude_of(b) > 0x1p126F ? 0.25F : 1;
  return divided_flushed(flushed(flushed(a) * by), b * by);
}

template <float (*F)(float)>
float finished_approximation(float x) {
  return canonical(F(x));
}

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write only the upper 32 bits. The lower bits of the result are
/// 0.
template <u32 (*F)(u32)>
double of_high_word(double x) {
  return f64_of(u64{F(static_cast<u32>(bits_of(x) >> 32))} << 32);
}

/// rsqrt.approx.f64: one step of Newton's method, which corrects the two rounding errors of the host functions.
double inverse_root(double x) {
  const double y = 1 / std::sqrt(x);
  const double product = x * y;
  const double rest = fused(x, y, -product);
  const double error = fused(-product, y, 1.0) - rest * y;
  const double better = y + y * (error * 0.5);
  const bool usual = x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max();
  return usual ? better : f64_result(y, x);
}

/// The function for .ftz, and the one without it.
template <float (*Flushed)(float), float (*Plain)(float)>
Found either(const Request& request) {
  return request.has(Modifier::ftz) ? request.lanewise<&finished_approximation<Flushed>>()
                                    : request.lanewise<&finished_approximation<Plain>>();
}

Found find_f64_of(const Request& request) {
  const bool ftz = request.has(Modifier::ftz);
  if (request.instruction.opcode == Opcode::rcp && ftz)
    return request.lanewise<&of_high_word<&special::reciprocal_high>>();
  if (request.instruction.opcode == Opcode::rsqrt)
    return ftz ? request.lanewise<&of_high_word<&special::inverse_root_high>>() : request.lanewise<&inverse_root>();
  return request.unsupported();
}

}  // namespace

Found find_approximate(const Request& request) {
  const Opcode opcode = request.instruction.opcode;
  if (request.has(Modifier::full)) {
    if (opcode != Opcode::div || request.type() != Type::f32 || !request.has_only({Modifier::full, Modifier::ftz}))
      return request.unsupported();
    return request.has(Modifier::ftz) ? request.lanewise<&full_quotient_flushed>() : request.lanewise<&full_quotient>();
  }
  if (!request.has_only({Modifier::approx, Modifier::ftz})) return request.unsupported();
  if (request.type() == Type::f64) return find_f64_of(request);
  if (request.type() != Type::f32) return request.unsupported();
  switch (opcode) {
    case Opcode::div:
      return request.has(Modifier::ftz) ? request.lanewise<&divided_flushed>() : request.lanewise<&divided>();
    case Opcode::rcp: return either<&special::reciprocal, &reciprocal_of>(request);
    case Opcode::sqrt: return either<&special::root, &root_of>(request);
    case Opcode::rsqrt: return either<&special::inverse_root, &inverse_root_of>(request);
    case Opcode::sin: return request.lanewise<&sine_of>();
    case Opcode::cos: return request.lanewise<&cosine_of>();
    case Opcode::lg2: return either<&special::logarithm, &logarithm_of>(request);
    case Opcode::ex2: return either<&special::power_of_two, &power_of_two_of>(request);
    case Opcode::tanh: return request.lanewise<&special::hyperbolic_tangent>();
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
