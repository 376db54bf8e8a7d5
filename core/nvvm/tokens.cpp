#include "core/nvvm/tokens.h"

#include <cctype>

namespace warpwalk::nvvm {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '-' || c == '+';
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = std::tolower(static_cast<unsigned char>(c)) - 'a';
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}

// Replaces the escapes of a quoted text: \\ and \XX.
std::string unquoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
    if (escape) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\\') ++i;
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view ir) {
  using Kind = Token::Kind;
  std::vector<Token> tokens;
  std::uint32_t line = 1;
  std::size_t at = 0;
  const auto quoted = [&] {  // `at` is at the quote
    const std::size_t end = ir.find('"', at + 1);
    const std::string_view inside = ir.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    at = end == std::string_view::npos ? ir.size() : end + 1;
    return unquoted(inside);
  };
  const auto name = [&] {
    if (at < ir.size() && ir[at] == '"') return quoted();
    const std::size_t begin = at;
    while (at < ir.size() && is_name(ir[at])) ++at;
    return std::string(ir.substr(begin, at - begin));
  };
  while (at < ir.size()) {
    const char c = ir[at];
    if (c == '\n') {
      tokens.push_back({Kind::line_end, "", line++});
      ++at;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else if (c == ';') {
      while (at < ir.size() && ir[at] != '\n') ++at;
    } else if (c == '%' || c == '@' || c == '!') {
      ++at;
      const Kind kind = c == '%' ? Kind::local : c == '@' ? Kind::global : Kind::metadata;
      tokens.push_back({kind, name(), line});
    } else if (c == '"') {
      tokens.push_back({Kind::text, quoted(), line});
    } else if (is_name(c)) {
      tokens.push_back({Kind::word, name(), line});
    } else {
      tokens.push_back({Kind::sign, std::string(1, c), line});
      ++at;
    }
  }
  tokens.push_back({Kind::line_end, "", line});
  tokens.push_back({Kind::end, "", line});
  return tokens;
}

}  // namespace warpwalk::nvvm
