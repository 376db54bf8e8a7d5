#include "core/gpu/alu/per_lane.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

/// Part i of a register with packed values of T.
template <class T>
s32 part(u32 a, int i) {
  return static_cast<T>(a >> (8 * static_cast<int>(sizeof(T)) * i));
}

/// dp4a: c plus the four products of bytes, modulo 2^32.
template <class A, class B>
u32 dot4(u32 a, u32 b, u32 c) {
  u32 sum = c;
  for (int i = 0; i < 4; ++i) sum += static_cast<u32>(part<A>(a, i) * part<B>(b, i));
  return sum;
}

/// dp2a: c plus the products of a's two 16-bit values and b's two low (First = 0) or high (First = 2) bytes.
template <class A, class B, int First>
u32 dot2(u32 a, u32 b, u32 c) {
  u32 sum = c;
  for (int i = 0; i < 2; ++i) sum += static_cast<u32>(part<A>(a, i) * part<B>(b, First + i));
  return sum;
}

template <class A4, class A2, class B>
Found find_dot_of(const Request& request) {
  if (request.instruction.opcode == Opcode::dp4a) {
    if (!request.has_only({})) return request.unsupported();
    return request.lanewise<&dot4<A4, B>>();
  }
  if (!request.has_only({Modifier::lo, Modifier::hi}) || request.has(Modifier::lo) == request.has(Modifier::hi))
    return request.unsupported();
  return request.has(Modifier::hi) ? request.lanewise<&dot2<A2, B, 2>>() : request.lanewise<&dot2<A2, B, 0>>();
}

}  // namespace

Found find_dot(const Request& request) {
  const Type a = request.type(0);
  const Type b = request.type(1);
  if ((a != Type::u32 && a != Type::s32) || (b != Type::u32 && b != Type::s32)) return request.unsupported();
  if (a == Type::s32) return b == Type::s32 ? find_dot_of<s8, s16, s8>(request) : find_dot_of<s8, s16, u8>(request);
  return b == Type::s32 ? find_dot_of<u8, u16, s8>(request) : find_dot_of<u8, u16, u8>(request);
}

}  // namespace warpwalk::gpu::alu
