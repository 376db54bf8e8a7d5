#include "core/gpu/alu/half.h"

#include "core/gpu/alu/fused.h"
#include "core/gpu/alu/minmax.h"
#include "core/gpu/alu/request.h"
#include "core/gpu/alu/special_function.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

// Operations on halves widened to f32. Rounding a sum, difference or product to 24 bits and then to 11 or 8 gives the
// same result as rounding once (24 >= 2 * 11 + 2).
float sum_half(float a, float b) { return a + b; }
float difference_half(float a, float b) { return a - b; }
float product_half(float a, float b) { return a * b; }
float negated_half(float a) { return -a; }
float absolute_half(float a) { return f32_of(bits_of(a) & 0x7fffffffU); }
/// The product of two f16 is exact in f32. Rounding the sum to odd keeps the bits that the final rounding needs.
float fused_f16(float a, float b, float c) { return sum_to_odd(a * b, c); }
/// The product of two bf16 can exceed the range of f32.
float fused_bf16(float a, float b, float c) {
  return narrowed_to_odd(sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}

template <Extreme E, bool Nan, bool Xorsign>
float chosen_half(float a, float b) {
  const float found = Xorsign ? extreme<E>(absolute_half(a), absolute_half(b)) : extreme<E>(a, b);
  const u32 sign = Xorsign ? (bits_of(a) ^ bits_of(b)) & 0x80000000U : 0;
  return Nan && (a != a || b != b) ? f32_of(nan_f32) : f32_of(bits_of(found) | sign);
}

/// How the result is finished. cut: rounded toward zero (ex2 and tanh, as observed on an H200).
enum class End { none, sat, relu, cut };

template <class H>
H cut(float x) {
  if constexpr (std::is_same_v<H, F16>)
    return cut_f16(x);
  else
    return cut_bf16(x);
}

inline F16 flushed_half(F16 x) { return {static_cast<u16>((x.bits & 0x7c00U) == 0 ? x.bits & 0x8000U : x.bits)}; }
inline Bf16 flushed_half(Bf16 x) { return {static_cast<u16>((x.bits & 0x7f80U) == 0 ? x.bits & 0x8000U : x.bits)}; }

/// .ftz flushes results below this. Results that round to the smallest normal number with 11 (8) bits are kept.
template <class H>
constexpr float min_normal = std::is_same_v<H, F16> ? 0x1.ffep-15F : 0x1.ffp-127F;

template <class H, auto F, bool Ftz, End E>
struct FinishedHalf;

template <class H, class... S, float (*F)(S...), bool Ftz, End E>
struct FinishedHalf<H, F, Ftz, E> {
  static H one(std::conditional_t<true, H, S>... sources) {
    float result = F(widen(Ftz ? flushed_half(sources) : sources)...);
    if constexpr (E == End::sat) result = saturated(result);
    if constexpr (E == End::relu) result = result <= 0 ? 0.0F : result;
    if constexpr (Ftz) result = absolute_half(result) < min_normal<H> ? f32_of(bits_of(result) & 0x80000000U) : result;
    if constexpr (E == End::cut) return cut<H>(result);
    return narrow<H>(result);
  }

  static constexpr int source_count = sizeof...(S);
};

/// Processes Count halves: 32, or 64 for registers with two halves each.
template <class H, auto F, bool Ftz, End E, int Count>
struct Halves {
  using One = FinishedHalf<H, F, Ftz, E>;

  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    const void* const b = call.b;
    const void* const c = call.c;
    void* const d = call.d;
    for (int first = 0; first < Count; first += lanes_per_warp)
      each_lane([&](int lane) {
        const int i = first + lane;
        if constexpr (One::source_count == 1) store<H>(d, i, One::one(load<H>(a, i)));
        if constexpr (One::source_count == 2) store<H>(d, i, One::one(load<H>(a, i), load<H>(b, i)));
        if constexpr (One::source_count == 3) store<H>(d, i, One::one(load<H>(a, i), load<H>(b, i), load<H>(c, i)));
      });
  }

  static Alu alu(Isa isa) {
    constexpr int bytes = Count == lanes_per_warp ? 2 : 4;
    return {.run = Compiled<Halves>::choose(isa),
            .d_bytes = bytes,
            .a_bytes = bytes,
            .b_bytes = One::source_count > 1 ? bytes : 0,
            .c_bytes = One::source_count > 2 ? bytes : 0};
  }
};

