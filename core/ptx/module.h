#pragma once

// This folder has PTX as typed data. parse reads the text, forms lists what each instruction may look like.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ptx/error.h"
#include "core/ptx/instruction.h"
#include "core/ptx/type.h"

namespace warpwalk::ptx {

/// A place in a variable's initial bytes that receives an address.
struct Relocation {
  std::uint64_t offset = 0;  ///< in the variable, in bytes
  std::uint8_t bytes = 8;    ///< 4 or 8 for the whole address; 1 for one byte of it
  std::uint8_t byte = 0;     ///< which byte if `bytes` is 1: 0xFF00(name) selects byte 1, the second least significant
  bool generic = false;      ///< generic(name): the generic address instead of the address within its space
  bool function = false;     ///< `index` refers to Module::functions
  std::int32_t index = -1;   ///< into Module::variables or Module::functions
  std::int64_t addend = 0;
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  std::uint32_t alignment = 1;  ///< bytes
  std::uint64_t bytes = 0;      ///< 0 for an extern array without a size (dynamic shared memory)
  bool is_extern = false;
  std::vector<std::uint8_t> initial;  ///< .const, .global; the rest up to `bytes` is zero
  std::vector<Relocation> relocations;
  std::uint32_t line = 0;
};

/// A parameter of a function or an entry.
struct Parameter {
  std::string name;
  Type type = Type::b8;
  std::uint32_t alignment = 1;
  std::uint32_t bytes = 0;
  std::uint32_t offset = 0;  ///< in the entry's parameter space, in bytes; parameters are laid out in order and aligned
  std::uint8_t elements = 1;  ///< 2 or 4 for .v2 or .v4
  bool in_register = false;   ///< (.reg .b32 x): `reg` is its register, or the first of a vector's
  std::int32_t reg = -1;
};

struct Register {
  std::string name;  ///< "%r1"
  Type type = Type::b32;
};

/// The source position of a .loc directive.
struct Location {
  std::uint32_t file = 0;  ///< index into Module::files
  std::uint32_t line = 0, column = 0;
  std::int32_t inlined_at = -1;  ///< index into Function::locations of the inlined call (an earlier entry), -1 for none
  std::int32_t function = -1;    ///< index into Module::inlined_functions; -1: not inlined, or not known
};

struct Prototype {
  std::vector<Parameter> returns, parameters;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool defined = false;  ///< has a body; false for a declaration
  bool noreturn = false;
  std::vector<Parameter> returns, parameters;
  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< .local, .shared and .param; names are unique per scope
  std::vector<Instruction> instructions;
  std::vector<std::vector<std::int32_t>> tables;  ///< .branchtargets: instruction numbers
  std::vector<Prototype> prototypes;
  std::vector<Location> locations;
  std::optional<std::array<std::uint32_t, 3>> reqntid, maxntid;
  std::optional<std::uint32_t> maxnreg, minnctapersm;
  bool explicit_cluster = false;     ///< .explicitcluster, which .blocksareclusters implies
  bool blocks_are_clusters = false;  ///< .blocksareclusters: the grid's extents count clusters
  std::optional<std::array<std::uint32_t, 3>> reqnctapercluster;
  std::optional<std::uint32_t> maxclusterrank;
  /// Set if the body uses something that the parser does not know. The body is then empty, and only a kernel that can
  /// reach this function is affected.
  std::optional<Error> unsupported;
  std::uint32_t line = 0;
};

/// A .file directive: its number in the text and the file name.
struct File {
  std::uint32_t number = 0;
  std::string name;
};

/// A PTX module with every name resolved.
struct Module {
  std::string version, target;  ///< "9.0", "sm_90"
  int address_size = 64;
  std::vector<File> files;
  std::vector<std::string> inlined_functions;  ///< their names, without arguments
  std::vector<Variable> variables;
  std::vector<Function> functions;

  /// Returns the defined entry with this name, or null.
  const Function* entry(std::string_view name) const;
};

}  // namespace warpwalk::ptx
