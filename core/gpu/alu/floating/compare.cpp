#include <optional>

#include "core/gpu/alu/floating/half.h"
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
/// has 2-byte values; bit 3: subnormals compare as zeros; bits 8-11: the relations for which the comparison holds; bits
/// 32-63: the value for true.
enum class Combine : u32 { nothing, conjunction, disjunction, difference };
constexpr u64 narrow_result = 4, flushes = 8;
constexpr int relations_shift = 8;

/// How two numbers relate. A comparison holds for a set of relations.
enum Relation : u32 { less = 1, equal = 2, greater = 4, unordered = 8 };

u32 relations_of(Compare compare) {
  switch (compare) {
    case Compare::eq: return equal;
    case Compare::ne: return less | greater;
    case Compare::lt: return less;
    case Compare::le: return less | equal;
    case Compare::gt: return greater;
    case Compare::ge: return greater | equal;
    case Compare::equ: return equal | unordered;
    case Compare::neu: return less | greater | unordered;
    case Compare::ltu: return less | unordered;
    case Compare::leu: return less | equal | unordered;
    case Compare::gtu: return greater | unordered;
    case Compare::geu: return greater | equal | unordered;
    case Compare::num: return less | equal | greater;
    case Compare::nan: return unordered;
    default: return 0;
  }
}

template <class T>
u32 relation(T a, T b) {
  return (a < b ? less : 0U) | (a == b ? equal : 0U) | (a > b ? greater : 0U) | (a != a || b != b ? unordered : 0U);
}

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

/// Writes p = the lanes in `mask` and q = the other ones, each combined with predicate_in. For set, also writes d.
[[gnu::always_inline]] inline void write_comparison(AluCall& call, u32 mask) {
  call.predicate_out = combine(call.immediate, mask, call.predicate_in);
  call.predicate_out2 = combine(call.immediate, ~mask, call.predicate_in);
  if (call.d == nullptr) return;
  if ((call.immediate & narrow_result) != 0)
    write_set_result<u16>(call.d, call.predicate_out, call.immediate);
  else
    write_set_result<u32>(call.d, call.predicate_out, call.immediate);
}

/// The comparison F(a, b) in a loop of its own.
template <auto F>
struct Comparison;

template <class T, bool (*F)(T, T)>
struct Comparison<F> {
  [[gnu::always_inline]] static void run(AluCall& call) {
    const void* const a = call.a;
    const void* const b = call.b;
    std::array<u8, lanes_per_warp> flags;
    each_lane([&](int lane) { flags[static_cast<std::size_t>(lane)] = F(load<T>(a, lane), load<T>(b, lane)); });
    write_comparison(call, mask_of(flags));
  }
};

float compared_value(F16 x, bool flush) {
  const u32 bits = flush && (x.bits & 0x7c00U) == 0 ? x.bits & 0x8000U : x.bits;
  return widen(F16{static_cast<u16>(bits)});
}
float compared_value(Bf16 x, bool) { return widen(x); }

/// All comparisons of a type of two bytes in one loop: `immediate` has the relations. First is the first half in a,
/// Step the halves from one lane to the next.
template <class H, int First, int Step>
[[gnu::always_inline]] inline u32 half_mask(const AluCall& call) {
  const void* const a = call.a;
  const void* const b = call.b;
  const u32 wanted = static_cast<u32>(call.immediate >> relations_shift) & 15;
  const bool flush = (call.immediate & flushes) != 0;
  std::array<u8, lanes_per_warp> flags;
  each_lane([&](int lane) {
    const int i = First + Step * lane;
    const u32 found = relation(compared_value(load<H>(a, i), flush), compared_value(load<H>(b, i), flush));
    flags[static_cast<std::size_t>(lane)] = (found & wanted) != 0;
  });
  return mask_of(flags);
}

template <class H>
struct HalfComparison {
  [[gnu::always_inline]] static void run(AluCall& call) { write_comparison(call, half_mask<H, 0, 1>(call)); }
};

/// Two halves per lane: setp writes p for the low half and q for the high half; set writes both to d.
template <class H>
struct PairComparison {
  [[gnu::always_inline]] static void run(AluCall& call) {
    call.predicate_out = combine(call.immediate, half_mask<H, 0, 2>(call), call.predicate_in);
    call.predicate_out2 = combine(call.immediate, half_mask<H, 1, 2>(call), call.predicate_in);
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
  if (!request.has_only({Modifier::ftz}) || (request.has(Modifier::ftz) && !std::is_same_v<H, F16>)) return nullptr;
  if (relations_of(request.instruction.compare) == 0) return nullptr;
  return pair ? Compiled<PairComparison<H>>::choose(request.isa) : Compiled<HalfComparison<H>>::choose(request.isa);
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
  alu.immediate = static_cast<u64>(*meets) | (request.has(Modifier::ftz) ? flushes : 0) |
                  static_cast<u64>(relations_of(request.instruction.compare)) << relations_shift;
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
