#include "core/gpu/exec/run/atomic_value.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/gpu/alu/floating/half.h"

namespace warpwalk::gpu {

using ptx::Action;
using ptx::Type;

namespace {

/// Flushes a subnormal to zero. f32 atomics flush on global memory but not on shared memory (PTX, atom: "atom.add.f32
/// on global memory flushes subnormal inputs and results; on shared memory it does not").
float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x; }

template <class T>
T combine_integer(Action action, T old, T b, T c) {
  using Unsigned = std::make_unsigned_t<T>;
  switch (action) {
    case Action::add: return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(b));
    case Action::and_: return old & b;
    case Action::or_: return old | b;
    case Action::xor_: return old ^ b;
    case Action::min: return old < b ? old : b;
    case Action::max: return old > b ? old : b;
    case Action::exch: return b;
    case Action::cas: return old == b ? c : old;
    case Action::inc: return old >= b ? T{0} : static_cast<T>(old + 1);
    default: return old == 0 || old > b ? b : static_cast<T>(old - 1);  // dec
  }
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Minima and maxima take -0 as less than +0 (read on an H200).
template <class T>
T combine_float(Action action, T old, T b) {
  const bool zeros = old == T{0} && b == T{0};
  if (zeros && action == Action::min) return std::signbit(old) ? old : b;
  if (zeros && action == Action::max) return std::signbit(old) ? b : old;
  if (action == Action::min) return std::isnan(old) ? b : std::isnan(b) ? old : b < old ? b : old;
  if (action == Action::max) return std::isnan(old) ? b : std::isnan(b) ? old : b > old ? b : old;
  return old + b;
}

template <class Half>
std::uint16_t combine_half(Action action, std::uint64_t old, std::uint64_t b) {
  // An f32 significand has more than twice as many bits, so rounding the f32 sum again gives the correctly rounded sum.
  const float x = alu::widen(Half{static_cast<std::uint16_t>(old)});
  const float y = alu::widen(Half{static_cast<std::uint16_t>(b)});
  return alu::narrow<Half>(combine_float(action, x, y)).bits;
}

template <class Half>
std::uint64_t combine_pair(Action action, std::uint64_t old, std::uint64_t b) {
  return static_cast<std::uint64_t>(combine_half<Half>(action, old >> 16, b >> 16)) << 16 |
         combine_half<Half>(action, old, b);
}

}  // namespace

std::uint64_t atomic_value(Action action, Type type, std::uint64_t old, std::uint64_t b, std::uint64_t c, bool flush) {
  switch (type) {
    case Type::s32:
      return static_cast<std::uint32_t>(combine_integer(action, from_bits<std::int32_t>(old),
                                                        from_bits<std::int32_t>(b), from_bits<std::int32_t>(c)));
    case Type::s64:
      return static_cast<std::uint64_t>(combine_integer(action, from_bits<std::int64_t>(old),
                                                        from_bits<std::int64_t>(b), from_bits<std::int64_t>(c)));
    case Type::u64:
    case Type::b64: return combine_integer(action, old, b, c);
    case Type::b16:
    case Type::u16:
      return static_cast<std::uint16_t>(action == Action::cas ? ((old & 0xffff) == (b & 0xffff) ? c : old) : b);
    case Type::f32: {
      float x = from_bits<float>(old), y = from_bits<float>(b);
      if (flush) x = flushed(x), y = flushed(y);
      float sum = combine_float(action, x, y);
      if (flush) sum = flushed(sum);
      return std::isnan(sum) ? 0x7fffffffu : to_bits(sum);
    }
    case Type::f64: return to_bits(combine_float(action, from_bits<double>(old), from_bits<double>(b)));
    case Type::f16: return combine_half<alu::F16>(action, old, b);
    case Type::bf16: return combine_half<alu::Bf16>(action, old, b);
    case Type::f16x2: return combine_pair<alu::F16>(action, old, b);
    case Type::bf16x2: return combine_pair<alu::Bf16>(action, old, b);
    default:
      return combine_integer(action, static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(b),
                             static_cast<std::uint32_t>(c));
  }
}

}  // namespace warpwalk::gpu
