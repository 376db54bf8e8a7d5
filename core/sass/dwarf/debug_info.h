#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sass/dwarf/debug_sections.h"

namespace warpwalk::sass {

struct DebugMember {
  std::string name;  ///< empty: of an unnamed struct or union, or of a base class
  std::int32_t type = -1;
  std::uint64_t offset = 0;          ///< bytes
  unsigned bits = 0, first_bit = 0;  ///< of a bit field, from the lowest bit of the byte at `offset`; 0 bits: none
};

/// A type of the source.
struct DebugType {
  enum class Kind : std::uint8_t {
    none,  ///< void, or a type that is not described
    boolean,
    signed_number,
    unsigned_number,
    real,
    pointer,  ///< or a reference
    record,   ///< struct, class or union
    array,
    enumeration,
    alias,  ///< typedef, const, volatile: `target` is the type
    function,
  };
  Kind kind = Kind::none;
  std::string name;
  std::uint64_t bytes = 0;
  std::int32_t target = -1;  ///< index of the type that is pointed to, of elements, or behind an alias; -1: void
  std::uint64_t count = 0;   ///< elements of an array
  std::vector<DebugMember> members;
  std::vector<std::pair<std::string, std::int64_t>> values;  ///< of an enumeration
};

/// Where a variable is in a range of addresses.
struct DebugLocation {
  std::uint64_t low = 0, high = ~std::uint64_t{0};
  std::string expression;  ///< of DWARF; empty: nowhere
};

struct DebugVariable {
  std::string name;
  std::int32_t type = -1;
  std::uint32_t line = 0;
  bool is_parameter = false;
  std::uint8_t memory = 0;                    ///< DW_AT_address_class: 0 none is given; others: MemoryClass
  std::vector<DebugLocation> locations;       ///< empty: the compiler has kept it nowhere
  std::optional<std::int64_t> constant = {};  ///< its value everywhere
};

/// A function, a function that was inlined, or a block of one, with the variables that it declares.
struct DebugScope {
  enum class Kind : std::uint8_t { function, inlined, block };
  Kind kind = Kind::function;
  std::string name, linkage_name;              ///< empty for a block
  std::int32_t parent = -1;                    ///< an earlier scope
  std::uint32_t file = 0, line = 0;            ///< where the function is declared; the number of the file
  std::uint32_t call_file = 0, call_line = 0;  ///< inlined: where the call is
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  ///< of addresses; empty: those of the parent
  std::vector<DebugVariable> variables;
};

/// What the debug information says of variables and types.
struct DebugInfo {
  DebugSections sections;
  std::vector<DebugType> types;
  std::vector<DebugScope> scopes;  ///< a parent comes before its children

  /// Files and lines of all functions that are declared, also of those without code, ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> declared;

  /// The scopes that contain an address, the outermost one first.
  std::vector<std::int32_t> scopes_at(std::uint64_t address) const;
  /// The type behind typedef, const and the like; null: void or not described.
  const DebugType* real_type(std::int32_t type) const;
  /// The index of that type; -1 likewise.
  std::int32_t real_index(std::int32_t type) const;
  std::string name_of_type(std::int32_t type) const;
  std::uint64_t bytes_of_type(std::int32_t type) const;
};

/// Accepts any sections; what is damaged is left out.
DebugInfo read_debug_info(DebugSections sections);

/// The names of a function's parameters, in their order, from the debug information (.debug_info, DWARF 2 to 5) of a
/// cubin that was compiled with -G. `function`: its mangled name. Accepts any bytes; empty if the names are not there.
std::vector<std::string> parameter_names(std::string_view cubin, std::string_view function);

}  // namespace warpwalk::sass
