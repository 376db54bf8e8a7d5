#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/ops/expression/parsing.h"

namespace warpwalk::ops {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Longest first. Includes symbols outside the grammar, so that the parser can report them.
constexpr std::array<std::string_view, 33> symbols = {"...", "**", "//", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||",
                                                      "->",  "@@", "+",  "-",  "*",  "/",  "@",  "(",  ")",  "[",  "]",
                                                      ",",   ":",  ".",  "=",  "<",  ">",  "%",  "^",  "&",  "|",  "~"};

struct Lookalike {
  std::string_view character, instead;
};
/// Characters that people copy from papers and word processors.
constexpr std::array<Lookalike, 24> lookalikes = {{
    {"×", "* for elements, @ for matrices"},
    {"·", "* for elements, @ for matrices"},
    {"⋅", "* for elements, @ for matrices"},
    {"∙", "* for elements, @ for matrices"},
    {"∗", "*"},
    {"−", "-"},
    {"–", "-"},
    {"—", "-"},
    {"÷", "/"},
    {"∕", "/"},
    {"⁄", "/"},
    {"＋", "+"},
    {"＊", "*"},
    {"＠", "@"},
    {"（", "("},
    {"）", ")"},
    {"，", ","},
    {"ᵀ", ".T"},
    {"⊤", ".T"},
    {"²", "a ** 2"},
    {"√", "sqrt(a)"},
    {"∑", "sum(a)"},
    {"Σ", "sum(a)"},
    {"’", ".T for a transpose"},
}};

[[noreturn]] void refuse_character(std::string_view text, std::size_t at) {
  const std::size_t bytes = character_bytes(text, at);
  if (bytes == 0)
    fail({at, 1}, fmt::format("the byte {:#04x} is not valid UTF-8", static_cast<unsigned char>(text[at])),
         "type the expression again with names, numbers and + - * / @ ** ( ) [ ]");
  const std::string_view character = text.substr(at, bytes);
  const Place place{at, bytes};
  for (const Lookalike& known : lookalikes)
    if (known.character == character)
      fail(place, fmt::format("{} is not an operator here", character), fmt::format("write {}", known.instead));
  const std::uint32_t point = code_point(character);
  if (point == '\'' || point == '"')
    fail(place, fmt::format("{} is not allowed here: expressions have no strings", character),
         "the transpose of a is a.T");
  if (point == 0xa0 || (point >= 0x2000 && point <= 0x200b) || point == 0x3000 || point == 0xfeff)
    fail(place, fmt::format("the text contains a special space (U+{:04X})", point), "use an ordinary space");
  if (point > ' ' && point < 0x7f)
    fail(place, fmt::format("{} is not allowed here", character), "use names, numbers and + - * / @ ** ( ) [ ] : , .");
  fail(place, fmt::format("the character U+{:04X} is not allowed here", point),
       "names consist of the letters a-z and A-Z, digits and _");
}

Number number_of(std::string_view digits, bool whole, Place place) {
  const char* const end = digits.data() + digits.size();
  if (!whole) {
    double value = 0;
    if (std::from_chars(digits.data(), end, value).ec != std::errc{})
      fail(place, fmt::format("{} is out of range for a double", digits), "doubles go from 5e-324 to 1.7e308");
    return value;
  }
  if (digits.front() == '0' && digits.find_first_not_of('0') != std::string_view::npos)
    fail(place, fmt::format("{} begins with 0, which Python does not allow", digits),
         fmt::format("write {}", digits.substr(digits.find_first_not_of('0'))));
  std::int64_t value = 0;
  if (std::from_chars(digits.data(), end, value).ec != std::errc{})
    fail(place, fmt::format("{} does not fit a 64-bit integer", digits), fmt::format("write {}.0 for a float", digits));
  return value;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> tokens() {
    std::vector<Token> tokens;
    while (true) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      tokens.push_back(next());
    }
    tokens.push_back({Token::Kind::end, {text_.size(), 1}, {}, {}});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void digits() {
    while (is_digit(peek())) ++at_;
  }
  std::string_view since(std::size_t from) const { return text_.substr(from, at_ - from); }

  Token next() {
    const std::size_t from = at_;
    if (begins_name(peek())) {
      while (in_name(peek())) ++at_;
      return {Token::Kind::name, {from, at_ - from}, since(from), {}};
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (peek() == '\'' || peek() == '"')
      if (const std::size_t end = end_of_text(); end != 0) {
        at_ = end;
        return {Token::Kind::text, {from, end - from}, text_.substr(from + 1, end - from - 2), {}};
      }
    const auto symbol =
        std::ranges::find_if(symbols, [&](std::string_view s) { return text_.substr(at_).starts_with(s); });
    if (symbol == symbols.end()) refuse_character(text_, at_);
    at_ += symbol->size();
    return {Token::Kind::symbol, {from, symbol->size()}, *symbol, {}};
  }

  /// Behind the closing quote of a word in quotes; 0 if this is none.
  std::size_t end_of_text() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && in_name(text_[end])) ++end;
    return end > at_ + 1 && end < text_.size() && text_[end] == text_[at_] ? end + 1 : 0;
  }

  Token number() {
    const std::size_t from = at_;
    bool whole = true;
    digits();
    if (peek() == '.') {
      whole = false;
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        whole = false;
        at_ += 1 + sign;
        digits();
      }
    }
    const std::string_view written = since(from);
    if (begins_name(peek())) {
      while (in_name(peek())) ++at_;
      fail({from, at_ - from}, fmt::format("the number {} and a name run together", written),
           fmt::format("for a product write {} * {}", written, since(from + written.size())));
    }
    const Place place{from, written.size()};
    return {Token::Kind::number, place, written, number_of(written, whole, place)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> lex(std::string_view text) { return Lexer(text).tokens(); }

}  // namespace warpwalk::ops
