#include "core/gpu/alu/approximate.h"

#include "core/gpu/alu/ftz.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

float reciprocal(float x) { return 1.0F / x; }
float root(float x) { return std::sqrt(x); }

/// a times the approximate reciprocal of b. The reciprocal is 0 if |b| is above 2^126.
float divided(float a, float b) {
  const float zero = f32_of(bits_of(b) & 0x80000000U);
  return magnitude_of(b) > 0x1p126F ? a * zero : a / b;
}

/// div.full supports the full range of b.
float full_quotient(float a, float b) { return a / b; }

template <auto F, bool Ftz>
struct Finished;

template <class... S, float (*F)(S...), bool Ftz>
struct Finished<F, Ftz> {
  static float run(S... sources) {
    if constexpr (!Ftz)
      return canonical(F(sources...));
    else if constexpr (sizeof...(S) == 2)
      return canonical(flush_if_tiny(tiny_quotient(flushed(sources)...), F(flushed(sources)...)));
    else
      return canonical(flushed(F(flushed(sources)...)));
  }
};

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write only the high 32 bits. The low bits of the result are 0.
double high_word(double x) {
  const u64 bits = bits_of(x) & 0xffffffff00000000U;
  return f64_of((bits & 0x7ff0000000000000U) == 0 ? bits & 0x8000000000000000U : bits);
}
double canonical_high_word(double x) { return x == x ? x : f64_of(0x7fffffff00000000U); }
double coarse_reciprocal(double x) { return canonical_high_word(high_word(1 / high_word(x))); }
double coarse_inverse_root(double x) { return canonical_high_word(high_word(1 / std::sqrt(high_word(x)))); }

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

template <auto F>
Found find_f32_of(const Request& request) {
  return request.has(Modifier::ftz) ? request.lanewise<&Finished<F, true>::run>()
                                    : request.lanewise<&Finished<F, false>::run>();
}

Found find_f64_of(const Request& request) {
  const bool ftz = request.has(Modifier::ftz);
  if (request.instruction.opcode == Opcode::rcp && ftz) return request.lanewise<&coarse_reciprocal>();
  if (request.instruction.opcode == Opcode::rsqrt)
    return ftz ? request.lanewise<&coarse_inverse_root>() : request.lanewise<&inverse_root>();
  return request.unsupported();
}

}  // namespace

Found find_approximate(const Request& request) {
  const Opcode opcode = request.instruction.opcode;
  if (request.has(Modifier::full)) {
    if (opcode != Opcode::div || request.type() != Type::f32 || !request.has_only({Modifier::full, Modifier::ftz}))
      return request.unsupported();
    return find_f32_of<&full_quotient>(request);
  }
  if (!request.has_only({Modifier::approx, Modifier::ftz})) return request.unsupported();
  if (request.type() == Type::f64) return find_f64_of(request);
  if (request.type() != Type::f32) return request.unsupported();
  switch (opcode) {
    case Opcode::div: return find_f32_of<&divided>(request);
    case Opcode::rcp: return find_f32_of<&reciprocal>(request);
    case Opcode::sqrt: return find_f32_of<&root>(request);
    case Opcode::rsqrt: return find_f32_of<&rsqrt>(request);
    case Opcode::sin: return find_f32_of<&sine_of>(request);
    case Opcode::cos: return find_f32_of<&cosine_of>(request);
    case Opcode::lg2: return find_f32_of<&lg2>(request);
    case Opcode::ex2: return find_f32_of<&ex2>(request);
    case Opcode::tanh: return find_f32_of<&tanh_of>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
