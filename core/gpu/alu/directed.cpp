// Compiled with -frounding-math: the host's rounding mode is set around the loops here.
#include <cfenv>

#include "core/gpu/alu/floats.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;

/// Sets the thread's rounding mode for as long as it lives.
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
T sum(T a, T b) {
  return a + b;
}
template <class T>
T difference(T a, T b) {
  return a - b;
}
template <class T>
T product(T a, T b) {
  return a * b;
}
template <class T>
T quotient(T a, T b) {
  return a / b;
}
template <class T>
T reciprocal(T a) {
  return T{1} / a;
}
template <class T>
T square_root(T a) {
  return std::sqrt(a);
}
float fused(float a, float b, float c) { return std::fma(a, b, c); }
double fused(double a, double b, double c) { return std::fma(a, b, c); }

/// F as the f32 or f64 instructions end it.
template <auto F, bool Ftz, bool Sat>
struct Finished;

template <class T, class... S, T (*F)(S...), bool Ftz, bool Sat>
struct Finished<F, Ftz, Sat> {
  static T run(S... sources) {
    if constexpr (std::is_same_v<T, double>) {
      return f64_result(F(sources...), sources...);
    } else {
      const float result = Ftz ? flushed(F(flushed(sources)...)) : F(sources...);
      return Sat ? saturated(result) : canonical(result);
    }
  }
};

/// The loop stays a function of its own, so that nothing of it moves across the change of mode.
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
    default: return request.unknown();
  }
  return alu;
}

template <auto F>
Found find_f32_of(const Request& request, bool has_sat) {
  if (!request.only({Modifier::ftz, Modifier::sat}) || (request.has(Modifier::sat) && !has_sat))
    return request.unknown();
  if (request.has(Modifier::sat))
    return request.has(Modifier::ftz) ? find_mode<&Finished<F, true, true>::run>(request)
                                      : find_mode<&Finished<F, false, true>::run>(request);
  return request.has(Modifier::ftz) ? find_mode<&Finished<F, true, false>::run>(request)
                                    : find_mode<&Finished<F, false, false>::run>(request);
}

template <auto F>
Found find_f64_of(const Request& request) {
  if (!request.only({})) return request.unknown();
  return find_mode<&Finished<F, false, false>::run>(request);
}

template <class T, auto F>
Found find_of(const Request& request, bool has_sat) {
  if constexpr (std::is_same_v<T, float>) return find_f32_of<F>(request, has_sat);
  return find_f64_of<F>(request);
}

template <class T>
Found find_type(const Request& request) {
  constexpr T (*fused_of)(T, T, T) = fused;
  switch (request.instruction.opcode) {
    case Opcode::add: return find_of<T, &sum<T>>(request, true);
    case Opcode::sub: return find_of<T, &difference<T>>(request, true);
    case Opcode::mul: return find_of<T, &product<T>>(request, true);
    case Opcode::fma:
    case Opcode::mad: return find_of<T, fused_of>(request, true);
    case Opcode::div: return find_of<T, &quotient<T>>(request, false);
    case Opcode::rcp: return find_of<T, &reciprocal<T>>(request, false);
    case Opcode::sqrt: return find_of<T, &square_root<T>>(request, false);
    default: return request.unknown();
  }
}

}  // namespace

Found find_directed(const Request& request) {
  return request.type() == Type::f32 ? find_type<float>(request) : find_type<double>(request);
}

}  // namespace warpwalk::gpu::alu
