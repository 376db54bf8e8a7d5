#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwalk::trace {

/// What was read that strict JSON does not allow, as bits.
enum Irregular : std::uint32_t {
  irregular_word = 1,        ///< inf, nan, N/A ... where a number belongs
  irregular_escape = 2,      ///< a backslash escape that JSON does not know
  irregular_control = 4,     ///< a raw control character in a string
  irregular_utf8 = 8,        ///< bytes of a string that are no UTF-8
  irregular_comma = 16,      ///< a trailing comma
  non_ascii = 32,            ///< no fault, but only decode() tells whether it is UTF-8
};

/// A string as it stands in the text, between its quotes.
struct RawText {
  std::string_view text;
  bool escaped = false;    ///< holds a backslash
  bool plain = true;       ///< printable ASCII without escapes: what is there is what is meant
};

/// A value as it stands in the text.
struct RawValue {
  enum class Type : std::uint8_t { string, number, word, boolean, null, array, object };
  Type type = Type::null;
  RawText text;                  ///< of a string: between the quotes; of all others: the whole value
  std::uint32_t irregular = 0;   ///< bits of Irregular found inside
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

  /// Skips white space and says what follows, 0 at the end of the window.
  char peek();
  /// Takes this character if it is next after white space.
  bool take(char c);
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
  bool value(RawValue& out, int depth);
  bool container(char close, int depth);
  bool scalar(RawValue& out);
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

/// The text that is meant: escapes resolved, invalid UTF-8 replaced by U+FFFD, unknown escapes left as they are.
/// Returns either a view of `raw` or of `scratch`; adds to `irregular`.
std::string_view decode(const RawText& raw, std::string& scratch, std::uint32_t& irregular);

/// The same value as strict JSON: words become null, trailing commas go, strings are decoded and escaped again. Adds to
/// `irregular` what only decoding shows.
std::string strict_json(std::string_view value, std::uint32_t& irregular);

/// Appends a string with its quotes, escaped as JSON asks for.
void append_quoted(std::string& out, std::string_view text);

}  // namespace warpwalk::trace
