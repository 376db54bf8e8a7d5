#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/sass/architecture.h"
#include "core/sass/encoding.h"
#include "core/sass/instruction.h"

namespace warpwalk::sass {

// clang-format off
/// One row of the tables: an instruction form. All columns but `opcode` are text in the notation below. BITS is FIRST
/// or FIRST+COUNT; several ranges joined by commas form one field, low bits first.
///
/// architectures: "" for all, "75", "80-89" or "90-".
///
/// code: bits 0-11 in hexadecimal: the operation in bits 0-8 and the form in bits 9-11. "x24" with forms "1234" means
/// 224, 424, 624 and 824; "y08" with the same forms means 308, 508, 708 and 908. The forms:
///   1 all sources are registers
///   2 the third source is an immediate, 3 a constant, 7 a uniform register: it is in bits 32-63, and the second source
///     moves to bit 64
///   4 the second source is an immediate, 5 a constant, 6 a uniform register
///
/// when: conditions BITS=HEX or BITS!=HEX, or pow2(BITS): exactly one bit is set. The first row that fits is taken.
///
/// modifiers, in the order of the text:
///   BITS:LIST    a value of a list (choices.cpp)
///   BITS?WORD    a flag
///   =WORD        always present
///
/// operands, destinations first:
///   d ud         destination register or uniform register at bit 16
///   p q          destination predicate or uniform predicate at BITS (p81)
///   A B C        first, second and third source
///   S Z          second or third source that is in bits 32-63 in every form
///   uA uB uC uS  the same for the uniform datapath
///   r u P Q      register, uniform register, predicate or uniform predicate at BITS
///   i            integer at BITS
///   t y T        target at BITS: relative in units of 4 bytes, relative in bytes, absolute
///   o            offset at BITS, added to a register
///   X b s m      special register, convergence barrier, scoreboard, set of scoreboards at BITS
///   c cA cuA     constant: at a fixed offset, indexed by the register or by the uniform register at bit 24; cuA37: the
///                offset begins at bit 37 instead of 38
///   w            a word of the list /BITS:LIST
///   PR UPR       all predicates, all uniform predicates
///   G            descriptor of matrices in shared memory in the uniform register at BITS
///   e            descriptor in the uniform register at the first of BITS; it is there if the last bit is 1
///   g            scoreboard of a warp group at BITS; 7: none
///   n            signs of FSWZADD at BITS
///   R            Rpc
///   M.PARTS      memory address: register at bit 24, offset in bits 40-63. Parts: rBIT another register, oFIRST+COUNT
///                another offset (FIRST+0: none), uBIT uniform register, wBIT the register has 64 bits, dBIT the uniform register is a
///                descriptor, sBIT the text has the descriptor before sm_90, xBIT scale, z the text has URZ, n only
///                the uniform register: no register and no offset, k the offset counts units of 32
///                bytes, v the uniform register after the one at uBIT
///   @U           not an operand: the guard is a uniform predicate
/// Before an operand: > written. After it:
///   - | ~        negation, absolute value, complement: in the usual bit of the slot, or in the bit that follows
///   !BIT         negation of a predicate
///   ^            the number is stored inverted: 0 is PT
///   ? ?1         omitted from the text if it is PT, RZ or 0; if all bits are 1
///   /BITS:LIST   a suffix; /=WORD: always present
///   #            type of an immediate: s signed, f f32, d upper half of an f64, h two f16, b two bf16
///
/// ignored: bits without a meaning in this form. They hold zeros, ones or PT.
// clang-format on
struct Row {
  std::string_view architectures, code, forms, when;
  Opcode opcode;
  std::string_view modifiers, operands, ignored = {};
};

std::span<const Row> blackwell_rows();
std::span<const Row> integer_rows();
std::span<const Row> float_rows();
std::span<const Row> half_rows();
std::span<const Row> matrix_rows();
std::span<const Row> convert_rows();
std::span<const Row> memory_rows();
std::span<const Row> atomic_rows();
std::span<const Row> control_rows();
std::span<const Row> uniform_rows();
std::span<const Row> move_rows();
std::span<const Row> texture_rows();
std::span<const Row> warp_group_rows();
std::span<const Row> bulk_copy_rows();

/// Consecutive bits, or several such ranges joined to one field, low bits first.
struct BitRange {
  struct Piece {
    std::uint8_t first = 0, count = 0;
  };
  std::vector<Piece> pieces;

