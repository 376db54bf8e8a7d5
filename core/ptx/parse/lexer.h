#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ptx/parse/parser.h"

namespace warpwalk::ptx {

enum class TokenKind : std::uint8_t {
  end,
  word,         ///< a name, or an instruction with all its dots: "%r1", "$L__BB0_2", "ld.global.v2.f32", "%tid.x"
  directive,    ///< a dot and one name: ".reg", ".f32", ".shared::cta"
  number,       ///< "12", "0x1FU", "0f3F800000", "9.0"
  string,       ///< with its quotes
  punctuation,  ///< one character, or << >> <= >= == != && ||
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint32_t line = 1, column = 1;

  bool is(std::string_view expected) const { return text == expected && kind != TokenKind::string; }
};

/// Thrown inside the parser, caught by parse().
struct Failure {
  Error error;
};

[[noreturn]] void fail(const Token& at, std::string message);

/// Splits a text into tokens, with a lookahead of two tokens. Comments and whitespace are skipped. A character that PTX
/// does not use causes a Failure when the lexer reaches it.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return current_; }
  const Token& peek_second() const { return following_; }
  Token next();

  bool at(std::string_view text) const { return current_.is(text); }
  bool at(TokenKind kind) const { return current_.kind == kind; }
  /// Consumes the token and returns true if it has this text.
  bool accept(std::string_view text);
  /// Consumes the token, or fails with "expected `;` after the operands" for (";", "after the operands").
  Token expect(std::string_view text, std::string_view where);
  Token expect(TokenKind kind, std::string_view what);
  /// What follows a token on its line, with comments.
  std::string_view rest_of_line(const Token& token) const;

 private:
  Token read();
  void skip_blanks();
  char char_at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Token take(TokenKind kind, std::size_t length);
  std::size_t name_length(std::size_t from) const;
  std::size_t word_length() const;
  std::size_t number_length() const;
  std::size_t string_length() const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  Token current_, following_;
};

}  // namespace warpwalk::ptx
