#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/nvvm/ir.h"

namespace warpwalk::nvvm {

/// Memory spaces by their numbers in LLVM IR.
inline constexpr int generic_space = 0, global_space = 1, shared_space = 3, constant_space = 4, local_space = 5;

/// An address: something and a number of bytes.
struct Root {
  const Operand* base = nullptr;
  std::int64_t offset = 0;
};

/// Facts about a function that decide its PTX: the spaces of pointers, and which instructions become one.
class Analysis {
 public:
  Analysis(const Module& module, const Function& function);

  /// The instruction of a local; null for a parameter.
  const Instruction* definition(const std::string& name) const;
  /// Whether an instruction is written as a part of those that use it, or of another access.
  bool is_folded(const Instruction& one) const { return folded_.contains(&one); }
  /// The space of a pointer, as it is kept in a register: a generic pointer that can point to one space alone is an
  /// address in it.
  int space_of(const Operand& operand) const;
  /// Follows additions of constants.
  Root root_of(const Operand& address) const;
  /// The accesses that are one with this one, in the order of their addresses; empty: it stands alone.
  const std::vector<const Instruction*>* merged(const Instruction& one) const;
  /// The phi whose register an instruction writes; null: it has one of its own.
  const Instruction* same_register(const Instruction& one) const;

 private:
  struct Use {
    const Instruction* by = nullptr;
    std::size_t block = 0, at = 0;
  };
  void find_spaces();
  int meet_of(const Instruction& one) const;
  void fold();
  void merge_accesses(const Block& block);
  bool merge_at(const Block& block, std::size_t at);
  void join_phis(const Block& block, std::size_t number);
  std::size_t last_use(const std::string& name, std::size_t block, const Instruction* next) const;

  const Module& module_;
  const Function& function_;
  std::map<std::string, const Instruction*> definitions_;
  std::map<std::string, std::vector<Use>> uses_;
  std::map<std::string, int> spaces_;
  std::set<const Instruction*> folded_;
  std::map<const Instruction*, std::vector<const Instruction*>> merged_;
  std::map<const Instruction*, std::size_t> written_at_;  // of accesses that are written later
  std::map<const Instruction*, const Instruction*> same_;
};

/// The instruction whose value is this many bytes from an operand, if all of its indices are constant.
bool is_constant_address(const Instruction& one);

}  // namespace warpwalk::nvvm