  std::uint64_t of(const Encoding& encoding) const;
  unsigned count() const;
  void mark(Encoding& used) const;
};

struct Condition {
  enum class Test : std::uint8_t { equal, different, power_of_two };
  BitRange bits;
  Test test = Test::equal;
  std::uint64_t value = 0;
};

/// A value of a modifier field. Word::invalid: no instruction has it.
struct Choice {
  Word word = Word::none;
  bool shown = true;
};

/// A named list of the values of a field, indexed by the bits.
struct ChoiceList {
  Field field = Field::flag;
  std::vector<Choice> choices;
};
/// The list with this name (choices.cpp); null if there is none.
const ChoiceList* choice_list(std::string_view name);

struct ModifierForm {
  BitRange bits;                     ///< empty: always present
  const ChoiceList* list = nullptr;  ///< null: a flag
  Word word = Word::none;
};

/// A single bit of an operand form that sets a property of the operand; 255: none.
constexpr std::uint8_t no_bit = 255;

/// The bits of the parts of a memory address.
struct AddressForm {
  std::uint8_t base = 24;                      ///< the register; no_bit: none
  std::uint8_t uniform = no_bit;               ///< the uniform register
  std::uint8_t wide = no_bit;                  ///< the bit that is 1 if the base register is 64 bits wide
  std::uint8_t descriptor = no_bit;            ///< the bit that is 1 if the uniform register is a descriptor
  std::uint8_t scale = no_bit;                 ///< two bits: the factor of the base register
  std::uint8_t offset = 40, offset_bits = 24;  ///< 0 bits: none
  std::uint8_t offset_unit = 1;                ///< bytes
  std::uint8_t descriptor_shown = no_bit;      ///< the bit that makes the descriptor part of the text before sm_90
  bool uniform_shown = false;                  ///< URZ is written
  bool next_uniform = false;                   ///< the uniform register after the one in the encoding
};

enum class OperandRole : std::uint8_t {
  reg,
  uniform_reg,
  predicate,
  uniform_predicate,
  predicates,
  uniform_predicates,
  immediate,
  integer,
  constant_words,
  constant,
  constant_reg,
  constant_uniform,
  address,
  word,
  special_reg,
  barrier,
  scoreboard,
  scoreboard_set,
  group_scoreboard,
  descriptor,
  matrix_descriptor,
  swizzle_signs,
  return_pc,
  relative_target,
  relative_bytes,
  absolute_target,
  branch_offset
};

struct OperandForm {
  OperandRole role = OperandRole::reg;
  BitRange bits;
  bool written = false, optional = false, hidden_if_ones = false, inverted_number = false;
  std::uint8_t negate = no_bit, absolute = no_bit, invert = no_bit, reuse = no_bit;
  OperandKind immediate = OperandKind::integer;
  bool is_signed = false;
  BitRange suffix_bits;
  const ChoiceList* suffix_list = nullptr;
  Word suffix = Word::none;
  AddressForm address;
  std::uint8_t constant_offset = 38;  ///< first bit of the offset in a constant bank, which ends at bit 53
};

/// A Row for one value of bits 0-11, ready to match against an encoding.
struct Form {
  std::uint8_t architectures = 0;  ///< bit i: Architecture i
  std::vector<Condition> when;
  Opcode opcode = Opcode::nop;
  std::vector<ModifierForm> modifiers;
  std::vector<OperandForm> operands;
  std::vector<BitRange> ignored;
  std::uint8_t uniform_bits = 6;  ///< bits of the number of a uniform register
  bool uniform_guard = false;  ///< the guard is a uniform predicate
  Encoding used;               ///< the bits that some field of the form covers
};

/// The forms for a value of bits 0-11, in the order of the tables.
std::span<const Form> forms_of(std::uint32_t code);

}  // namespace warpwalk::sass
