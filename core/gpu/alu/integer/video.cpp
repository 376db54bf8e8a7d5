#include "core/gpu/alu/request.h"

#include <algorithm>

namespace warpwalk::gpu::alu {
namespace {

using ptx::Modifier;
using ptx::Opcode;

constexpr u64 a_is_signed = 1, b_is_signed = 2, d_is_signed = 4, saturates = 8, adds = 16, of_halves = 32;

/// Computes |a - b| for each part, returned as parts or as their sum with c (PTX ISA 9.0, "vabsdiff4").
u32 absolute_differences(u64 form, u32 a, u32 b, u32 c) {
  const int bits = (form & of_halves) != 0 ? 16 : 8;
  const u32 mask = (1U << bits) - 1;
  const auto part = [&](u32 value, int at, bool is_signed) {
    const auto raw = static_cast<s32>(value >> at & mask);
    return is_signed && (raw >> (bits - 1)) != 0 ? raw - (1 << bits) : raw;
  };
  const s32 max_part = static_cast<s32>((form & d_is_signed) != 0 ? mask >> 1 : mask);
  u32 parts = 0, sum = c;
  for (int at = 0; at < 32; at += bits) {
    const s32 difference = part(a, at, (form & a_is_signed) != 0) - part(b, at, (form & b_is_signed) != 0);
    s32 magnitude = difference < 0 ? -difference : difference;
    sum += static_cast<u32>(magnitude);
    if ((form & saturates) != 0) magnitude = std::min(magnitude, max_part);
    parts |= (static_cast<u32>(magnitude) & mask) << at;
  }
  return (form & adds) != 0 ? sum : parts;
}

}  // namespace

Found find_video(const Request& request) {
  if (!request.has_only({Modifier::sat})) return request.unsupported();
  u64 form = 0;
  if (ptx::is_signed(request.type(0))) form |= d_is_signed;
  if (ptx::is_signed(request.type(1))) form |= a_is_signed;
  if (ptx::is_signed(request.type(2))) form |= b_is_signed;
  if (request.has(Modifier::sat)) form |= saturates;
  if (request.instruction.action == ptx::Action::add) form |= adds;
  if (request.instruction.opcode == Opcode::vabsdiff2) form |= of_halves;
  return request.formed<&absolute_differences>(form);
}

}  // namespace warpwalk::gpu::alu
