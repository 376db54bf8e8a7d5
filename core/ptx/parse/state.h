#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ptx/module.h"
#include "core/ptx/parse/decode.h"
#include "core/ptx/parse/lexer.h"
#include "core/ptx/parse/symbols.h"

namespace warpwalk::ptx {

/// Upper bounds that no realistic module exceeds. Larger modules are rejected before they use memory.
struct Limits {
  std::uint64_t registers = 1'000'000;                  ///< over all functions
  std::uint64_t register_name_bytes = 64u << 20;        ///< over all functions; "%r<1000>" counts as 1000 names
  std::uint64_t initial_bytes = 256u << 20;             ///< over all variables
  std::uint64_t global_bytes = std::uint64_t{1} << 38;  ///< per .global variable
  std::uint64_t constant_bytes = 64u << 10;             ///< one bank of constant memory
  std::uint64_t shared_bytes = 228u << 10;              ///< the shared memory of one SM
  std::uint64_t local_bytes = 512u << 10;               ///< per thread
  std::uint64_t parameter_bytes = 32'764;               ///< per entry; also applied to functions
  std::size_t nesting = 200;                            ///< depth of nested blocks { }
};

/// State that the parts of the parser share.
struct State {
  explicit State(std::string_view text) : in(text) {}

  Lexer in;
  Module module;
  Names names;  ///< module scope: variables and functions
  Limits limits;
  std::uint64_t registers = 0, register_name_bytes = 0, initial_bytes = 0;  ///< totals, checked against limits
  std::unordered_map<std::string_view, Decoded> decoded;                    ///< instruction words repeat often
  std::unordered_map<std::uint32_t, std::uint32_t> files;  ///< number of a .file to its index in Module::files
  std::vector<std::string> called_files;  ///< names in comments behind .loc, see resolve_called_files()
};

}  // namespace warpwalk::ptx
