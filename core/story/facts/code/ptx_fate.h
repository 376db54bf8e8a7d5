#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ptx/module.h"
#include "core/sass/forms/decode.h"

namespace warpwalk::story {

/// How ptxas translated one PTX instruction, according to the line table of the cubin and the two instruction lists.
struct PtxFate {
  enum class Kind : std::uint8_t {
    kept,      ///< one machine instruction
    expanded,  ///< a sequence of machine instructions
    unrolled,  ///< copies, because ptxas unrolled the loop around it
    merged,    ///< another PTX instruction's machine instruction does its work, too
    operand,   ///< a constant, parameter or register that became an operand of other instructions
    removed    ///< no machine instruction does its work
  };
  std::uint32_t line = 0;  ///< of the PTX
  Kind kind = Kind::removed;
  std::vector<std::uint32_t> sass;  ///< its machine instructions, as indices into the code
  std::uint32_t copies = 1;         ///< unrolled: of its most frequent machine instruction
  std::uint32_t into = 0;           ///< merged: the PTX line of the other instruction
  std::int32_t moved = 0;           ///< places up (or down, if negative) among the instructions of its block
  bool uniform = false;             ///< all of its machine instructions run once per warp, on uniform registers
};

/// The translation of each instruction of a function's PTX, in the order of the text.
///
/// `lines` has the PTX line of each machine instruction; 0: none. An instruction without a machine instruction of its
/// own is merged if a wider load of the same block reads its address, or if an instruction that uses its result has
/// one; a copy or a parameter became an operand. A loop counts as unrolled if each of its loads, stores and
/// floating-point operations occurs more than once. If the order of a block's instructions changed, the smallest set of
/// instructions that explains the change counts as moved.
std::vector<PtxFate> ptx_fates(const ptx::Function& function, std::span<const sass::Decoded> code,
                               std::span<const std::uint32_t> lines);

}  // namespace warpwalk::story
