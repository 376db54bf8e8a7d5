#pragma once

// This folder computes one instruction on 32 lanes, without memory and time. core/gpu/exec calls it.

#include <cstdint>

#include "core/base/result.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

constexpr int lanes_per_warp = 32;

/// The operands of one arithmetic instruction in all 32 lanes of a warp. Each pointer points to 32 contiguous values of
/// 2, 4 or 8 bytes, the width of the register (8-bit registers use 2 bytes). Predicates have one bit per lane.
struct AluCall {
  void* d = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  const void* e = nullptr;           ///< fourth source (bfi)
  std::uint32_t predicate_in = 0;    ///< the predicate source of selp, set, setp and lop3
  std::uint32_t carry_in = 0;        ///< CC.CF of each lane; after sub.cc and subc.cc, a set bit means no borrow
  std::uint32_t predicate_out = 0;   ///< the predicate of setp, testp and lop3
  std::uint32_t predicate_out2 = 0;  ///< the second predicate of setp p|q
  std::uint32_t carry_out = 0;
  std::uint64_t immediate = 0;  ///< parameters of the instruction, e.g. the table of lop3
};

/// Computes all 32 lanes, active or not, and accesses nothing but its operands. d may be one of the sources. Never
/// traps (division by zero gives the GPU's result).
using AluFunction = void (*)(AluCall&);

struct Alu {
  AluFunction run = nullptr;
  int d_bytes = 0, a_bytes = 0, b_bytes = 0, c_bytes = 0, e_bytes = 0;  ///< bytes per value of each array; 0: not used
  bool writes_predicate = false, reads_predicate = false, reads_carry = false, writes_carry = false;
  std::uint64_t immediate = 0;  ///< to be passed as AluCall::immediate in every call of `run`
};

/// Finds the function that computes an arithmetic, logic, conversion or movement instruction. If there is none, returns
/// text that says why, e.g. "sub.bf16x2 with .sat ...", to be appended to the instruction's line. Instructions that
/// access memory, other lanes or control flow are not supported here; neither is mma.
///
/// The sources a, b, c and e are the instruction's source operands in the order written, except predicates (passed in
/// predicate_in, already negated if the operand is) and the table of lop3 (part of `immediate`). An immediate operand
/// is passed as a value of a_bytes (b_bytes, ...) in every lane. set and setp read predicate_in only if they combine
/// the comparison with a predicate.
base::Result<Alu> find_alu(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warpwalk::gpu
