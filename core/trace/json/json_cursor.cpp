#include "core/trace/json/json_cursor.h"

#include <bit>
#include <cstring>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

constexpr std::uint64_t repeat(unsigned char c) { return 0x0101010101010101u * std::uint64_t{c}; }

// Marks (in each byte's top bit) the bytes of `word` that end a string or need special handling: a quote, a backslash,
// a control character or a non-ASCII byte. Only the lowest mark is exact, since a borrow can propagate to higher bytes.
std::uint64_t special_bytes(std::uint64_t word) {
  const auto zero_in = [](std::uint64_t x) { return (x - repeat(0x01)) & ~x; };
  const std::uint64_t below_space = word - repeat(0x20);
  return (zero_in(word ^ repeat('"')) | zero_in(word ^ repeat('\\')) | (below_space & ~word) | word) & repeat(0x80);
}

// The next special byte at or after `at`, or `end`.
const char* find_special(const char* at, const char* end) {
#ifdef __SSE2__  // which every x86-64 has
  while (end - at >= 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i quotes = _mm_cmpeq_epi8(text, _mm_set1_epi8('"'));
    const __m128i backslashes = _mm_cmpeq_epi8(text, _mm_set1_epi8('\\'));
    const __m128i others = _mm_cmplt_epi8(text, _mm_set1_epi8(' '));  // as signed numbers, non-ASCII bytes are negative
    const int marks = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), others));
    if (marks != 0) return at + std::countr_zero(static_cast<unsigned>(marks));
    at += 16;
  }
#endif
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

// Marks (in each byte's top bit, all exact) the bytes that are not white space.
std::uint64_t not_space(std::uint64_t word) {
  const auto differs = [](std::uint64_t x) { return ((x & repeat(0x7f)) + repeat(0x7f)) | x; };
  return differs(word ^ repeat(' ')) & differs(word ^ repeat('\n')) & differs(word ^ repeat('\r')) &
         differs(word ^ repeat('\t')) & repeat(0x80);
}

// The next byte at or after `at` that is not white space, or `end`.
const char* skip_space(const char* at, const char* end) {
  if (at != end && *at > ' ') return at;
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      if (const std::uint64_t marks = not_space(word); marks != 0) return at + std::countr_zero(marks) / 8;
      at += 8;
    }
  }
  while (at != end && is_space(*at)) ++at;
  return at;
}

// Characters allowed in a number or a bare word: inf, -Infinity, NaN, N/A, -nan(ind), null, true, 1.5e+3.
bool is_word_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.' ||
         c == '/' || c == '#' || c == '_' || c == '(' || c == ')';
}

// The end of a decimal number in strict JSON at `at`, or null if there is none or it may go on after `end`.
const char* skip_plain_number(const char* at, const char* end) {
  if (at != end && *at == '-') ++at;
  const char* const first = at;
  at = skip_digits(at, end);
  if (at == first || (*first == '0' && at - first > 1)) return nullptr;
  if (at != end && *at == '.') {
    const char* const point = at++;
    at = skip_digits(at, end);
    if (at == point + 1) return nullptr;
  }
  return at == end || is_word_char(*at) ? nullptr : at;
}

// The end of the array at `at` if it has nothing but arrays, plain strings and plain numbers in strict JSON, as sizes
// and types of tensors are written; else null. container() reads any array, but takes several times as long.
const char* skip_plain_array(const char* at, const char* end) {
  constexpr int deepest = 16;
  for (int depth = 0;;) {
    at = skip_space(at, end);
    if (at == end) return nullptr;
    if (*at == '[') {
      if (++depth == deepest) return nullptr;
      at = skip_space(at + 1, end);
      if (at == end) return nullptr;
      if (*at != ']') continue;
    } else {
      if (*at == '"') {
        at = find_special(at + 1, end);
        if (at == end || *at++ != '"') return nullptr;
      } else if ((at = skip_plain_number(at, end)) == nullptr) {
        return nullptr;
      }
      if (at != end && *at == ',') {
        ++at;
        continue;
      }
    }
    // An element may have ended here, and arrays with it.
    for (;;) {
      at = skip_space(at, end);
      if (at == end) return nullptr;
      if (*at == ',') break;
      if (*at != ']') return nullptr;
      ++at;
      if (--depth == 0) return at;
    }
    ++at;
  }
}

