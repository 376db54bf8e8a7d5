#include "core/gpu/alu/floats.h"
#include "core/gpu/alu/fused.h"
#include "core/gpu/alu/minmax.h"
#include "core/gpu/alu/predicate.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;

float sum(float a, float b) { return a + b; }
float difference(float a, float b) { return a - b; }
float product(float a, float b) { return a * b; }
float quotient(float a, float b) { return a / b; }
float reciprocal(float a) { return 1.0F / a; }
float square_root(float a) { return std::sqrt(a); }
float absolute(float a) { return f32_of(bits_of(a) & 0x7fffffffU); }
float negated(float a) { return f32_of(bits_of(a) ^ 0x80000000U); }

/// F between the flushing that .ftz asks for and the end that .sat asks for.
template <auto F, bool Ftz, bool Sat>
struct Finished;

template <class... S, float (*F)(S...), bool Ftz, bool Sat>
struct Finished<F, Ftz, Sat> {
  static float run(S... sources) {
    const float result = Ftz ? flushed(F(flushed(sources)...)) : F(sources...);
    return Sat ? saturated(result) : canonical(result);
  }
};

template <auto F>
Found find_finished(const Request& request) {
  if (!request.only({Modifier::ftz, Modifier::sat})) return request.unknown();
  if (request.has(Modifier::sat))
    return request.has(Modifier::ftz) ? request.lanewise<&Finished<F, true, true>::run>()
                                      : request.lanewise<&Finished<F, false, true>::run>();
  return request.has(Modifier::ftz) ? request.lanewise<&Finished<F, true, false>::run>()
                                    : request.lanewise<&Finished<F, false, false>::run>();
}

Found find_fused(const Request& request) {
  constexpr float (*by_processor)(float, float, float) = fused;
#if defined(__FP_FAST_FMAF)
  return find_finished<by_processor>(request);
#else
  if (request.isa == Isa::wide) return find_finished<by_processor>(request);
  return find_finished<&fused_in_f64>(request);
#endif
}

template <auto F>
Found find_flushed(const Request& request) {
  return request.has(Modifier::ftz) ? request.lanewise<&Finished<F, true, false>::run>()
                                    : request.lanewise<&Finished<F, false, false>::run>();
}

template <auto F>
Found find_unsaturated(const Request& request) {
  return request.only({Modifier::ftz}) ? find_flushed<F>(request) : Found(request.unknown());
}

/// .nan: NaN wins. .xorsign.abs: magnitudes are compared, the result has the product's sign.
template <Extreme E, bool Nan, bool Xorsign>
float chosen(float a, float b) {
  const float x = Xorsign ? absolute(a) : a;
  const float y = Xorsign ? absolute(b) : b;
  const float found = canonical(extreme<E>(x, y));
  const float number = Xorsign ? f32_of(bits_of(found) | ((bits_of(a) ^ bits_of(b)) & 0x80000000U)) : found;
  const float result = found == found ? number : found;
  return Nan && (a != a || b != b) ? f32_of(nan_f32) : result;
}

template <Extreme E>
Found find_extreme(const Request& request) {
  if (!request.only({Modifier::ftz, Modifier::nan, Modifier::xorsign, Modifier::abs}) ||
      request.has(Modifier::xorsign) != request.has(Modifier::abs))
    return request.unknown();
  const bool nan = request.has(Modifier::nan);
  if (request.has(Modifier::xorsign))
    return nan ? find_flushed<&chosen<E, true, true>>(request) : find_flushed<&chosen<E, false, true>>(request);
  return nan ? find_flushed<&chosen<E, true, false>>(request) : find_flushed<&chosen<E, false, false>>(request);
}

/// The sign of a, the rest of b.
float with_sign_of(float a, float b) { return f32_of((bits_of(a) & 0x80000000U) | (bits_of(b) & 0x7fffffffU)); }

}  // namespace

Found find_f32(const Request& request) {
  switch (request.instruction.opcode) {
    case Opcode::add: return find_finished<&sum>(request);
    case Opcode::sub: return find_finished<&difference>(request);
    case Opcode::mul: return find_finished<&product>(request);
    case Opcode::fma:
    case Opcode::mad: return find_fused(request);
    case Opcode::div: return find_unsaturated<&quotient>(request);
    case Opcode::rcp: return find_unsaturated<&reciprocal>(request);
    case Opcode::sqrt: return find_unsaturated<&square_root>(request);
    case Opcode::abs: return find_unsaturated<&absolute>(request);
    case Opcode::neg: return find_unsaturated<&negated>(request);
    case Opcode::min: return find_extreme<Extreme::least>(request);
    case Opcode::max: return find_extreme<Extreme::greatest>(request);
    case Opcode::copysign:
      if (!request.only({})) return request.unknown();
      return request.lanewise<&with_sign_of>();
    case Opcode::testp: return find_testp<float>(request);
    default: return request.unknown();
  }
}

}  // namespace warpwalk::gpu::alu
