#include "core/gpu/alu/floating/half.h"

#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/floating/fused.h"
#include "core/gpu/alu/floating/special_function.h"
#include "core/gpu/alu/request.h"

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

/// How an instruction treats its halves, as AluCall::immediate.
struct HalfForm {
  int count = lanes_per_warp;  ///< or twice as many, in registers with two halves each
  bool ftz = false;
  End end = End::none;
  Isa isa = Isa::baseline;

  u64 packed() const {
    return static_cast<u64>(count) | static_cast<u64>(ftz) << 8 | static_cast<u64>(end) << 9 |
           static_cast<u64>(isa) << 16;
  }
  static HalfForm unpacked(u64 bits) {
    return {static_cast<int>(bits & 0xff), (bits >> 8 & 1) != 0, static_cast<End>(bits >> 9 & 3),
            static_cast<Isa>(bits >> 16)};
  }
};

/// The plain form of an operation: one loop that widens, computes and narrows. With a count known only at run time, gcc
/// 12 does not vectorise it for f16.
template <class H, auto F, int Count>
struct PlainHalf;

template <class H, class... S, float (*F)(S...), int Count>
struct PlainHalf<H, F, Count> {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    const void* const b = call.b;
    const void* const c = call.c;
    void* const d = call.d;
    for (int first = 0; first < Count; first += lanes_per_warp)
      each_lane([&](int lane) {
        const int i = first + lane;
        if constexpr (sizeof...(S) == 1) store<H>(d, i, one(load<H>(a, i)));
        if constexpr (sizeof...(S) == 2) store<H>(d, i, one(load<H>(a, i), load<H>(b, i)));
        if constexpr (sizeof...(S) == 3) store<H>(d, i, one(load<H>(a, i), load<H>(b, i), load<H>(c, i)));
      });
  }

 private:
  static H one(std::conditional_t<true, H, S>... sources) { return narrow<H>(F(widen(sources)...)); }
};

// The other forms work in passes over the lanes' values in f32, each compiled once. Their combinations as loops of
// their own, 268 of them, took 20 s to compile.
using Floats = std::array<float, lanes_per_warp>;

/// Body::run with the arguments, compiled for each instruction set.
template <class Body>
struct Pass {
  template <class... A>
  static void run([[maybe_unused]] Isa isa, A&&... arguments) {
#if defined(__x86_64__)
    if (isa == Isa::wide) return wide(arguments...);
#endif
    baseline(arguments...);
  }

 private:
  template <class... A>
  [[gnu::noinline]] static void baseline(A&... arguments) {
    Body::run(arguments...);
  }
#if defined(__x86_64__)
  template <class... A>
  [[gnu::noinline, gnu::target("avx2,fma")]] static void wide(A&... arguments) {
    Body::run(arguments...);
  }
#endif
};

template <class H>
struct Widened {
  [[gnu::always_inline]] static void run(const void* source, int first, bool ftz, Floats& out) {
    if (ftz)
      each_lane([&](int i) { out[static_cast<std::size_t>(i)] = widen(flushed_half(load<H>(source, first + i))); });
    else
      each_lane([&](int i) { out[static_cast<std::size_t>(i)] = widen(load<H>(source, first + i)); });
  }
};

template <auto F>
struct Computed;

template <class... S, float (*F)(S...)>
struct Computed<F> {
  static constexpr int source_count = sizeof...(S);

  [[gnu::always_inline]] static void run(std::array<Floats, 3>& sources, Floats& out) {
    run(sources, out, std::index_sequence_for<S...>());
  }

 private:
  template <std::size_t... I>
  [[gnu::always_inline]] static void run(std::array<Floats, 3>& sources, Floats& out, std::index_sequence<I...>) {
    each_lane([&](int lane) {
      const auto i = static_cast<std::size_t>(lane);
      out[i] = F(sources[I][i]...);
    });
  }
};

/// `smallest`: results below it are flushed; 0: none.
struct Finished {
  [[gnu::always_inline]] static void run(Floats& results, End end, float smallest) {
    if (end == End::sat)
      for (float& x : results) x = saturated(x);
    if (end == End::relu)
      for (float& x : results) x = (x < 0 ? 0.0F : x) + 0.0F;  // not <=, which clang makes a maximum that keeps -0
    if (smallest > 0)
      for (float& x : results) x = absolute_half(x) < smallest ? f32_of(bits_of(x) & 0x80000000U) : x;
  }
};

template <class H>
struct Narrowed {
  [[gnu::always_inline]] static void run(const Floats& results, bool cuts, void* d, int first) {
    if (cuts)
      each_lane([&](int i) { store<H>(d, first + i, cut<H>(results[static_cast<std::size_t>(i)])); });
    else
      each_lane([&](int i) { store<H>(d, first + i, narrow<H>(results[static_cast<std::size_t>(i)])); });
  }
};

template <class H, auto F>
void run_in_passes(AluCall& call) {
  const HalfForm form = HalfForm::unpacked(call.immediate);
  const std::array<const void*, 3> sources = {call.a, call.b, call.c};
  std::array<Floats, 3> values;
  Floats results;
  for (int first = 0; first < form.count; first += lanes_per_warp) {
    for (std::size_t i = 0; i < Computed<F>::source_count; ++i)
      Pass<Widened<H>>::run(form.isa, sources[i], first, form.ftz, values[i]);
    Pass<Computed<F>>::run(form.isa, values, results);
    if (form.ftz || form.end == End::sat || form.end == End::relu)
      Pass<Finished>::run(form.isa, results, form.end, form.ftz ? min_normal<H> : 0.0F);
    Pass<Narrowed<H>>::run(form.isa, results, form.end == End::cut, call.d, first);
  }
}

