#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/ptx/module.h"

namespace warpwalk::gpu {

constexpr int lanes = 32;

/// The operands of one arithmetic instruction in all 32 lanes of a warp. Each pointer leads to 32 contiguous values, of
/// 2, 4 or 8 bytes as its register is wide (8-bit registers take 2); predicates are a bit per lane.
struct AluCall {
  void* d = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  const void* e =
      nullptr;  ///< a fourth source (bfi); immediates of the instruction's form (lop3's table) are in `immediate`
  std::uint32_t predicate_in = 0;    ///< selp's, setp's and slct's predicate source
  std::uint32_t carry_in = 0;        ///< CC.CF of each lane: after sub.cc and subc.cc set where nothing was borrowed
  std::uint32_t predicate_out = 0;   ///< setp: p
  std::uint32_t predicate_out2 = 0;  ///< setp p|q: q
  std::uint32_t carry_out = 0;
  std::uint64_t immediate = 0;
};

/// Computes all 32 lanes, active or not, reading and writing nothing else; d may be one of the sources. Never traps
/// (division by zero gives what the GPU gives).
using AluFunction = void (*)(AluCall&);

struct Alu {
  AluFunction run = nullptr;
  int d_bytes = 0, a_bytes = 0, b_bytes = 0, c_bytes = 0, e_bytes = 0;  ///< width of each value array; 0: not used
  bool writes_predicate = false, reads_predicate = false, reads_carry = false, writes_carry = false;
  std::uint64_t immediate = 0;  ///< for AluCall::immediate, whenever `run` is called
};

/// The sources a, b, c and e are the instruction's source operands in the order written, without predicates (those go
/// to predicate_in, negated where the operand says so) and without lop3's table. An immediate becomes a value of
/// a_bytes (b_bytes, ...) in every lane. set and setp read predicate_in only where the form combines with a predicate.
///
/// How an arithmetic, logic, conversion or movement instruction is computed; in words why it cannot be ("sub.bf16x2
/// with .sat"), to follow the instruction's line. Instructions that touch memory, other lanes or control flow are not
/// for this function; neither is mma.
std::variant<Alu, std::string> find_alu(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warpwalk::gpu
