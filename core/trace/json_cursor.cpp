#include "core/trace/json_cursor.h"

#include <bit>
#include <cstring>

namespace warpwalk::trace {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

constexpr std::uint64_t repeat(unsigned char c) { return 0x0101010101010101u * std::uint64_t{c}; }

// Marks (in each byte's top bit) the bytes of `word` that end or complicate a string: a quote, a backslash, a control
// character or a byte of UTF-8. Only the lowest mark is exact, since a borrow can run into higher bytes.
std::uint64_t special_bytes(std::uint64_t word) {
  const auto zero_in = [](std::uint64_t x) { return (x - repeat(0x01)) & ~x; };
  const std::uint64_t below_space = word - repeat(0x20);
  return (zero_in(word ^ repeat('"')) | zero_in(word ^ repeat('\\')) | (below_space & ~word) | word) & repeat(0x80);
}

// The next special byte at or after `at`, or `end`.
const char* find_special(const char* at, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      if (const std::uint64_t marks = special_bytes(word); marks != 0) return at + std::countr_zero(marks) / 8;
      at += 8;
    }
  }
  while (at != end) {
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"' || c == '\\' || c < 0x20 || c >= 0x80) break;
    ++at;
  }
  return at;
}

// What may stand in a number or a bare word: inf, -Infinity, NaN, N/A, null, true, 1.5e+3.
bool is_word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.' ||
         c == '/' || c == '#' || c == '_';
}

bool is_number(std::string_view word) {
  std::size_t i = word.starts_with('-') || word.starts_with('+') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < word.size() && word[i] >= '0' && word[i] <= '9') ++i;
    return i != from;
  };
  if (!digits()) return false;
  if (i < word.size() && word[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
    ++i;
    if (i < word.size() && (word[i] == '-' || word[i] == '+')) ++i;
    if (!digits()) return false;
  }
  return i == word.size();
}

