#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace warpwalk::compiled {

// The characters of MLIR's text form: brackets, quoted texts and identifiers.

inline constexpr auto mlir_nowhere = std::string_view::npos;

inline std::string_view mlir_trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A character of names: %values_5, #loc3, tt.reduce, @f, "ttg.num-warps".
inline bool mlir_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '-';
}

/// The index after the name that begins at `at`. A "-" belongs to it unless it begins an arrow.
inline std::size_t mlir_name_end(std::string_view text, std::size_t at) {
  while (at < text.size() && mlir_name_character(text[at]) &&
         !(text[at] == '-' && at + 1 < text.size() && text[at + 1] == '>'))
    ++at;
  return std::min(at, text.size());
}

/// The index after the quoted text that begins at `at`.
inline std::size_t mlir_quote_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Goes over a text and knows how deep in brackets it is. Quoted texts are passed over as a whole.
class MlirScan {
 public:
  explicit MlirScan(std::string_view text, std::size_t at = 0) : text_(text), at_(std::min(at, text.size())) {}

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t at() const { return at_; }
  int depth() const { return depth_; }
  char character() const { return text_[at_]; }

  /// The step past the current character, or past the quoted text that begins here.
  void next() {
    const char c = text_[at_];
    if (c == '"') {
      at_ = mlir_quote_end(text_, at_);
      return;
    }
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth_;
    const bool arrow = c == '>' && at_ > 0 && text_[at_ - 1] == '-';
    if ((c == ')' || c == ']' || c == '}' || (c == '>' && !arrow)) && depth_ > 0) --depth_;
    ++at_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// The index after the bracket that closes the one at `open`; the end of the text if none does.
inline std::size_t mlir_bracket_end(std::string_view text, std::size_t open) {
  MlirScan scan(text, open);
  while (!scan.at_end()) {
    scan.next();
    if (scan.depth() == 0) break;
  }
  return scan.at();
}

}  // namespace warpwalk::compiled
