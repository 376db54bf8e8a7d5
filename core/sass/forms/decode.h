#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/sass/instruction.h"

namespace warpwalk::sass {

/// An instruction that the tables of core/sass/forms do not describe: an unknown opcode, or a known opcode with bits
/// that no field of its form covers. It is never decoded in part.
struct UnknownInstruction {
  std::uint64_t address = 0;  ///< in bytes from the start of the function
  Encoding encoding;
  std::string what;  ///< one line: the opcode, the reason and the address
};

using Decoded = std::variant<Instruction, UnknownInstruction>;

/// Decodes one instruction. `address` is its place in the function, in bytes; targets of branches are relative to it.
Decoded decode(Architecture architecture, const Encoding& encoding, std::uint64_t address);

/// Decodes the code of a function. Bytes after the last whole instruction are ignored.
std::vector<Decoded> decode(Architecture architecture, std::string_view code);

}  // namespace warpwalk::sass
