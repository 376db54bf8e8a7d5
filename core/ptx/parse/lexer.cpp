#include "core/ptx/parse/lexer.h"

#include <utility>

#include <fmt/format.h>

namespace warpwalk::ptx {
namespace {

/// Maximum length of a token in an error message.
constexpr std::size_t max_token_shown = 80;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_start(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

bool is_pair(char a, char b) {
  switch (a) {
    case '<': return b == '<' || b == '=';
    case '>': return b == '>' || b == '=';
    case '=':
    case '!': return b == '=';
    case '&': return b == '&';
    case '|': return b == '|';
    default: return false;
  }
}

}  // namespace

void fail(const Token& at, std::string message) {
  throw Failure{{at.line, at.column, std::string(at.text.substr(0, max_token_shown)), std::move(message)}};
}

Lexer::Lexer(std::string_view text) : text_(text) {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = line_start_ = 3;  // byte order mark
  current_ = read();
  following_ = read();
}

Token Lexer::next() {
  const Token taken = current_;
  current_ = following_;
  if (current_.kind != TokenKind::end) following_ = read();
  return taken;
}

bool Lexer::accept(std::string_view text) {
  if (!at(text)) return false;
  next();
  return true;
}

Token Lexer::expect(std::string_view text, std::string_view where) {
  if (!at(text)) fail(current_, fmt::format("expected `{}` {}", text, where));
  return next();
}

Token Lexer::expect(TokenKind kind, std::string_view what) {
  if (!at(kind)) fail(current_, fmt::format("expected {}", what));
  return next();
}

std::string_view Lexer::rest_of_line(const Token& token) const {
  const auto end = static_cast<std::size_t>(token.text.data() - text_.data()) + token.text.size();
  return text_.substr(end, text_.find('\n', end) - end);
}

void Lexer::skip_blanks() {
  for (;;) {
    const char c = char_at();
    if (c == '\n') {
      line_start_ = ++at_;
      ++line_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && char_at(1) == '/') {
      const std::size_t end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
    } else if (c == '/' && char_at(1) == '*') {
      const Token opening{TokenKind::punctuation, text_.substr(at_, 2), line_,
                          static_cast<std::uint32_t>(at_ - line_start_ + 1)};
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) fail(opening, "unterminated comment: `*/` is missing");
      for (std::size_t i = at_; i < end; ++i)
        if (text_[i] == '\n') {
          ++line_;
          line_start_ = i + 1;
        }
      at_ = end + 2;
    } else {
      return;
    }
  }
}

Token Lexer::take(TokenKind kind, std::size_t length) {
  const Token token{kind, text_.substr(at_, length), line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  at_ += length;
  return token;
}

Token Lexer::read() {
  skip_blanks();
  const char c = char_at();
  // Files from nvcc may end in a NUL, because the driver takes module text as a C string.
  if (c == '\0') {
    if (text_.find_first_not_of('\0', at_) != std::string_view::npos)
      fail(take(TokenKind::punctuation, 1), "unexpected NUL byte inside the text");
    return take(TokenKind::end, 0);
  }
  if (is_name_start(c) && (c != '%' || is_name_part(char_at(1)))) return take(TokenKind::word, word_length());
  if (is_digit(c) || (c == '.' && is_digit(char_at(1)))) return take(TokenKind::number, number_length());
  if (c == '.' && is_name_start(char_at(1))) return take(TokenKind::directive, name_length(1));
  if (c == '"') return take(TokenKind::string, string_length());
  if (is_pair(c, char_at(1))) return take(TokenKind::punctuation, 2);
  if (std::string_view("{}[]()<>,;:=+-*/%&|^~!?@.").find(c) != std::string_view::npos)
    return take(TokenKind::punctuation, 1);
  fail(take(TokenKind::punctuation, 1), "this character is not valid in PTX");
}

/// Returns the offset from at_ of the end of the name that begins at at_ + from. "L2::128B" is one name.
std::size_t Lexer::name_length(std::size_t from) const {
  std::size_t length = from;
  if (char_at(length) == '%') ++length;
  for (;;) {
    while (is_name_part(char_at(length))) ++length;
    if (char_at(length) != ':' || char_at(length + 1) != ':' || !is_name_part(char_at(length + 2))) return length;
    length += 2;
  }
}

std::size_t Lexer::word_length() const {
  std::size_t length = 1;
  while (is_name_part(char_at(length))) ++length;
  while (char_at(length) == '.' && is_name_part(char_at(length + 1))) length = name_length(length + 1);
  return length;
}

std::size_t Lexer::number_length() const {
  const char second = char_at(1);
  const bool prefixed = char_at() == '0' && is_letter(second) && second != 'e' && second != 'E';
  std::size_t length = 0;
  for (;; ++length) {
    const char c = char_at(length);
    const bool exponent_sign = (c == '+' || c == '-') && length > 0 && !prefixed &&
                               (char_at(length - 1) == 'e' || char_at(length - 1) == 'E') &&
                               is_digit(char_at(length + 1));
    if (!is_name_part(c) && !exponent_sign && (c != '.' || prefixed)) return length;
  }
}

std::size_t Lexer::string_length() const {
  for (std::size_t length = 1; char_at(length) != '\0' && char_at(length) != '\n'; ++length) {
    if (char_at(length) == '"') return length + 1;
    if (char_at(length) == '\\' && char_at(length + 1) != '\0' && char_at(length + 1) != '\n') ++length;
  }
  fail({TokenKind::string, text_.substr(at_, 1), line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)},
       "unterminated string: `\"` is missing on this line");
}

}  // namespace warpwalk::ptx
