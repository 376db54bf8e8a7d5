#include <optional>

#include "core/gpu/alu/half.h"
#include "core/gpu/alu/per_lane.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Action;
using ptx::Compare;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

/// The encoding of `immediate` for set and setp. Bits 0-1: how the comparison is combined with predicate_in; bit 2: d
/// has 2-byte values; bits 32-63: the value for true.
enum class Combine : u32 { nothing, conjunction, disjunction, difference };
constexpr u64 narrow_result = 4;

u32 combine(u64 form, u32 compared, u32 predicate) {
  switch (static_cast<Combine>(form & 3)) {
    case Combine::nothing: return compared;
    case Combine::conjunction: return compared & predicate;
    case Combine::disjunction: return compared | predicate;
    case Combine::difference: return compared ^ predicate;
  }
  return compared;
}

/// Writes the result of set: the value for true if the lane's bit is set, else 0.
template <class T>
void write_set_result(void* d, u32 mask, u64 form) {
  const T yes = static_cast<T>(form >> 32);
  each_lane([&](int lane) { store<T>(d, lane, bit(mask, lane) ? yes : T{0}); });
}

/// p = F(a, b) and q = not F(a, b), each combined with predicate_in. For set, also writes d.
template <auto F>
struct Comparison;

template <class T, bool (*F)(T, T)>
struct Comparison<F> {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    const void* const b = call.b;
    std::array<u8, lanes_per_warp> flags;
    each_lane([&](int lane) { flags[static_cast<std::size_t>(lane)] = F(load<T>(a, lane), load<T>(b, lane)); });
    const u32 mask = mask_of(flags);
    call.predicate_out = combine(call.immediate, mask, call.predicate_in);
    call.predicate_out2 = combine(call.immediate, ~mask, call.predicate_in);
    if (call.d == nullptr) return;
    if ((call.immediate & narrow_result) != 0)
      write_set_result<u16>(call.d, call.predicate_out, call.immediate);
    else
      write_set_result<u32>(call.d, call.predicate_out, call.immediate);
  }
};

/// Two halves per lane: setp writes p for the low half and q for the high half; set writes both to d.
template <auto F>
struct PairComparison;

template <class T, bool (*F)(T, T)>
struct PairComparison<F> {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    const void* const b = call.b;
    std::array<u8, lanes_per_warp> low;
    std::array<u8, lanes_per_warp> high;
    each_lane([&](int lane) {
      const u32 x = load<u32>(a, lane);
      const u32 y = load<u32>(b, lane);
      low[static_cast<std::size_t>(lane)] = F({static_cast<u16>(x)}, {static_cast<u16>(y)});
      high[static_cast<std::size_t>(lane)] = F({static_cast<u16>(x >> 16)}, {static_cast<u16>(y >> 16)});
    });
    call.predicate_out = combine(call.immediate, mask_of(low), call.predicate_in);
    call.predicate_out2 = combine(call.immediate, mask_of(high), call.predicate_in);
    if (call.d == nullptr) return;
    const u32 yes = static_cast<u32>(call.immediate >> 32);
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      store<u32>(call.d, lane,
                 (bit(call.predicate_out, lane) ? yes & 0xffffU : 0) |
                     (bit(call.predicate_out2, lane) ? yes & 0xffff0000U : 0));
  }
};

template <class T, Compare C>
bool holds(T a, T b) {
  switch (C) {
    case Compare::eq: return a == b;
    case Compare::ne: return a < b || a > b;
    case Compare::lt: return a < b;
    case Compare::le: return a <= b;
    case Compare::gt: return a > b;
    case Compare::ge: return a >= b;
    case Compare::equ: return !(a < b || a > b);
    case Compare::neu: return a != b;
    case Compare::ltu: return !(a >= b);
    case Compare::leu: return !(a > b);
    case Compare::gtu: return !(a <= b);
    case Compare::geu: return !(a < b);
    case Compare::num: return a == a && b == b;
    case Compare::nan: return a != a || b != b;
    default: return false;
  }
}

template <Compare C>
bool holds_flushed(float a, float b) {
  return holds<float, C>(flushed(a), flushed(b));
}

template <class H, Compare C>
bool holds_half(H a, H b) {
  return holds<float, C>(widen(a), widen(b));
}

/// .ftz of f16: subnormals compare as zeros.
template <Compare C>
bool holds_half_flushed(F16 a, F16 b) {
  const auto zeroed = [](F16 x) { return F16{static_cast<u16>((x.bits & 0x7c00U) == 0 ? x.bits & 0x8000U : x.bits)}; };
  return holds_half<F16, C>(zeroed(a), zeroed(b));
}

template <Compare C>
using Constant = std::integral_constant<Compare, C>;

/// Calls with(Constant<compare>) if `compare` is among `Known`; returns null otherwise.
template <Compare... Known, class With>
AluFunction for_compare(Compare compare, With with) {
  AluFunction found = nullptr;
  static_cast<void>(((compare == Known && (found = with(Constant<Known>()), true)) || ...));
  return found;
}

template <class With>
AluFunction for_float_compare(Compare compare, With with) {
  return for_compare<Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge, Compare::equ,
                     Compare::neu, Compare::ltu, Compare::leu, Compare::gtu, Compare::geu, Compare::num, Compare::nan>(
      compare, with);
}

