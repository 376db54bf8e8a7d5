#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/per_lane.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Action;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

/// Amounts beyond the width count as the width; the result is then 0.
template <class T>
T shift_left(T a, u32 amount) {
  constexpr u32 width = 8 * sizeof(T);
  return amount >= width ? T{0} : static_cast<T>(a << amount);
}

/// Right shift. A signed T is filled with its sign.
template <class T>
T shift_right(T a, u32 amount) {
  constexpr u32 width = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (amount >= width ? width - 1 : amount));
  return amount >= width ? T{0} : static_cast<T>(a >> amount);
}

/// shf shifts the 64-bit value b:a. .l returns the high half, .r the low half.
enum class Amount { clamp, wrap };

template <Amount M>
u64 amount_of(u32 c) {
  return M == Amount::wrap ? c & 31U : c < 32 ? c : 32U;
}

template <Amount M>
u32 funnel_left(u32 a, u32 b, u32 c) {
  const u64 both = static_cast<u64>(b) << 32 | a;
  return static_cast<u32>((both << amount_of<M>(c)) >> 32);
}

template <Amount M>
u32 funnel_right(u32 a, u32 b, u32 c) {
  const u64 both = static_cast<u64>(b) << 32 | a;
  return static_cast<u32>(both >> amount_of<M>(c));
}

Found find_funnel(const Request& request) {
  if (request.type() != Type::b32 || !request.has_only({Modifier::l, Modifier::r, Modifier::clamp, Modifier::wrap}) ||
      request.has(Modifier::l) == request.has(Modifier::r) ||
      request.has(Modifier::clamp) == request.has(Modifier::wrap))
    return request.unsupported();
  if (request.has(Modifier::l))
    return request.has(Modifier::wrap) ? request.lanewise<&funnel_left<Amount::wrap>>()
                                       : request.lanewise<&funnel_left<Amount::clamp>>();
  return request.has(Modifier::wrap) ? request.lanewise<&funnel_right<Amount::wrap>>()
                                     : request.lanewise<&funnel_right<Amount::clamp>>();
}

/// The byte of b:a that bits 0-2 of the selector choose. With bit 3, its sign bit repeated eight times.
u32 chosen_byte(u64 both, u32 selector) {
  const auto byte = static_cast<u32>(both >> (8 * (selector & 7))) & 0xffU;
  if ((selector & 8) == 0) return byte;
  return (byte & 0x80U) != 0 ? 0xffU : 0U;
}

u32 permute(u32 a, u32 b, u32 c) {
  const u64 both = static_cast<u64>(b) << 32 | a;
  u32 d = 0;
  for (u32 i = 0; i < 4; ++i) d |= chosen_byte(both, c >> (4 * i)) << (8 * i);
  return d;
}

/// The selectors of a prmt mode: four digits for each value of c's two low bits, starting with c = 0 in the low 16 bits
/// (PTX ISA, "prmt"). 0 if the action is not a mode.
u64 selectors_of(Action action) {
  switch (action) {
    case Action::f4e: return 0x6543543243213210U;
    case Action::b4e: return 0x0123701267015670U;
    case Action::rc8: return 0x3333222211110000U;
    case Action::ecl: return 0x3333322232113210U;
    case Action::ecr: return 0x3210221011100000U;
    case Action::rc16: return 0x3232101032321010U;
    default: return 0;
  }
}

u32 permute_by_mode(u64 selectors, u32 a, u32 b, u32 c) {
  return permute(a, b, static_cast<u32>(selectors >> (16 * (c & 3))));
}

Found find_permute(const Request& request) {
  if (request.type() != Type::b32 || !request.has_only({})) return request.unsupported();
  if (request.instruction.action == Action::none) return request.lanewise<&permute>();
  const u64 selectors = selectors_of(request.instruction.action);
  if (selectors == 0) return request.unsupported();
  return request.formed<&permute_by_mode>(selectors);
}

template <class T>
Found find_shift_of(const Request& request) {
  if (!request.has_only({})) return request.unsupported();
  return request.instruction.opcode == Opcode::shl ? request.lanewise<&shift_left<Unsigned<T>>>()
                                                   : request.lanewise<&shift_right<T>>();
}

}  // namespace

Found find_shift(const Request& request) {
  if (request.instruction.opcode == Opcode::shf) return find_funnel(request);
  if (request.instruction.opcode == Opcode::prmt) return find_permute(request);
  switch (request.type()) {
    case Type::b16:
    case Type::u16: return find_shift_of<u16>(request);
    case Type::s16: return find_shift_of<s16>(request);
    case Type::b32:
    case Type::u32: return find_shift_of<u32>(request);
    case Type::s32: return find_shift_of<s32>(request);
    case Type::b64:
    case Type::u64: return find_shift_of<u64>(request);
    case Type::s64: return find_shift_of<s64>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
