#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ptx/instruction.h"

namespace warpwalk::ptx {

/// The meaning of a name: an operand kind with an index.
struct Symbol {
  OperandKind kind = OperandKind::none;
  std::int32_t index = -1;
  bool returns = false;  ///< kind parameter: `index` refers to Function::returns
  std::uint8_t elements = 1;  ///< kind reg: 2 or 4 for a vector (.v2, .v4), whose elements have indices from `index`
};

/// The names of one scope. The strings are views into the parsed text.
class Names {
 public:
  /// Returns false if the name exists already.
  bool add(std::string_view name, Symbol symbol);
  /// Adds %r<4>: registers %r0 to %r3 with indices from `first`, each with this many elements. Returns false if the
  /// prefix exists already.
  bool add_range(std::string_view prefix, std::int32_t first, std::uint32_t count, std::uint8_t elements = 1);
  std::optional<Symbol> find(std::string_view name) const;

 private:
  struct Range {
    std::int32_t first = 0;
    std::uint32_t count = 0;
    std::uint8_t elements = 1;
  };
  std::optional<Symbol> find_in_ranges(std::string_view name) const;

  std::unordered_map<std::string_view, Symbol> symbols_;
  std::unordered_map<std::string_view, Range> ranges_;
};

/// Nested scopes, innermost last.
class Scopes {
 public:
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  std::size_t depth() const { return scopes_.size(); }
  Names& innermost() { return scopes_.back(); }
  std::optional<Symbol> find(std::string_view name) const;

 private:
  std::vector<Names> scopes_;
};

}  // namespace warpwalk::ptx
