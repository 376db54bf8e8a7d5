#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ptx/instruction.h"

namespace warpwalk::ptx {

/// What a name stands for: one of the kinds of operands that have an index.
struct Symbol {
  OperandKind kind = OperandKind::none;
  std::int32_t index = -1;
  bool returns = false;  ///< kind parameter: of Function::returns
};

/// The names of one scope. They are views of the text being read.
class Names {
 public:
  /// False where the name is taken.
  bool add(std::string_view name, Symbol symbol);
  /// %r<4>: registers %r0 to %r3, numbered from `first`. False where the prefix is taken.
  bool add_range(std::string_view prefix, std::int32_t first, std::uint32_t count);
  std::optional<Symbol> find(std::string_view name) const;

 private:
  struct Range {
    std::int32_t first = 0;
    std::uint32_t count = 0;
  };
  std::optional<Symbol> find_in_ranges(std::string_view name) const;

  std::unordered_map<std::string_view, Symbol> symbols_;
  std::unordered_map<std::string_view, Range> ranges_;
};

/// Scopes within one another, innermost last.
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