// Words that profilers write for a missing number. Any other word suggests a broken string before it.
bool is_missing_number_word(std::string_view word) {
  std::string lower;
  for (const char c : word) lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  std::string_view bare = lower;
  if (bare.starts_with('-') || bare.starts_with('+')) bare.remove_prefix(1);
  return bare == "inf" || bare == "infinity" || bare == "nan" || bare == "n/a" || bare == "none" ||
         (bare.starts_with("nan(") && bare.ends_with(')')) || bare.starts_with("1.#");
}

}  // namespace

char JsonCursor::peek_after_space() {
  at_ = skip_space(at_, end_);
  if (at_ == end_) {
    if (!complete_) need_more_ = true;
    return 0;
  }
  return *at_ == 0 ? '\x01' : *at_;  // a NUL in the text is an ordinary character, not the end
}

bool JsonCursor::string(RawText& out) {
  if (!take('"')) return false;
  const char* const from = at_;
  out.plain = true;
  for (;;) {
    at_ = find_special(at_, end_);
    if (at_ == end_) return ran_out();
    const char c = *at_;
    if (c == '"') break;
    out.plain = false;
    if (c == '\\') {
      irregular_ |= has_escape;
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

bool JsonCursor::number(RawValue& out) {
  const char* const from = at_;
  const char* at = at_;
  const bool plus = at != end_ && *at == '+';
  if (at != end_ && (*at == '-' || *at == '+')) ++at;
  const char* const first = at;
  at = skip_digits(at, end_);
  if (at == first) return word(out, from);
  if (plus || (*first == '0' && at - first > 1)) irregular_ |= irregular_number;
  if (at != end_ && *at == '.') {
    const char* const point = at++;
    at = skip_digits(at, end_);
    if (at == point + 1) return word(out, from);
  }
  if (at != end_ && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != end_ && (*at == '-' || *at == '+')) ++at;
    const char* const exponent = at;
    at = skip_digits(at, end_);
    if (at == exponent) return word(out, from);
  }
  if (at == end_ ? !complete_ : (*at != ',' && is_word_char(*at))) return word(out, from);
  at_ = at;
  out.type = RawValue::Type::number;
  out.text.text = {from, static_cast<std::size_t>(at - from)};
  return true;
}

bool JsonCursor::word(RawValue& out, const char* from) {
  at_ = from;
  while (at_ != end_ && is_word_char(*at_)) ++at_;
  if (at_ == end_ && !complete_) return ran_out();
  const std::string_view text(from, static_cast<std::size_t>(at_ - from));
  if (text.empty()) return at_ == end_ ? ran_out() : false;
  out.text.text = text;
  if (text == "null") {
    out.type = RawValue::Type::null;
  } else if (text == "true" || text == "false") {
    out.type = RawValue::Type::boolean;
  } else if (is_missing_number_word(text)) {
    out.type = RawValue::Type::word;
    irregular_ |= irregular_word;
  } else {
    if (at_ == end_) return ran_out();  // may be cut off
    at_ = from;
    return false;
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
    const char* const plain_end = c == '[' && depth == 0 ? skip_plain_array(at_, end_) : nullptr;
    if (plain_end != nullptr) {
      at_ = plain_end;
      read = true;
    } else {
      read = container(c == '[' ? ']' : '}', depth);
    }
    out.text = {{from, static_cast<std::size_t>(at_ - from)}};
  } else {
    out.text.plain = true;
    read = number(out);
  }
  out.irregular = irregular_;
  irregular_ |= before;
  return read;
}

}  // namespace warpwalk::trace
