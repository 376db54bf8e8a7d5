#pragma once

#include <cstdint>
#include <vector>

#include "core/sass/architecture.h"
#include "core/sass/control.h"
#include "core/sass/encoding.h"
#include "core/sass/opcode.h"
#include "core/sass/word.h"

namespace warpwalk::sass {

constexpr std::uint8_t zero_register = 255;          ///< RZ: reads as 0, writes are discarded
constexpr std::uint8_t zero_uniform_register = 255;  ///< URZ; before sm_100, encodings have 63
constexpr std::uint8_t true_predicate = 7;           ///< PT and UPT

/// A modifier of the opcode: which property of the operation it sets, and its value. Every instruction of a form has
/// the same fields, so a handler can ask for a field without knowing how it is written.
struct Modifier {
  Field field = Field::flag;
  Word word = Word::none;
  bool shown = true;  ///< false for a default that the text omits, such as .RN

  bool operator==(const Modifier&) const = default;
};

enum class OperandKind : std::uint8_t {
  reg,                 ///< R0 to R254, RZ; 64-bit and wider values use consecutive registers
  uniform_reg,         ///< UR0 to UR62 (since sm_100 UR254), URZ: one value per warp
  predicate,           ///< P0 to P6, PT
  uniform_predicate,   ///< UP0 to UP6, UPT
  predicates,          ///< PR: all predicates as a bit mask
  uniform_predicates,  ///< UPR: all uniform predicates as a bit mask
  integer,             ///< an immediate
  f32,                 ///< an immediate; `value` holds its 32 bits
  f64_high,            ///< an immediate; `value` holds the upper 32 bits of a double whose other bits are zero
  f16_pair,            ///< two f16 immediates; `value` holds both, the second one in the low half
  bf16_pair,           ///< two bf16 immediates, likewise
  constant,            ///< c[bank][offset]: a constant bank, optionally indexed by a register
  address,             ///< a memory address: register + uniform register + offset
  word,                ///< `suffix`: a property written between the operands, such as the shape of a texture
  special_reg,         ///< SR_TID.X and so on; `value` is its number (special_register.h)
  barrier,             ///< B0 to B15: a convergence barrier; from 16 on, state of the warp that BMOV reads and writes
  scoreboard,          ///< SB0 to SB5
  scoreboard_set,      ///< the set bits of `value`, written {2,0}
  group_scoreboard,    ///< gsb0: what WARPGROUP.DEPBAR waits for
  descriptor,          ///< desc[UR4]: how a bulk copy uses the caches
  matrix_descriptor,   ///< gdesc[UR4]: matrices in shared memory; the suffix negates or transposes them
  swizzle_signs,       ///< PPPNNPNP: the signs that FSWZADD gives to its sources in the four lanes of a quad
  return_pc,           ///< Rpc: half of the return address of RPCMOV
  target,              ///< the address of an instruction, in bytes from the start of the function
  branch_offset        ///< bytes, added to the register before it and the address of the next instruction
};

/// How the base register of an address is read.
enum class AddressWidth : std::uint8_t { bits_32, unsigned_32, bits_64 };

/// An operand. `reg` is the number of a register, predicate or barrier, depending on `kind`.
struct Operand {
  OperandKind kind = OperandKind::reg;
  bool shown = true;      ///< false for an unused predicate (PT) and other defaults that the text omits
  bool written = false;   ///< destination
  bool negate = false;    ///< arithmetic negation; for predicates the logical one
  bool absolute = false;  ///< absolute value, taken before the negation
  bool invert = false;    ///< bitwise complement
  bool reuse = false;     ///< the value stays in the operand cache
  std::uint8_t reg = zero_register;
  Word suffix = Word::none;  ///< part or layout of the operand: H0_H0, ROW
  bool is_unsigned = false;  ///< `value` holds the 64 bits of an unsigned immediate
  bool has_suffix = false;   ///< the operand has a field for the suffix, even if it is empty

  // Constants and addresses.
  std::uint8_t bank = 0;
  std::uint8_t uniform =
      zero_uniform_register;  ///< added to the address; for a constant with `bindless`, its descriptor
  std::uint8_t descriptor = zero_uniform_register;  ///< the memory descriptor of a global access since sm_80
  bool bindless = false;                            ///< cx[UR][offset]: the bank is given by a descriptor
  bool descriptor_shown = false;                    ///< the text has the descriptor
  bool uniform_shown = false;                       ///< the text has the uniform register even if it is URZ
  bool indexed = false;                             ///< a constant has an index register, which may be RZ
  AddressWidth width = AddressWidth::bits_32;
  std::uint8_t scale = 1;  ///< factor of the base register: 1, 4, 8 or 16

  std::int64_t value = 0;  ///< immediate bits, byte offset of a constant or an address, number of a special register,
                           ///< or the address of a target

  bool operator==(const Operand&) const = default;
};

/// A decoded machine instruction. IMAD.MOV, .SHL and .IADD are other names of IMAD, which NVIDIA's disassembler chooses
/// by the operands: they compute the same a * b + c.
struct Instruction {
  Opcode opcode = Opcode::nop;
  std::uint64_t address = 0;                                             ///< in bytes from the start of the function
  Operand guard{.kind = OperandKind::predicate, .reg = true_predicate};  ///< executes only in lanes where this is true
  std::vector<Modifier> modifiers;                                       ///< in the order of the text
  std::vector<Operand> operands;  ///< destinations first, in the order of the text
  Control control;

  /// True if a modifier with this value is present, in any field.
  bool has(Word word) const {
    for (const Modifier& modifier : modifiers)
      if (modifier.word == word) return true;
    return false;
  }
  /// The value of a field; Word::none if the instruction does not have the field.
  Word word(Field field) const {
    for (const Modifier& modifier : modifiers)
      if (modifier.field == field) return modifier.word;
    return Word::none;
  }
};

}  // namespace warpwalk::sass
