#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/compiled/lines/chain.h"

namespace warpwalk::sass {
struct Cubin;
struct CubinFunction;
}  // namespace warpwalk::sass

namespace warpwalk::compiled {

/// The debug locations in the text form of LLVM IR (.llir).
struct LlvmLines {
  std::vector<CodeChain> chains;      ///< each !DILocation with the calls of its inlinedAt
  std::vector<std::int32_t> of_line;  ///< by line, from 0: index in `chains` of its !dbg; -1: it has none
  std::vector<bool> instruction;      ///< by line: an instruction of a function
};

/// Reads it. Accepts any text.
LlvmLines read_llvm_lines(std::string_view llir);

/// The lines of a PTX text with the positions that its .loc directives give them.
struct PtxLines {
  std::vector<CodeChain> chains;      ///< one for each .loc; the first frame's line 0: the compiler gave none
  std::vector<bool> calls_known;      ///< by chain: whether the text says which calls the code is inlined at
  std::vector<std::int32_t> of_line;  ///< by line, from 0: index in `chains` of the .loc in effect; -1: none
  std::vector<bool> instruction;      ///< by line: an instruction
};

/// Reads it. Accepts any text. LLVM writes no `inlined_at` in .loc for Triton's kernels, but the chain of calls as a
/// comment:
///   .loc 2 170 27    // standard.py:170:27 @[ standard.py:191:40 @[ softmax.py:21:29 ] ]
PtxLines read_ptx_lines(std::string_view ptx);

/// Completes the chains from the LLVM IR of the same kernel. Adds folders that the comments leave out, and the calls if
/// PTX does not name them and the LLVM IR has only one chain for the position.
void complete_from_llvm(PtxLines& ptx, const LlvmLines& llvm);

/// The source positions of an instruction.
struct InstructionChain {
  CodeChain chain;            ///< empty: the cubin's line table has no row for it
  bool without_line = false;  ///< its PTX has no line; `chain` is that of the row before
};

/// The chains of all instructions of a function, by index.
std::vector<InstructionChain> instruction_chains(const sass::Cubin& cubin, const sass::CubinFunction& function,
                                                 const PtxLines& ptx);

}  // namespace warpwalk::compiled
