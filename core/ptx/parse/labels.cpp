#include "core/ptx/parse/labels.h"

namespace warpwalk::ptx {
namespace {

std::string_view what(OperandKind kind) {
  switch (kind) {
    case OperandKind::table: return "a branch table (.branchtargets)";
    case OperandKind::prototype: return "a prototype (.callprototype or .calltargets)";
    default: return "an instruction label";
  }
}

}  // namespace

void Labels::open() {
  blocks_.push_back({block_, {}});
  block_ = blocks_.size() - 1;
}

void Labels::define(const Token& name, OperandKind kind, std::int32_t index) {
  if (!blocks_[block_].targets.emplace(name.text, Target{kind, index}).second)
    fail(name, "this label is already defined in this block");
  by_name_[name.text].push_back({kind, index});
}

void Labels::use_operand(const Token& name, std::size_t instruction, std::size_t operand) {
  uses_.push_back({name, block_, instruction, operand, false});
}

void Labels::use_in_table(const Token& name, std::size_t table, std::size_t place) {
  uses_.push_back({name, block_, table, place, true});
}

Labels::Target Labels::find(const Use& use) const {
  for (std::size_t block = use.block;; block = blocks_[block].parent) {
    const auto found = blocks_[block].targets.find(use.name.text);
    if (found != blocks_[block].targets.end()) return found->second;
    if (block == 0) break;
  }
  const auto found = by_name_.find(use.name.text);
  if (found == by_name_.end()) fail(use.name, "no such label in this function");
  if (found->second.size() > 1) fail(use.name, "several blocks define this label, but none of them encloses this use");
  return found->second.front();
}

void Labels::resolve(Function& function) const {
  for (const Use& use : uses_) {
    const Target target = find(use);
    Operand* const operand = use.in_table ? nullptr : &function.instructions[use.owner].operands[use.place];
    const OperandKind expected = operand == nullptr ? OperandKind::label : operand->kind;
    if (target.kind != expected) fail(use.name, "expected " + std::string(what(expected)));
    if (operand == nullptr)
      function.tables[use.owner][use.place] = target.index;
    else
      operand->index = target.index;
  }
}

}  // namespace warpwalk::ptx
