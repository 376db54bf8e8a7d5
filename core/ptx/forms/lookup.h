#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/ptx/instruction.h"

// From texts to enumerators, what name_of() is from enumerators to texts.
namespace warpwalk::ptx {

constexpr std::size_t type_count = static_cast<std::size_t>(Type::e5m2x2) + 1;
constexpr std::size_t special_count = static_cast<std::size_t>(Special::current_graph_exec) + 1;

/// "s32" for .s32; none where there is no such type.
Type type_named(std::string_view name);
/// "%tid.x"; none where there is no such special register.
Special special_named(std::string_view name);
Type type_of(Special special);

/// The opcode that a whole instruction word such as "cp.async.wait_all" or "add.s32" begins with: the longest that
/// fits. `length` becomes that of its text. None where no opcode fits.
Opcode opcode_of(std::string_view word, std::size_t& length);

/// Which field of an Instruction a suffix goes to. a_layout and b_layout are modifiers whose text (.row or .col) means
/// the first or the second matrix of mma.
enum class Field : std::uint8_t { modifier, compare, action, rounding, space, vector, a_layout, b_layout };
constexpr std::size_t field_count = 8;

/// One suffix of instructions, without its dot, and what it means in one of the fields.
struct Suffix {
  Field field;
  std::uint8_t value;  ///< of the field's enumeration; 2 or 4 for a vector
  std::string_view text;
};

/// The suffix of this text in this field: "and" is an action, "hi" both a comparison and a modifier. Null for none.
const Suffix* suffix_named(Field field, std::string_view text);
/// Whether any instruction has a suffix of this text.
bool is_suffix(std::string_view text);

}  // namespace warpwalk::ptx
