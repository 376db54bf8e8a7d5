#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ptx/module.h"
#include "core/ptx/parse/lexer.h"

namespace warpwalk::ptx {

/// The labels of one function: instruction labels, and the names of branch tables and prototypes. A label belongs to
/// the block { } that contains it, so that two expansions of the same inline assembly do not collide. Lookup starts in
/// the block that uses the name and continues outward. If that fails, a label that occurs only once in the whole
/// function is used.
class Labels {
 public:
  void open();
  void close() { block_ = blocks_[block_].parent; }

  void define(const Token& name, OperandKind kind, std::int32_t index);
  /// Records a label use: operand `operand` of an instruction receives the index in resolve().
  void use_operand(const Token& name, std::size_t instruction, std::size_t operand);
  /// Same for entry `place` of a branch table.
  void use_in_table(const Token& name, std::size_t table, std::size_t place);
  /// Fills in every use. Fails on a label that is undefined or has the wrong kind.
  void resolve(Function& function) const;

 private:
  struct Target {
    OperandKind kind = OperandKind::none;
    std::int32_t index = -1;
  };
  struct Block {
    std::size_t parent = 0;
    std::unordered_map<std::string_view, Target> targets;
  };
  struct Use {
    Token name;
    std::size_t block = 0, owner = 0, place = 0;
    bool in_table = false;
  };
  Target find(const Use& use) const;

  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  std::unordered_map<std::string_view, std::vector<Target>> by_name_;
  std::vector<Use> uses_;
};

}  // namespace warpwalk::ptx
