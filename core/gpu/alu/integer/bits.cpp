#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

template <class T>
u32 population(T a) {
  return static_cast<u32>(std::popcount(a));
}

template <class T>
u32 leading_zeros(T a) {
  return static_cast<u32>(std::countl_zero(a));
}

constexpr u32 none_found = 0xffffffffU;

/// bfind: index of the highest set bit, or of the highest clear bit of a negative number; none_found if there is none.
template <class T>
u32 highest(T a) {
  using U = Unsigned<T>;
  const auto bits = static_cast<U>(a < 0 ? ~a : a);
  return bits == 0 ? none_found : static_cast<u32>(std::bit_width(bits) - 1);
}

/// bfind.shiftamt: the left shift that moves this bit to the highest position.
template <class T>
u32 shift_to_highest(T a) {
  const u32 found = highest(a);
  return found == none_found ? none_found : static_cast<u32>(8 * sizeof(T)) - 1 - found;
}

/// Reverses the bits: swaps neighboring bits, then pairs, then groups of four, ...
template <class T>
T reversed(T a) {
  constexpr u64 masks[] = {0x5555555555555555U, 0x3333333333333333U, 0x0f0f0f0f0f0f0f0fU, 0x00ff00ff00ff00ffU,
                           0x0000ffff0000ffffU};
  int distance = 1;
  for (const u64 mask : masks) {
    const T low = static_cast<T>(mask);
    a = static_cast<T>((a >> distance & low) | (a & low) << distance);
    distance *= 2;
  }
  if constexpr (sizeof(T) == 8) a = a >> 32 | a << 32;
  return a;
}

/// A mask of the low `count` bits.
template <class T>
T low_ones(u64 count) {
  return count >= 8 * sizeof(T) ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << count) - 1);
}

/// bfe and bfi use the low byte of their start and length operands. The 64-bit forms use all bits (not in the manual;
/// observed on an H200).
template <class T>
u64 part_of(u32 source) {
  return sizeof(T) == 4 ? source & 0xffU : source;
}

/// bfe: extracts `length` bits of a from bit `start` on. A signed field is extended with its highest bit, or with a's
/// highest bit if the field reaches beyond it.
template <class T>
T field(T a, u32 start, u32 length) {
  using U = Unsigned<T>;
  constexpr u64 width = 8 * sizeof(T);
  const u64 from = part_of<T>(start);
  const u64 count = part_of<T>(length);
  const U bits = from >= width ? U{0} : static_cast<U>(static_cast<U>(a) >> from);
  const U value = bits & low_ones<U>(count);
  if constexpr (std::is_unsigned_v<T>) return value;
  if (count == 0) return 0;
  const u64 top = std::min(from + count - 1, width - 1);
  const bool negative = (static_cast<U>(a) >> top & 1) != 0;
  const u64 kept = std::min(count, width > from ? width - from : 0);
  return static_cast<T>(negative ? value | static_cast<U>(~low_ones<U>(kept)) : value);
}

/// bfi: inserts the low `length` bits of a into b from bit `start` on.
template <class T>
T field_inserted(T a, T b, u32 start, u32 length) {
  constexpr u64 width = 8 * sizeof(T);
  const u64 from = part_of<T>(start);
  if (from >= width) return b;
  const T mask = static_cast<T>(low_ones<T>(part_of<T>(length)) << from);
  return static_cast<T>((b & ~mask) | ((a << from) & mask));
}

/// fns: position of the offset-th set bit from `base` upward, or downward if offset is negative. For offset 0, base
/// itself if its bit is set.
u32 nth_set(u32 mask, u32 base, s32 offset) {
  if (offset == std::numeric_limits<s32>::min()) return 0;
  if (base > 31) return none_found;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : none_found;
  const int step = offset > 0 ? 1 : -1;
  s32 left = offset > 0 ? offset : -offset;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<u32>(at);
  return none_found;
}

/// bmsk: a mask of b ones from bit a on.
u32 ones_clamped(u32 a, u32 b) {
  if (a >= 32) return 0;
  return low_ones<u32>(b) << a;
}
u32 ones_wrapped(u32 a, u32 b) { return low_ones<u32>(b & 31) << (a & 31); }

/// szext: the low b bits of a, extended. 0 if b is 0.
template <class T, bool Wrap>
T extended(T a, u32 b) {
  const u32 count = Wrap ? b & 31 : b;
  if (count >= 32) return a;
  const u32 value = static_cast<u32>(a) & low_ones<u32>(count);
  if (std::is_unsigned_v<T> || count == 0) return static_cast<T>(value);
  return static_cast<T>((value >> (count - 1) & 1) != 0 ? value | ~low_ones<u32>(count) : value);
}

template <class T>
Found find_extended_bits(const Request& request) {
  if (!request.has_only({Modifier::clamp, Modifier::wrap}) ||
      request.has(Modifier::clamp) == request.has(Modifier::wrap))
    return request.unsupported();
  return request.has(Modifier::wrap) ? request.lanewise<&extended<T, true>>() : request.lanewise<&extended<T, false>>();
}

Found find_ones(const Request& request) {
  if (request.type() != Type::b32 || !request.has_only({Modifier::clamp, Modifier::wrap}) ||
      request.has(Modifier::clamp) == request.has(Modifier::wrap))
    return request.unsupported();
  return request.has(Modifier::wrap) ? request.lanewise<&ones_wrapped>() : request.lanewise<&ones_clamped>();
}

/// Looks up an instruction on T. Instructions on .b types have no signed form.
template <class T>
Found find_bits_of(const Request& request) {
  using U = Unsigned<T>;
  const Opcode opcode = request.instruction.opcode;
  if (opcode == Opcode::bfind) {
    if (!request.has_only({Modifier::shiftamt})) return request.unsupported();
    return request.has(Modifier::shiftamt) ? request.lanewise<&shift_to_highest<T>>() : request.lanewise<&highest<T>>();
  }
  if (!request.has_only({})) return request.unsupported();
  if (opcode == Opcode::bfe) return request.lanewise<&field<T>>();
  if (std::is_signed_v<T>) return request.unsupported();
  switch (opcode) {
    case Opcode::popc: return request.lanewise<&population<U>>();
    case Opcode::clz: return request.lanewise<&leading_zeros<U>>();
    case Opcode::brev: return request.lanewise<&reversed<U>>();
    case Opcode::bfi: return request.lanewise<&field_inserted<U>>();
    default: return request.unsupported();
  }
}

}  // namespace

Found find_bits(const Request& request) {
  const Opcode opcode = request.instruction.opcode;
  const Type type = request.type();
  if (opcode == Opcode::bmsk) return find_ones(request);
  if (opcode == Opcode::fns) {
    if (type != Type::b32 || !request.has_only({})) return request.unsupported();
    return request.lanewise<&nth_set>();
  }
  if (opcode == Opcode::szext) {
    if (type == Type::u32) return find_extended_bits<u32>(request);
    if (type == Type::s32) return find_extended_bits<s32>(request);
    return request.unsupported();
  }
  switch (type) {
    case Type::b32:
    case Type::u32: return find_bits_of<u32>(request);
    case Type::s32: return find_bits_of<s32>(request);
    case Type::b64:
    case Type::u64: return find_bits_of<u64>(request);
    case Type::s64: return find_bits_of<s64>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
