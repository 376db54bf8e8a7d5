#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/ptx/module.h"
#include "core/ptx/parse/decode.h"
#include "core/ptx/parse/lexer.h"
#include "core/ptx/parse/symbols.h"

namespace warpwalk::ptx {

/// What no module of use exceeds: a hostile one is refused before it takes memory.
struct Limits {
  std::uint64_t registers = 1'000'000;                  ///< of all functions together
  std::uint64_t register_name_bytes = 64u << 20;        ///< likewise: "%r<1000>" is a thousand names
  std::uint64_t initial_bytes = 256u << 20;             ///< of all variables together
  std::uint64_t global_bytes = std::uint64_t{1} << 38;  ///< of one .global variable
  std::uint64_t constant_bytes = 64u << 10;             ///< a bank of constant memory
  std::uint64_t shared_bytes = 228u << 10;              ///< all of an SM's
  std::uint64_t local_bytes = 512u << 10;               ///< of one thread
  std::uint64_t parameter_bytes = 32'764;               ///< of an entry; here also of a function's parameters
  std::size_t nesting = 200;                            ///< blocks { } within one another
};

/// What the parts of the parser share.
struct State {
  explicit State(std::string_view text) : in(text) {}

  Lexer in;
  Module module;
  Names names;  ///< of the module: variables and functions
  Limits limits;
  std::uint64_t registers = 0, register_name_bytes = 0, initial_bytes = 0;  ///< so far, against the limits
  std::unordered_map<std::string_view, Decoded> decoded;   ///< a module uses few different instructions many times
  std::unordered_map<std::uint32_t, std::uint32_t> files;  ///< number of a .file to its index
};

}  // namespace warpwalk::ptx
