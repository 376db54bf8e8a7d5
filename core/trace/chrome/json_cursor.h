#pragma once

#include <cstdint>
#include <string_view>

namespace warpwalk::trace {

/// What was read that strict JSON does not allow, or that only decoding can judge, as bits.
enum Irregular : std::uint32_t {
  irregular_word = 1,     ///< inf, nan, N/A ... where a number belongs
  irregular_escape = 2,   ///< a backslash escape that JSON does not know
  irregular_control = 4,  ///< a raw control character in a string
  irregular_utf8 = 8,     ///< bytes of a string that are no UTF-8
  irregular_comma = 16,   ///< a trailing comma
  irregular_number = 32,  ///< a leading plus or leading zeros
  non_ascii = 64,         ///< no fault, but only decode() tells whether it is UTF-8
  has_escape = 128,       ///< no fault, but only decode() tells whether JSON knows it
};
/// The bits that are no fault.
constexpr std::uint32_t regular = non_ascii | has_escape;

/// A string as it stands in the text, between its quotes.
struct RawText {
  std::string_view text;
  bool plain = true;  ///< printable ASCII without escapes: what is there is what is meant
};

/// A value as it stands in the text.
struct RawValue {
  enum class Type : std::uint8_t { null, string, number, word, boolean, array, object };
  RawText text;                 ///< of a string: between the quotes; of all others: the whole value
  std::uint32_t irregular = 0;  ///< bits of Irregular found inside
  Type type = Type::null;
};

/// Reads JSON, and what profilers write instead of it, from a window on a longer text. Each call either reads one thing
/// whole, or fails: `need_more` where the window ends first (give a larger window and start over), else malformed.
/// Own code, since no JSON library at hand goes on after raw newlines, unknown escapes, N/A or unescaped quotes, and
/// losing the file for one bad name is the fault of other viewers that warpwalk must not have.
class JsonCursor {
 public:
  /// `complete`: the text ends with the window, so that running out of it is not a reason to ask for more.
  JsonCursor(std::string_view window, bool complete)
      : at_(window.data()), end_(window.data() + window.size()), begin_(at_), complete_(complete) {}

  /// Skips white space and says what follows, 0 at the end of the window. (A NUL in the text comes as 1.)
  char peek() {
    if (at_ != end_ && *at_ > ' ') return *at_;
    if (end_ - at_ > 1 && *at_ == ' ' && at_[1] > ' ') return *++at_;  // the one space after a colon or comma
    return peek_after_space();
  }
  /// Takes this character if it is next after white space.
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool string(RawText& out);
  /// Any value; arrays and objects whole, down to max_depth.
  bool value(RawValue& out) { return value(out, 0); }

  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  void skip(std::size_t n) { at_ += n; }
  bool need_more() const { return need_more_; }
  bool at_end() const { return at_ == end_; }
  bool too_deep() const { return too_deep_; }
  /// Bits of Irregular met since the last reset.
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
