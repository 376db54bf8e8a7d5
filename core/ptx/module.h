#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ptx/instruction.h"
#include "core/ptx/type.h"

namespace warpwalk::ptx {

/// A place in a variable's initial bytes where an address belongs.
struct Relocation {
  std::uint64_t offset = 0;  ///< in the variable
  std::uint8_t bytes = 8;    ///< 4 or 8, the address; 1, a byte of it
  std::uint8_t byte = 0;     ///< where bytes is 1, which: 0xFF00(name) is 1, the second least significant
  bool generic = false;      ///< generic(name): the generic address instead of that within its space
  bool function = false;     ///< index is of Module::functions
  std::int32_t index = -1;   ///< Module::variables or Module::functions
  std::int64_t addend = 0;
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  std::uint32_t alignment = 1;  ///< bytes
  std::uint64_t bytes = 0;      ///< 0 for an extern array without a size (dynamic shared memory)
  bool is_extern = false;
  std::vector<std::uint8_t> initial;  ///< .const, .global; shorter than `bytes` where zeros follow
  std::vector<Relocation> relocations;
  std::uint32_t line = 0;
};

/// A parameter of a function or an entry.
struct Parameter {
  std::string name;
  Type type = Type::b8;
  std::uint32_t alignment = 1;
  std::uint32_t bytes = 0;
  std::uint32_t offset = 0;  ///< in the entry's parameter space, by alignment in order
  bool in_register = false;  ///< (.reg .b32 x): index is a register
  std::int32_t reg = -1;
};

struct Register {
  std::string name;  ///< "%r1"
  Type type = Type::b32;
};

/// Where the source was: a .loc line.
struct Location {
  std::uint32_t file = 0;  ///< Module::files, an index
  std::uint32_t line = 0, column = 0;
  std::int32_t inlined_at = -1;  ///< Function::locations, an earlier one: the call that was inlined; -1 for none
};

struct Prototype {
  std::vector<Parameter> returns, parameters;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool defined = false;  ///< has a body; a declaration alone has none
  bool noreturn = false;
  std::vector<Parameter> returns, parameters;
  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< .local, .shared and .param declared inside, unique by scope
  std::vector<Instruction> instructions;
  std::vector<std::vector<std::int32_t>> tables;  ///< .branchtargets: instruction numbers
  std::vector<Prototype> prototypes;
  std::vector<Location> locations;
  std::optional<std::array<std::uint32_t, 3>> reqntid, maxntid;
  std::optional<std::uint32_t> maxnreg, minnctapersm;
  bool cluster = false;  ///< .reqnctapercluster or .explicitcluster: asks for clusters
  std::uint32_t line = 0;
};

/// One .file: its number in the text and its name.
struct File {
  std::uint32_t number = 0;
  std::string name;
};

/// A PTX module, every name resolved.
struct Module {
  std::string version, target;  ///< "9.0", "sm_90"
  int address_size = 64;
  std::vector<File> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;

  /// The defined entry of this name; null where there is none.
  const Function* entry(std::string_view name) const;
};

}  // namespace warpwalk::ptx
