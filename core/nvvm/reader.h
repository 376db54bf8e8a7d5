#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/nvvm/ir.h"
#include "core/nvvm/tokens.h"

namespace warpwalk::nvvm {

/// Reads types, operands and instructions from tokens. The first thing that is not understood is kept in problem();
/// what is read after it means nothing.
class Reader {
 public:
  explicit Reader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  Token next();
  bool is_sign(char sign, std::size_t ahead = 0) const;
  bool is_word(std::string_view word, std::size_t ahead = 0) const;
  bool take(char sign);
  bool take(std::string_view word);
  void expect(char sign);
  void skip_line();
  void skip_line_ends();
  /// Passes over what stands between parentheses, if one is next.
  void skip_parentheses();
  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }
  void fail(std::string_view what);

  bool begins_type() const;
  TypePtr type();
  /// A value of this type.
  Operand value(const TypePtr& type);
  /// A type, attributes, and a value.
  Operand typed_value();
  std::uint64_t whole();
  /// Passes over attributes of a value or a result.
  void skip_attributes();
  void name_type(const std::string& name, TypePtr type) { named_[name] = std::move(type); }
  Instruction instruction();

 private:
  Operand expression(std::string_view opcode, const TypePtr& type);
  void call(Instruction& one);
  void memory(Instruction& one);
  void arithmetic(Instruction& one);
  void address(Instruction& one);
  void branch(Instruction& one);
  void ending(Instruction& one);
  void words_before_type(Instruction& one);

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::string problem_;
  std::map<std::string, TypePtr> named_;
};

/// Bytes from an address's base for constant indices; nullopt if one is not constant.
std::optional<std::int64_t> constant_offset(const TypePtr& element, const std::vector<Operand>& indices);

}  // namespace warpwalk::nvvm