template <class T>
AluFunction integer_comparison(const Request& request) {
  Compare compare = request.instruction.compare;
  // lo, ls, hi and hs are the unsigned forms of lt, le, gt and ge.
  if (std::is_unsigned_v<T>) {
    if (compare == Compare::lo) compare = Compare::lt;
    if (compare == Compare::ls) compare = Compare::le;
    if (compare == Compare::hi) compare = Compare::gt;
    if (compare == Compare::hs) compare = Compare::ge;
  }
  if (!request.has_only({})) return nullptr;
  return for_compare<Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge>(
      compare, [&](auto c) { return Compiled<Comparison<&holds<T, c()>>>::choose(request.isa); });
}

template <class T>
AluFunction bits_comparison(const Request& request) {
  const Compare compare = request.instruction.compare;
  return compare == Compare::eq || compare == Compare::ne ? integer_comparison<T>(request) : nullptr;
}

template <class T>
AluFunction float_comparison(const Request& request) {
  if (!request.has_only({})) return nullptr;
  return for_float_compare(request.instruction.compare,
                           [&](auto c) { return Compiled<Comparison<&holds<T, c()>>>::choose(request.isa); });
}

AluFunction flushed_comparison(const Request& request) {
  if (!request.has_only({Modifier::ftz})) return nullptr;
  return for_float_compare(request.instruction.compare,
                           [&](auto c) { return Compiled<Comparison<&holds_flushed<c()>>>::choose(request.isa); });
}

template <class H>
AluFunction half_comparison(const Request& request, bool pair) {
  const Compare compare = request.instruction.compare;
  if (request.has(Modifier::ftz)) {
    if (!std::is_same_v<H, F16> || !request.has_only({Modifier::ftz})) return nullptr;
    return for_float_compare(compare, [&](auto c) {
      return pair ? Compiled<PairComparison<&holds_half_flushed<c()>>>::choose(Isa::baseline)
                  : Compiled<Comparison<&holds_half_flushed<c()>>>::choose(Isa::baseline);
    });
  }
  if (!request.has_only({})) return nullptr;
  return for_float_compare(compare, [&](auto c) {
    return pair ? Compiled<PairComparison<&holds_half<H, c()>>>::choose(request.isa)
                : Compiled<Comparison<&holds_half<H, c()>>>::choose(request.isa);
  });
}

AluFunction comparison_of(const Request& request, Type compared) {
  switch (compared) {
    case Type::b16: return bits_comparison<u16>(request);
    case Type::b32: return bits_comparison<u32>(request);
    case Type::b64: return bits_comparison<u64>(request);
    case Type::u16: return integer_comparison<u16>(request);
    case Type::u32: return integer_comparison<u32>(request);
    case Type::u64: return integer_comparison<u64>(request);
    case Type::s16: return integer_comparison<s16>(request);
    case Type::s32: return integer_comparison<s32>(request);
    case Type::s64: return integer_comparison<s64>(request);
    case Type::f32: return request.has(Modifier::ftz) ? flushed_comparison(request) : float_comparison<float>(request);
    case Type::f64: return float_comparison<double>(request);
    case Type::f16: return half_comparison<F16>(request, false);
    case Type::bf16: return half_comparison<Bf16>(request, false);
    case Type::f16x2: return half_comparison<F16>(request, true);
    case Type::bf16x2: return half_comparison<Bf16>(request, true);
    default: return nullptr;
  }
}

std::optional<Combine> meets_of(Action action) {
  switch (action) {
    case Action::none: return Combine::nothing;
    case Action::and_: return Combine::conjunction;
    case Action::or_: return Combine::disjunction;
    case Action::xor_: return Combine::difference;
    default: return {};
  }
}

/// The bits that set writes for true in d's type (2 or 4 bytes); nullopt if set does not support the type.
std::optional<u32> truth_of(Type type) {
  switch (type) {
    case Type::u32:
    case Type::s32: return 0xffffffffU;
    case Type::u16:
    case Type::s16: return 0xffffU;
    case Type::f32: return bits_of(1.0F);
    case Type::f16: return 0x3c00U;
    case Type::bf16: return 0x3f80U;
    case Type::f16x2: return 0x3c003c00U;
    case Type::bf16x2: return 0x3f803f80U;
    default: return {};
  }
}

}  // namespace

Found find_compare(const Request& request) {
  const bool set = request.instruction.opcode == Opcode::set;
  const Type compared = request.type(set ? 1 : 0);
  const AluFunction run = comparison_of(request, compared);
  const std::optional<Combine> meets = meets_of(request.instruction.action);
  if (run == nullptr || !meets) return request.unsupported();

  Alu alu;
  alu.run = run;
  alu.a_bytes = alu.b_bytes = ptx::bytes_of(compared);
  alu.reads_predicate = *meets != Combine::nothing;
  alu.immediate = static_cast<u64>(*meets);
  if (!set) {
    alu.writes_predicate = true;
    return alu;
  }
  const std::optional<u32> truth = truth_of(request.type(0));
  if (!truth) return request.unsupported();
  alu.d_bytes = ptx::bytes_of(request.type(0));
  if (alu.d_bytes == 2) alu.immediate |= narrow_result;
  alu.immediate |= static_cast<u64>(*truth) << 32;
  return alu;
}

}  // namespace warpwalk::gpu::alu