/// The NaN that a tensor copy fills in for elements outside the tensor, with either sign, as observed on an H200.
bool is_out_of_bounds(u16 bits) { return (bits & 0x7fff) == 0x7ff7; }

/// fma.oob: the result is 0 if a or b is out of bounds, whatever c is.
template <class H, auto F>
void run_in_bounds(AluCall& call) {
  const HalfForm form = HalfForm::unpacked(call.immediate);
  std::array<u8, 2 * lanes_per_warp> outside{};
  for (int i = 0; i < form.count; ++i)
    outside[static_cast<std::size_t>(i)] =
        is_out_of_bounds(load<u16>(call.a, i)) || is_out_of_bounds(load<u16>(call.b, i));
  run_in_passes<H, F>(call);
  for (int i = 0; i < form.count; ++i)
    if (outside[static_cast<std::size_t>(i)] != 0) store<u16>(call.d, i, 0);
}

template <class H>
struct Family {
  const Request& request;
  int count;  ///< of the halves in 32 registers

  template <auto F>
  Alu with(AluFunction run, const HalfForm& form) const {
    const int bytes = count == lanes_per_warp ? 2 : 4;
    return {.run = run,
            .d_bytes = bytes,
            .a_bytes = bytes,
            .b_bytes = Computed<F>::source_count > 1 ? bytes : 0,
            .c_bytes = Computed<F>::source_count > 2 ? bytes : 0,
            .immediate = form.packed()};
  }

  /// `loop`: the function if nothing is flushed or finished.
  template <auto F>
  Found with_ftz(End end, AluFunction loop) const {
    const bool ftz = request.has(Modifier::ftz);
    // bf16 has no .ftz, except for ex2, which requires it.
    if (ftz && std::is_same_v<H, Bf16> && request.instruction.opcode != Opcode::ex2) return request.unsupported();
    const bool is_plain = !ftz && end == End::none && loop != nullptr;
    return with<F>(is_plain ? loop : &run_in_passes<H, F>, {count, ftz, end, request.isa});
  }

  template <auto F>
  AluFunction plain() const {
    return count == lanes_per_warp ? Compiled<PlainHalf<H, F, lanes_per_warp>>::choose(request.isa)
                                   : Compiled<PlainHalf<H, F, 2 * lanes_per_warp>>::choose(request.isa);
  }

  template <auto F>
  Found arithmetic() const {
    if (request.has(Modifier::sat) && request.has(Modifier::relu)) return request.unsupported();
    if (request.has(Modifier::sat)) {
      if (std::is_same_v<H, Bf16>) return request.unsupported();
      return with_ftz<F>(End::sat, nullptr);
    }
    return with_ftz<F>(request.has(Modifier::relu) ? End::relu : End::none, plain<F>());
  }

  template <auto F>
  Found multiply_add() const {
    if (!request.has_only({Modifier::ftz, Modifier::sat, Modifier::relu, Modifier::oob})) return request.unsupported();
    if (!request.has(Modifier::oob)) return arithmetic<F>();
    const bool sat = request.has(Modifier::sat), relu = request.has(Modifier::relu);
    if (request.has(Modifier::ftz) || (sat && (relu || std::is_same_v<H, Bf16>))) return request.unsupported();
    return with<F>(&run_in_bounds<H, F>, {count, false, sat ? End::sat : relu ? End::relu : End::none, request.isa});
  }

  template <Extreme E>
  Found extremes() const {
    if (!request.has_only({Modifier::ftz, Modifier::nan, Modifier::xorsign, Modifier::abs}) ||
        request.has(Modifier::xorsign) != request.has(Modifier::abs))
      return request.unsupported();
    const bool nan = request.has(Modifier::nan);
    if (request.has(Modifier::xorsign))
      return nan ? with_ftz<&chosen_half<E, true, true>>(End::none, nullptr)
                 : with_ftz<&chosen_half<E, false, true>>(End::none, nullptr);
    if (nan) return with_ftz<&chosen_half<E, true, false>>(End::none, nullptr);
    return with_ftz<&chosen_half<E, false, false>>(End::none, plain<&chosen_half<E, false, false>>());
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
        if constexpr (std::is_same_v<H, F16>) return multiply_add<&fused_f16>();
        return multiply_add<&fused_bf16>();
      case Opcode::neg:
        return request.has_only({Modifier::ftz}) ? with_ftz<&negated_half>(End::none, plain<&negated_half>())
                                                 : Found(request.unsupported());
      case Opcode::abs:
        return request.has_only({Modifier::ftz}) ? with_ftz<&absolute_half>(End::none, plain<&absolute_half>())
                                                 : Found(request.unsupported());
      case Opcode::min: return extremes<Extreme::least>();
      case Opcode::max: return extremes<Extreme::greatest>();
      case Opcode::ex2:
        return request.has_only({Modifier::approx, Modifier::ftz}) ? with_ftz<&special::power_of_two>(End::cut, nullptr)
                                                                   : Found(request.unsupported());
      case Opcode::tanh:
        return request.has_only({Modifier::approx}) ? with_ftz<&special::hyperbolic_tangent>(End::cut, nullptr)
                                                    : Found(request.unsupported());
      default: return request.unsupported();
    }
  }
};

}  // namespace

Found find_half(const Request& request) {
  switch (request.type()) {
    case Type::f16: return Family<F16>{request, lanes_per_warp}.found();
    case Type::f16x2: return Family<F16>{request, 2 * lanes_per_warp}.found();
    case Type::bf16: return Family<Bf16>{request, lanes_per_warp}.found();
    case Type::bf16x2: return Family<Bf16>{request, 2 * lanes_per_warp}.found();
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
