#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/nvvm/analysis.h"
#include "core/nvvm/ir.h"

namespace warpwalk::nvvm {

/// A name that PTX accepts.
std::string ptx_name(std::string_view name);
/// ".f32", ".b64": the type of a register or of moves.
std::string_view move_type(const Type& type);
/// A number as PTX writes it.
std::string ptx_number(const Type& type, std::uint64_t bits);

/// Writes the PTX of one kernel.
class FunctionWriter {
 public:
  FunctionWriter(const Module& module, const Function& function, int number);

  /// The kernel's text.
  std::string text();
  /// The first thing that is not supported; empty: nothing.
  const std::string& problem() const { return problem_; }

 private:
  using Texts = std::vector<std::string>;

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    code_ += "\t" + fmt::format(form, std::forward<Arguments>(arguments)...) + ";\n";
  }
  void fail(std::string_view what);

  std::string new_register(const Type& type);
  std::string new_register(std::string_view move);
  /// The registers of a result, made if need be.
  const Texts& result(const Instruction& one);
  std::string result_of(const Instruction& one) { return result(one).front(); }
  /// A result that is other values, without an instruction.
  void same_as(const Instruction& one, Texts texts);
  /// The operand's scalars: registers or numbers. Pointers are in the space of Analysis::space_of.
  Texts values(const Operand& operand);
  std::string value(const Operand& operand);
  /// In a register.
  std::string in_register(const Operand& operand);
  std::string in_register(const std::string& text, const Type& type);
  /// A pointer as a generic address.
  std::string generic(const Operand& operand);
  std::string converted(const std::string& address, int space);
  /// A small integer with defined upper bits: zeros or the sign.
  std::string widened(const Operand& operand, bool sign);

  struct Address {
    std::string text;   ///< between the brackets
    std::string space;  ///< ".shared"
  };
  Address address(const Operand& operand, std::uint64_t plus = 0);

  void parameters();
  void instruction(const Instruction& one);
  void arithmetic(const Instruction& one);
  void integer(const Instruction& one, const Texts& a, const Texts& b);
  void floating(const Instruction& one);
  bool fused(const Instruction& one);
  void compare(const Instruction& one);
  void convert(const Instruction& one);
  void bitcast(const Instruction& one);
  void choose(const Instruction& one);
  void elements(const Instruction& one);
  void pointer(const Instruction& one);
  void load(const Instruction& one);
  void store(const Instruction& one);
  void atomic(const Instruction& one);
  void copy_memory(const Instruction& one);
  void call(const Instruction& one);
  void intrinsic(const Instruction& one);
  bool simple_intrinsic(const Instruction& one, std::string_view name, const std::string& kind);
  void assembly(const Instruction& one);
  void ending(const Instruction& one, std::size_t block);
  /// The values of the phis of `to` when it is reached from `from`; `guard`: "@%p1 " or empty.
  void phi_values(const Block& from, const std::string& to, const std::string& guard);
  std::string label(const std::string& block) const;

  const Module& module_;
  const Function& function_;
  Analysis analysis_;
  int number_;
  std::string code_, locals_, problem_;
  std::map<std::string, Texts> registers_;
  std::map<std::string, std::string> frames_;       // of allocas: their names
  std::map<std::string, int, std::less<>> counts_;  // of registers by their prefix
  std::map<std::string, const Block*> blocks_;
  std::uint32_t line_ = 0, shown_line_ = 0;
};

}  // namespace warpwalk::nvvm
