#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/ptx/instruction.h"

// Lookup of enumerators by text, the inverse of name_of().
namespace warpwalk::ptx {

constexpr std::size_t type_count = static_cast<std::size_t>(Type::surfref) + 1;
constexpr std::size_t special_count = static_cast<std::size_t>(Special::current_graph_exec) + 1;

/// Type::s32 for "s32"; Type::none for an unknown name.
Type find_type(std::string_view name);
/// Special::tid_x for "%tid.x"; Special::none for an unknown name.
Special find_special(std::string_view name);
Type type_of(Special special);

/// Returns the opcode that an instruction word such as "cp.async.wait_all" or "add.s32" begins with. The longest match
/// wins, and `length` is set to the length of its text. Returns Opcode::none if no opcode matches.
Opcode match_opcode(std::string_view word, std::size_t& length);

/// The field of an Instruction that a suffix sets. a_layout and b_layout are modifiers whose text (.row or .col) refers
/// to the first or the second matrix of mma; columns are those of the shape of wgmma.mma_async.
enum class Field : std::uint8_t { modifier, compare, action, rounding, space, vector, columns, a_layout, b_layout };
constexpr std::size_t field_count = 9;

/// An instruction suffix without its dot, and its meaning in one field.
struct Suffix {
  Field field;
  std::uint8_t value;  ///< an enumerator of the field's type; 2 or 4 for a vector, n / 8 for columns
  std::string_view text;
};

/// Returns the suffix with this text in this field, or null. "and" is an action; "hi" is both a comparison and a
/// modifier.
const Suffix* find_suffix(Field field, std::string_view text);
/// True if any instruction has a suffix with this text.
bool is_suffix(std::string_view text);

}  // namespace warpwalk::ptx