template <class H, int Count>
struct Family {
  const Request& request;

  template <auto F, End E = End::none>
  Found with_ftz() const {
    if (!request.has(Modifier::ftz)) return Halves<H, F, false, E, Count>::alu(request.isa);
    // bf16 has no .ftz, except for ex2, which requires it.
    if (std::is_same_v<H, Bf16> && request.instruction.opcode != Opcode::ex2) return request.unsupported();
    return Halves<H, F, true, E, Count>::alu(request.isa);
  }

  template <auto F>
  Found arithmetic() const {
    if (request.has(Modifier::sat) && request.has(Modifier::relu)) return request.unsupported();
    if (request.has(Modifier::sat)) {
      if (std::is_same_v<H, Bf16>) return request.unsupported();
      return with_ftz<F, End::sat>();
    }
    if (request.has(Modifier::relu)) return with_ftz<F, End::relu>();
    return with_ftz<F>();
  }

  template <Extreme E>
  Found extremes() const {
    if (!request.has_only({Modifier::ftz, Modifier::nan, Modifier::xorsign, Modifier::abs}) ||
        request.has(Modifier::xorsign) != request.has(Modifier::abs))
      return request.unsupported();
    const bool nan = request.has(Modifier::nan);
    if (request.has(Modifier::xorsign))
      return nan ? with_ftz<&chosen_half<E, true, true>>() : with_ftz<&chosen_half<E, false, true>>();
    return nan ? with_ftz<&chosen_half<E, true, false>>() : with_ftz<&chosen_half<E, false, false>>();
  }

  Found found() const {
    const Opcode opcode = request.instruction.opcode;
    const bool rn =
        request.instruction.rounding == ptx::Rounding::rn || request.instruction.rounding == ptx::Rounding::none;
    if (!rn) return request.unsupported();
    switch (opcode) {
      case Opcode::add:
        return request.has_only({Modifier::ftz, Modifier::sat}) ? arithmetic<&sum_half>()
                                                                : Found(request.unsupported());
      case Opcode::sub:
        return request.has_only({Modifier::ftz, Modifier::sat}) ? arithmetic<&difference_half>()
                                                                : Found(request.unsupported());
      case Opcode::mul:
        return request.has_only({Modifier::ftz, Modifier::sat}) ? arithmetic<&product_half>()
                                                                : Found(request.unsupported());
      case Opcode::fma:
        if (!request.has_only({Modifier::ftz, Modifier::sat, Modifier::relu})) return request.unsupported();
        if constexpr (std::is_same_v<H, F16>) return arithmetic<&fused_f16>();
        return arithmetic<&fused_bf16>();
      case Opcode::neg:
        return request.has_only({Modifier::ftz}) ? with_ftz<&negated_half>() : Found(request.unsupported());
      case Opcode::abs:
        return request.has_only({Modifier::ftz}) ? with_ftz<&absolute_half>() : Found(request.unsupported());
      case Opcode::min: return extremes<Extreme::least>();
      case Opcode::max: return extremes<Extreme::greatest>();
      case Opcode::ex2:
        return request.has_only({Modifier::approx, Modifier::ftz}) ? with_ftz<&special::power_of_two, End::cut>()
                                                                   : Found(request.unsupported());
      case Opcode::tanh:
        return request.has_only({Modifier::approx}) ? with_ftz<&special::hyperbolic_tangent, End::cut>()
                                                    : Found(request.unsupported());
      default: return request.unsupported();
    }
  }
};

}  // namespace

Found find_half(const Request& request) {
  switch (request.type()) {
    case Type::f16: return Family<F16, lanes_per_warp>{request}.found();
    case Type::f16x2: return Family<F16, 2 * lanes_per_warp>{request}.found();
    case Type::bf16: return Family<Bf16, lanes_per_warp>{request}.found();
    case Type::bf16x2: return Family<Bf16, 2 * lanes_per_warp>{request}.found();
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
