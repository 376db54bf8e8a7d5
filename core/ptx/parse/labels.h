#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ptx/module.h"
#include "core/ptx/parse/lexer.h"

namespace warpwalk::ptx {

/// The labels of one function: instructions, and the branch tables and prototypes that go by a label. Each belongs to
/// the block { } it stands in, so that two expansions of one piece of inline assembly do not collide. A name is looked
/// for in the block that uses it and in those around it; failing that, in the whole function, if it is there only once.
class Labels {
 public:
  void open();
  void close() { block_ = blocks_[block_].parent; }

  void define(const Token& name, OperandKind kind, std::int32_t index);
  /// Where a label's index belongs once all are known: operand `operand` of an instruction.
  void use_operand(const Token& name, std::size_t instruction, std::size_t operand);
  /// Likewise entry `place` of a branch table.
  void use_in_table(const Token& name, std::size_t table, std::size_t place);
  /// Fills in every use. Fails on a label that is nowhere, or of the wrong kind.
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
  std::unordered_map<std::string_view, std::vector<Target>> everywhere_;
  std::vector<Use> uses_;
};

}  // namespace warpwalk::ptx
