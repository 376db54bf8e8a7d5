#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

s32 add_saturating(s32 a, s32 b) { return clamp_to<s32>(static_cast<s64>(a) + b); }
s32 subtract_saturating(s32 a, s32 b) { return clamp_to<s32>(static_cast<s64>(a) - b); }

/// Returns a + b + carry. `carry` becomes the carry out of the highest bit.
template <class T>
T add_carried(u32& carry, T a, T b) {
  const T partial = a + b;
  const T sum = partial + carry;
  carry = static_cast<u32>(partial < a) | static_cast<u32>(sum < partial);
  return sum;
}

/// Returns a - b - borrow. The carry is the inverted borrow: a + ~b + carry, as in an adder (and as observed on an H200
/// when addc follows sub.cc).
template <class T>
T subtract_carried(u32& carry, T a, T b) {
  return add_carried<T>(carry, a, static_cast<T>(~b));
}

/// add.cc and sub.cc start without carry or borrow.
template <class T>
T add_first(u32& carry, T a, T b) {
  carry = 0;
  return add_carried(carry, a, b);
}
template <class T>
T subtract_first(u32& carry, T a, T b) {
  carry = 1;
  return subtract_carried(carry, a, b);
}

template <class T>
Found find_carried_add(const Request& request) {
  const Opcode opcode = request.instruction.opcode;
  const bool cc = request.has(Modifier::cc);
  switch (opcode) {
    case Opcode::add: return Carried<&add_first<T>>::alu(false, true);
    case Opcode::sub: return Carried<&subtract_first<T>>::alu(false, true);
    case Opcode::addc: return Carried<&add_carried<T>>::alu(true, cc);
    default: return Carried<&subtract_carried<T>>::alu(true, cc);
  }
}

template <class T>
Found find_plain_add(const Request& request) {
  return request.instruction.opcode == Opcode::add ? request.lanewise<&add<T>>() : request.lanewise<&subtract<T>>();
}

}  // namespace

Found find_add(const Request& request) {
  const Opcode opcode = request.instruction.opcode;
  const Type type = request.type();
  const bool carried = request.has(Modifier::cc) || opcode == Opcode::addc || opcode == Opcode::subc;
  if (carried) {
    if (!request.has_only({Modifier::cc})) return request.unsupported();
    if (type == Type::u32 || type == Type::s32 || type == Type::b32) return find_carried_add<u32>(request);
    if (type == Type::u64 || type == Type::s64 || type == Type::b64) return find_carried_add<u64>(request);
    return request.unsupported();
  }
  if (request.has(Modifier::sat)) {
    if (type != Type::s32 || !request.has_only({Modifier::sat})) return request.unsupported();
    return opcode == Opcode::add ? request.lanewise<&add_saturating>() : request.lanewise<&subtract_saturating>();
  }
  if (!request.has_only({})) return request.unsupported();
  switch (type) {
    case Type::u16:
    case Type::s16: return find_plain_add<u16>(request);
    case Type::u32:
    case Type::s32: return find_plain_add<u32>(request);
    case Type::u64:
    case Type::s64: return find_plain_add<u64>(request);
    default: return request.unsupported();
  }
}

}  // namespace warpwalk::gpu::alu
