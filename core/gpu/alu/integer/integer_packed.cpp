#include "core/gpu/alu/integer/integer.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

/// Applies F to the low and the high halves.
template <class T, T (*F)(T, T), bool Relu = false>
u32 halves(u32 a, u32 b) {
  T low = F(static_cast<T>(a & 0xffffU), static_cast<T>(b & 0xffffU));
  T high = F(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
  if constexpr (Relu) {
    low = maximum<T>(low, 0);
    high = maximum<T>(high, 0);
  }
  return static_cast<u32>(static_cast<u16>(low)) | static_cast<u32>(static_cast<u16>(high)) << 16;
}

}  // namespace

Found find_packed_integer(const Request& request) {
  const Opcode opcode = request.instruction.opcode;
  const bool is_signed = request.type() == Type::s16x2;
  if (is_signed && request.has(Modifier::relu) && request.has_only({Modifier::relu})) {
    if (opcode == Opcode::min) return request.lanewise<&halves<s16, minimum<s16>, true>>();
    if (opcode == Opcode::max) return request.lanewise<&halves<s16, maximum<s16>, true>>();
  }
  if (!request.has_only({})) return request.unsupported();
  if (opcode == Opcode::add) return request.lanewise<&halves<u16, add<u16>>>();
  if (opcode == Opcode::min)
    return is_signed ? request.lanewise<&halves<s16, minimum<s16>>>() : request.lanewise<&halves<u16, minimum<u16>>>();
  if (opcode == Opcode::max)
    return is_signed ? request.lanewise<&halves<s16, maximum<s16>>>() : request.lanewise<&halves<u16, maximum<u16>>>();
  return request.unsupported();
}

}  // namespace warpwalk::gpu::alu
