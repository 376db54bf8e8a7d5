#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/ptx/forms/lookup.h"

namespace warpwalk::ptx {

/// One way of writing an instruction, as it stands in the tables of forms_*.cpp.
///
/// suffixes: groups, one suffix of each is written; `?` marks a group that may be left out. A group is a name of a
/// list (form.cpp), or suffixes themselves after what they are: m: modifier, a: action, c: comparison, r: rounding,
/// s: space, A and B: layout of a matrix. "rnd m:ftz? m:sat?", "m:hi|lo".
///
/// types: the types in their order, each a choice of types or of named lists. "f16|f16x2 f32".
///
/// operands: in their order; `?` marks one that may be left out. A letter and what its type is:
// clang-format off
///   d  a register that is written                   D  likewise, the register may be wider
///   s  a register, number or special register       S  likewise, the register may be wider
///   r  a register that is read
///   o  as d, or `_`                                 e  as d, or d|p                     E  d|p
///   v  written, as many as .v2 or .v4 says          V  likewise read; both may be wider, v may have `_`
///   w  what mov writes: d, or {..}                  m  what mov reads: s, an address, or {..}
///   y  as s, or the address of a variable
/// and the type: 0 to 3 the type of this place in the instruction, x twice as wide as type 0, u 32 bits, f f32,
/// b 32 bits that number a barrier, t 32 bits that count threads. Without a type:
///   p  a predicate that is written                  P  likewise, or a pair p|q, or `_`
///   n  p or !p, read                                z  p or u
///   c  as n; there if and only if .and, .or or .xor is
///   k  64 bits; there if and only if .L2::cache_hint is
///   a  an address in a register, 32 or 64 bits      A  [address]                        _  `_`
///   i  a number: ia any, ib a byte, ic 4, 8 or 16, ie 0 to 15, ig 16, il 128, i2 a power of two
///   {  registers in braces: {n as many as .x1 to .x4 say, {a {b {c {d the fragment of this matrix; the first operand's
///      are written, except by stmatrix, whose first is an address
// clang-format on
struct Row {
  Opcode opcode;
  std::string_view suffixes, types, operands;
};

std::span<const Row> arithmetic_rows();
std::span<const Row> float_rows();
std::span<const Row> convert_rows();
std::span<const Row> logic_rows();
std::span<const Row> memory_rows();
std::span<const Row> control_rows();
std::span<const Row> matrix_rows();

/// What one operand may be: a letter of Row::operands.
struct OperandRule {
  char role = 's';
  char type = '0';
  bool optional = false;
};

/// A Row made ready to be compared with an instruction.
struct Form {
  struct Group {
    std::vector<const Suffix*> choices;
    bool optional = false;
  };
  Opcode opcode = Opcode::none;
  std::vector<Group> groups;
  std::vector<std::uint64_t> types;  ///< of each place a bit for each type that it takes
  std::vector<OperandRule> operands;
};

/// The forms of an opcode; empty for those that have a parser of their own (call).
std::span<const Form> forms_of(Opcode opcode);

}  // namespace warpwalk::ptx
