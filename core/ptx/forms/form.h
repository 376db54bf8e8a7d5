#pragma once

// This folder lists the operands, types and modifiers that each PTX instruction may have. core/ptx/parse reads them.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/ptx/lookup.h"

namespace warpwalk::ptx {

/// One valid way to write an instruction, as listed in the tables of forms_*.cpp.
///
/// suffixes: groups; the instruction has one suffix from each. `?` marks an optional group. A group is the name of a
/// list (form.cpp), or the suffixes themselves after the letter of their field: m: modifier, a: action, c: comparison,
/// r: rounding, s: space, A and B: layout of a matrix, N: the shapes of wgmma.mma_async with this k. A second space is
/// that of the source. Examples: "rnd m:ftz? m:sat?", "m:hi|lo", "s:shared::cta m:global".
///
/// types: the types in order, each a choice of types or of named lists. Example: "f16|f16x2 f32".
///
/// operands: the operands in order; `?` marks an optional one. A role letter is followed by a type character:
// clang-format off
///   d  a destination register                       D  same, but the register may be wider
///   s  a register, number or special register       S  same, but the register may be wider
///   r  a source register
///   o  d or `_`                                     e  d or d|p                         E  d|p
///   v  as many destinations as .v2 or .v4 says      V  same for sources; both may be wider, v may contain `_`
///   w  destination of mov: d or {..}                m  source of mov: s, an address or {..}
///   y  s, or the address of a variable
///   H  d of a video instruction, perhaps a part of it: %r1.h0
///   h  s of a video instruction, perhaps a part of it; may be negated in vmad          g  s or -s
/// Type characters: 0 to 3 the instruction's type with this index, x twice as wide as type 0, u 32 bits, f f32,
/// b a 32-bit barrier number, t a 32-bit thread count, m a 32-bit number of bytes that is a multiple of 16, h 16 bits,
/// q 64 bits. Roles without a type:
///   p  a destination predicate                      P  same, or a pair p|q, or `_`
///   n  a source predicate, p or !p                  z  a predicate, or su
///   c  as n; present if and only if the instruction has .and, .or or .xor
///   k  64 bits; present if and only if the instruction has .L2::cache_hint
///   a  an address in a register, 32 or 64 bits      A  [address]                        _  `_`
///   i  a number: ia any, ib a byte, ic 4, 8 or 16, ie 0 to 15, ig 16, il 128, i2 a power of two, in not negative,
///      ir registers of setmaxnreg, is 1 or -1, iz 0 or 1
///   T  [texture, {coordinates}], as many as the geometry has     G  the derivatives of the coordinates, in braces
///   M  [tensor map, {coordinates}], as many as .1d to .5d say    O  offsets of pixels, 16 bits each, in braces
///   X  A of wgmma.mma_async: a descriptor of 64 bits or four registers in braces, which cannot be transposed
///   {  registers in braces: {n as many as .x1 to .x4 say, {a {b {c {d the fragment of this matrix. The first operand
///      is the destination, except for stmatrix, whose first operand is an address
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
std::span<const Row> bulk_rows();
std::span<const Row> control_rows();
std::span<const Row> matrix_rows();
std::span<const Row> texture_rows();
std::span<const Row> video_rows();

/// The rule for one operand: a role letter and a type character of Row::operands.
struct OperandRule {
  char role = 's';
  char type = '0';
  bool optional = false;
};

/// A Row in parsed form, ready to match against an instruction.
struct Form {
  struct Group {
    std::vector<const Suffix*> choices;
    bool optional = false;
  };
  Opcode opcode = Opcode::none;
  std::vector<Group> groups;
  std::vector<std::uint64_t> types;  ///< for each type position, a bit set of the accepted types (bit = Type)
  std::vector<OperandRule> operands;
};

/// Returns the forms of an opcode.
std::span<const Form> forms_of(Opcode opcode);

}  // namespace warpwalk::ptx
