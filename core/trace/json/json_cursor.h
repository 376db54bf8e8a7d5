#pragma once

// This folder reads JSON from a stream, also damaged. The names of the trace format are in core/trace/chrome.

#include <cstdint>
#include <string_view>

namespace warpwalk::trace {

/// Bits for deviations from strict JSON, and for text that only decoding can check.
enum Irregular : std::uint32_t {
  irregular_word = 1,     ///< inf, nan, N/A ... where a number belongs
  irregular_escape = 2,   ///< an invalid backslash escape
  irregular_control = 4,  ///< a raw control character in a string
  irregular_utf8 = 8,     ///< a string with invalid UTF-8
  irregular_comma = 16,   ///< a trailing comma
  irregular_number = 32,  ///< a leading plus or leading zeros
  non_ascii = 64,         ///< not an error; decode() checks whether it is valid UTF-8
  has_escape = 128,       ///< not an error; decode() checks whether the escape is valid
};
/// The bits that are not errors.
constexpr std::uint32_t harmless_bits = non_ascii | has_escape;

/// An undecoded string: the text between its quotes.
struct RawText {
  std::string_view text;
  bool plain = true;  ///< printable ASCII without escapes, so no decoding is needed
};

/// An undecoded value.
struct RawValue {
  enum class Type : std::uint8_t { null, string, number, word, boolean, array, object };
  RawText text;                 ///< string: the text between the quotes; others: the whole value
  std::uint32_t irregular = 0;  ///< bits of Irregular found inside
  Type type = Type::null;
};

/// Reads JSON, including the malformed JSON that profilers write, from a window on a longer text. Each call either
/// reads one complete item or fails. If the window ended first, need_more() is true: retry with a larger window.
/// Otherwise the text is malformed. No JSON library is used, because none continues after raw newlines, unknown
/// escapes, N/A or unescaped quotes, and one bad name must not make the whole file unreadable.
class JsonCursor {
 public:
  /// `complete`: the text ends with the window, so reaching its end does not set need_more().
  JsonCursor(std::string_view window, bool complete)
      : at_(window.data()), end_(window.data() + window.size()), begin_(at_), complete_(complete) {}

  /// Skips white space and returns the next character, or 0 at the end of the window. A NUL in the text is returned as
  /// 1.
  char peek() {
    if (at_ != end_ && *at_ > ' ') return *at_;
    if (end_ - at_ > 1 && *at_ == ' ' && at_[1] > ' ') return *++at_;  // the one space after a colon or comma
    return peek_after_space();
  }
  /// Skips white space and consumes `c` if it is next. Returns whether it was.
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool string(RawText& out);
  /// Reads any value; arrays and objects as a whole, nested at most max_depth deep.
  bool value(RawValue& out) { return value(out, 0); }

  /// The text that is not read yet.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  void skip(std::size_t n) { at_ += n; }
  bool need_more() const { return need_more_; }
  bool at_end() const { return at_ == end_; }
  bool too_deep() const { return too_deep_; }
  /// Bits of Irregular found since the last reset.
  std::uint32_t irregular() const { return irregular_; }
  void reset_irregular() { irregular_ = 0; }

  static constexpr int max_depth = 64;

 private:
  char peek_after_space();
  bool value(RawValue& out, int depth);
  bool container(char close, int depth);
  bool number(RawValue& out);
  bool word(RawValue& out, const char* from);
  bool ran_out() {
    need_more_ = true;
    return false;
  }

  const char* at_;
  const char* end_;
  const char* begin_;
  bool complete_;
  bool need_more_ = false;
  bool too_deep_ = false;
  std::uint32_t irregular_ = 0;
};

}  // namespace warpwalk::trace
