#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/sass/dwarf/debug_info.h"

namespace warpwalk::sass {

/// The memories of DW_AT_address_class in CUDA (CUDA Debugger API, ptxStorageKind).
enum class MemoryClass : std::uint8_t {
  code = 0,
  in_register = 2,
  constant = 4,
  global = 5,
  local = 6,
  parameter = 7,
  shared = 8,
  generic = 12,
};

/// A place that holds bytes of a variable.
struct DebugPlace {
  enum class Kind : std::uint8_t { nowhere, in_register, in_memory, value };
  Kind kind = Kind::nowhere;
  std::string register_name;               ///< in PTX
  std::string symbol;                      ///< in_memory: the variable or, in PTX, the stack frame; empty: an address
  std::uint64_t number = 0;                ///< the offset behind the symbol, the address, or the value
  MemoryClass memory = MemoryClass::code;  ///< in_memory: code: none is named, so it is generic
  std::uint64_t bytes = 0;                 ///< of a piece; 0: the whole variable
};

/// The thread whose registers and memory a location expression reads.
struct LocationContext {
  /// The value of a register of the PTX; nullopt: not known.
  std::function<std::optional<std::uint64_t>(std::string_view name)> register_value;
  std::function<std::optional<std::uint64_t>(MemoryClass memory, std::string_view symbol, std::uint64_t address)> word;
  std::optional<std::uint64_t> frame_base = {};  ///< in local memory; nullopt: not known
};

/// The pieces of a variable by a location expression. Empty if the expression has an operation that is not known, or
/// needs something that is not known.
std::vector<DebugPlace> evaluate_location(const DebugInfo& info, const DebugVariable& variable,
                                          const std::string& expression, const LocationContext& context);

/// The register in an expression that is nothing else, for people; else empty.
std::string register_of(const std::string& expression);

}  // namespace warpwalk::sass