// Length of the well-formed UTF-8 sequence at text[i], or 0 (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
  };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xc0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return continues(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = lead == 0xed ? 0x9f : 0xbf;
    return byte(1) >= low && byte(1) <= high && continues(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
    return byte(1) >= low && byte(1) <= high && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t b) { out.push_back(static_cast<char>(b)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

constexpr std::uint32_t replacement = 0xfffd;

// Four hexadecimal digits at text[i], or -1.
int hex4(std::string_view text, std::size_t i) {
  if (i + 4 > text.size()) return -1;
  int value = 0;
  for (std::size_t k = i; k < i + 4; ++k) {
    const char c = text[k];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// Appends what the escape at text[i] (a backslash) means; returns its length.
std::size_t append_escape(std::string& out, std::string_view text, std::size_t i, std::uint32_t& irregular) {
  const char c = i + 1 < text.size() ? text[i + 1] : '\0';
  switch (c) {
    case '"': case '\\': case '/': out.push_back(c); return 2;
    case 'b': out.push_back('\b'); return 2;
    case 'f': out.push_back('\f'); return 2;
    case 'n': out.push_back('\n'); return 2;
    case 'r': out.push_back('\r'); return 2;
    case 't': out.push_back('\t'); return 2;
    default: break;
  }
  const int unit = c == 'u' ? hex4(text, i + 2) : -1;
  if (unit < 0) {  // a Windows path, most often: the backslash is meant
    irregular |= irregular_escape;
    out.push_back('\\');
    return 1;
  }
  auto code = static_cast<std::uint32_t>(unit);
  std::size_t length = 6;
  if (code >= 0xd800 && code < 0xdc00 && text.substr(i + 6, 2) == "\\u") {
    const int low = hex4(text, i + 8);
    if (low >= 0xdc00 && low < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<std::uint32_t>(low) - 0xdc00);
      length = 12;
    }
  }
  if (code >= 0xd800 && code < 0xe000) {
    code = replacement;
    irregular |= irregular_utf8;
  }
  append_utf8(out, code);
  return length;
}

void append_strict(std::string& out, JsonCursor& cursor, std::uint32_t& irregular);

void append_members(std::string& out, JsonCursor& cursor, char close, std::uint32_t& irregular) {
  bool first = true;
  while (!cursor.take(close)) {
    if (cursor.take(',')) continue;
    if (cursor.peek() == 0) return;
    if (!first) out += ", ";
    first = false;
    if (close == '}') {
      RawText key;
      if (!cursor.string(key)) return;
      std::string scratch;
      append_quoted(out, decode(key, scratch, irregular));
      out += ": ";
      cursor.take(':');
    }
    append_strict(out, cursor, irregular);
  }
}

void append_strict(std::string& out, JsonCursor& cursor, std::uint32_t& irregular) {
  if (cursor.take('[')) {
    out.push_back('[');
    append_members(out, cursor, ']', irregular);
    out.push_back(']');
    return;
  }
  if (cursor.take('{')) {
    out.push_back('{');
    append_members(out, cursor, '}', irregular);
    out.push_back('}');
    return;
  }
  RawValue value;
  if (!cursor.value(value)) {
    out += "null";
    cursor.skip(cursor.peek() == 0 ? 0 : 1);
    return;
  }
  std::string scratch;
  switch (value.type) {
    case RawValue::Type::string: append_quoted(out, decode(value.text, scratch, irregular)); break;
    case RawValue::Type::word: out += "null"; break;
    case RawValue::Type::number:
      // JSON knows no leading plus and no leading zeros; both have been seen.
      scratch.assign(value.text.text);
      if (scratch.starts_with('+')) scratch.erase(0, 1);
      {
        const std::size_t digit = scratch.starts_with('-') ? 1 : 0;
        while (scratch.size() > digit + 1 && scratch[digit] == '0' && scratch[digit + 1] >= '0' && scratch[digit + 1] <= '9')
          scratch.erase(digit, 1);
      }
      out += scratch;
      break;
    default: out += value.text.text;
  }
}

}  // namespace

char JsonCursor::peek() {
  while (at_ != end_ && is_space(*at_)) ++at_;
  if (at_ == end_) {
    if (!complete_) need_more_ = true;
    return 0;
  }
  return *at_ == 0 ? '\x01' : *at_;  // a NUL in the text is a character like others, not the end
}

bool JsonCursor::take(char c) {
  if (peek() != c) return false;
  ++at_;
  return true;
}

bool JsonCursor::string(RawText& out) {
  if (!take('"')) return false;
  const char* const from = at_;
  out.escaped = false;
  out.plain = true;
  for (;;) {
    at_ = find_special(at_, end_);
    if (at_ == end_) return ran_out();
    const char c = *at_;
    if (c == '"') break;
    out.plain = false;
    if (c == '\\') {
      out.escaped = true;
      if (end_ - at_ < 2) return ran_out();
      at_ += 2;
    } else {
      irregular_ |= static_cast<unsigned char>(c) < 0x20 ? irregular_control : non_ascii;
      ++at_;
    }
  }
  out.text = {from, static_cast<std::size_t>(at_ - from)};
  ++at_;
  return true;
}

bool JsonCursor::scalar(RawValue& out) {
  const char* const from = at_;
  while (at_ != end_ && is_word_char(*at_)) ++at_;
  if (at_ == end_ && !complete_) return ran_out();
  const std::string_view word(from, static_cast<std::size_t>(at_ - from));
  if (word.empty()) return at_ == end_ ? ran_out() : false;
  out.text.text = word;
  if (is_number(word)) {
    out.type = RawValue::Type::number;
    const bool leading_zero = word.size() > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9';
    const bool minus_zero = word.size() > 2 && word[0] == '-' && word[1] == '0' && word[2] >= '0' && word[2] <= '9';
    if (word[0] == '+' || leading_zero || minus_zero) irregular_ |= irregular_word;
  } else if (word == "null") {
    out.type = RawValue::Type::null;
  } else if (word == "true" || word == "false") {
    out.type = RawValue::Type::boolean;
  } else {
    // Only words that profilers are known to write for "no number"; anything else is a sign of a broken string before it.
    std::string lower;
    for (const char c : word) lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    std::string_view bare = lower;
    if (bare.starts_with('-') || bare.starts_with('+')) bare.remove_prefix(1);
    if (bare != "inf" && bare != "infinity" && bare != "nan" && bare != "n/a" && bare != "none" && !bare.starts_with("1.#"))
      return false;
    out.type = RawValue::Type::word;
    irregular_ |= irregular_word;
  }
  return true;
}

bool JsonCursor::container(char close, int depth) {
  ++at_;
  bool after_comma = false;
  for (;;) {
    const char c = peek();
    if (c == 0) return ran_out();
    if (c == close) {
      if (after_comma) irregular_ |= irregular_comma;
      ++at_;
      return true;
    }
    if (close == '}') {
      RawText key;
      if (!string(key)) return false;
      if (!take(':')) return at_ == end_ ? ran_out() : false;
      if (peek() == 0) return ran_out();
    }
    RawValue element;
    if (!value(element, depth + 1)) return false;
    after_comma = take(',');
    if (!after_comma && peek() != close) return at_ == end_ ? ran_out() : false;
  }
}

bool JsonCursor::value(RawValue& out, int depth) {
  const char c = peek();
  if (c == 0) return ran_out();
  const std::uint32_t before = irregular_;
  irregular_ = 0;
  bool read = false;
  if (c == '"') {
    out.type = RawValue::Type::string;
    read = string(out.text);
  } else if (c == '[' || c == '{') {
    if (depth >= max_depth) {
      too_deep_ = true;
      return false;
    }
    const char* const from = at_;
    out.type = c == '[' ? RawValue::Type::array : RawValue::Type::object;
    read = container(c == '[' ? ']' : '}', depth);
    out.text.text = {from, static_cast<std::size_t>(at_ - from)};
  } else {
    read = scalar(out);
  }
  out.irregular = irregular_;
  irregular_ |= before;
  return read;
}

std::string_view decode(const RawText& raw, std::string& scratch, std::uint32_t& irregular) {
  if (raw.plain) return raw.text;
  scratch.clear();
  for (std::size_t i = 0; i < raw.text.size();) {
    const auto c = static_cast<unsigned char>(raw.text[i]);
    if (c == '\\') {
      i += append_escape(scratch, raw.text, i, irregular);
    } else if (const std::size_t n = c < 0x80 ? 1 : utf8_length(raw.text, i); n != 0) {
      scratch.append(raw.text, i, n);
      i += n;
    } else {
      irregular |= irregular_utf8;
      append_utf8(scratch, replacement);
      ++i;
    }
  }
  return scratch;
}

std::string strict_json(std::string_view value, std::uint32_t& irregular) {
  std::string out;
  JsonCursor cursor(value, true);
  append_strict(out, cursor, irregular);
  return out;
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (u < 0x20) {
          out += "\\u00";
          out.push_back(hex[u >> 4]);
          out.push_back(hex[u & 15]);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

}  // namespace warpwalk::trace
