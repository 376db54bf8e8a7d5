#pragma once

#include <initializer_list>

#include "core/base/result.h"
#include "core/gpu/alu/per_lane.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu::alu {

using Found = base::Result<Alu>;

/// An instruction whose computation is looked up.
struct Request {
  const ptx::Function& function;
  const ptx::Instruction& instruction;
  Isa isa;

  ptx::Type type(std::size_t i = 0) const { return instruction.type(i); }
  bool has(ptx::Modifier modifier) const { return instruction.has(modifier); }
  /// True if all modifiers of the instruction are in `known`.
  bool has_only(std::initializer_list<ptx::Modifier> known) const;
  /// Register width of operand i in bytes; the width of `type` if the operand is an immediate.
  int register_bytes(std::size_t i, ptx::Type type) const;

  /// The error that this form cannot be computed, named as in PTX: "sub.bf16x2 with .sat ...".
  base::Error unsupported() const;

  template <auto F>
  Alu lanewise() const {
    return Lanewise<F>::alu(isa);
  }
  template <auto F>
  Alu formed(u64 immediate) const {
    return Formed<F>::alu(isa, immediate);
  }
};

/// Calls `find.template operator()<T>()` with the instruction's 16- to 64-bit integer type.
template <class Find>
Found for_integer(const Request& request, Find find) {
  switch (request.type()) {
    case ptx::Type::u16: return find.template operator()<u16>();
    case ptx::Type::s16: return find.template operator()<s16>();
    case ptx::Type::u32: return find.template operator()<u32>();
    case ptx::Type::s32: return find.template operator()<s32>();
    case ptx::Type::u64: return find.template operator()<u64>();
    case ptx::Type::s64: return find.template operator()<s64>();
    default: return request.unsupported();
  }
}

// Lookup by family. Each function handles only its own opcodes.
Found find_add(const Request& request);             ///< integer add, sub, addc, subc
Found find_multiply(const Request& request);        ///< integer mul, mad, madc, mul24, mad24, sad
Found find_divide(const Request& request);          ///< integer div, rem
Found find_integer(const Request& request);         ///< integer abs, neg, min, max
Found find_packed_integer(const Request& request);  ///< u16x2 and s16x2 add, min, max
Found find_bits(const Request& request);            ///< popc, clz, bfind, brev, bfe, bfi, fns, bmsk, szext
Found find_dot(const Request& request);             ///< dp4a, dp2a
Found find_logic(const Request& request);           ///< and, or, xor, not, cnot, lop3
Found find_shift(const Request& request);           ///< shl, shr, shf, prmt
Found find_video(const Request& request);           ///< video instructions: vadd, vset4, vmad, ...
Found find_move(const Request& request);            ///< mov, selp, slct
Found find_compare(const Request& request);         ///< set, setp
Found find_f32(const Request& request);       ///< f32 add, sub, mul, mad, fma, div, rcp, sqrt, abs, neg, min, max, ...
Found find_f64(const Request& request);       ///< the same in f64
Found find_directed(const Request& request);  ///< f32 and f64 arithmetic with .rz, .rm or .rp
Found find_half(const Request& request);      ///< f16, f16x2, bf16, bf16x2 arithmetic
Found find_approximate(const Request& request);   ///< .approx and .full
Found find_convert(const Request& request);       ///< cvt
Found find_convert_pack(const Request& request);  ///< cvt.pack

}  // namespace warpwalk::gpu::alu
