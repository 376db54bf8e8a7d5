#include "core/trace/json/json_text.h"

#include "core/base/text.h"

namespace warpwalk::trace {
namespace {

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

constexpr std::uint32_t replacement = 0xfffd;

// Four hexadecimal digits at text[i], or -1.
int hex4(std::string_view text, std::size_t i) {
  if (i + 4 > text.size()) return -1;
  int value = 0;
  for (std::size_t k = i; k < i + 4; ++k) {
    const char c = text[k];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// The unit of a \u escape at text[i] (a backslash); -1 for other escapes, and if digits are missing.
int unicode_escape(std::string_view text, std::size_t i) {
  return i + 1 < text.size() && text[i + 1] == 'u' ? hex4(text, i + 2) : -1;
}

// Whether all escapes of a string are valid. If one is not, the writer did not escape the text, which mostly is a
// Windows path, so that no backslash of it begins an escape.
bool has_valid_escapes(std::string_view text) {
  constexpr std::string_view single = "\"\\/bfnrt";
  for (std::size_t i = text.find('\\'); i < text.size(); i = text.find('\\', i)) {
    const bool valid =
        i + 1 < text.size() && (single.find(text[i + 1]) != std::string_view::npos || unicode_escape(text, i) >= 0);
    if (!valid) return false;
    i += 2;
  }
  return true;
}

// Decodes and appends the valid escape at text[i] (a backslash). Returns its length.
std::size_t append_escape(std::string& out, std::string_view text, std::size_t i, std::uint32_t& irregular) {
  const char c = text[i + 1];
  switch (c) {
    case '"':
    case '\\':
    case '/': out.push_back(c); return 2;
    case 'b': out.push_back('\b'); return 2;
    case 'f': out.push_back('\f'); return 2;
    case 'n': out.push_back('\n'); return 2;
    case 'r': out.push_back('\r'); return 2;
    case 't': out.push_back('\t'); return 2;
    default: break;
  }
  auto code = static_cast<std::uint32_t>(unicode_escape(text, i));
  std::size_t length = 6;
  if (code >= 0xd800 && code < 0xdc00 && text.substr(i + 6, 1) == "\\") {
    const int low = unicode_escape(text, i + 6);
    if (low >= 0xdc00 && low < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<std::uint32_t>(low) - 0xdc00);
      length = 12;
    }
  }
  if (code >= 0xd800 && code < 0xe000) {
    code = replacement;
    irregular |= irregular_utf8;
  }
  base::append_utf8(out, code);
  return length;
}

// Removes a leading plus and leading zeros: JSON does not allow them, but profilers write them.
void append_strict_number(std::string& out, std::string_view number) {
  if (number.starts_with('-')) out.push_back('-');
  if (number.starts_with('-') || number.starts_with('+')) number.remove_prefix(1);
  while (number.size() > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9') number.remove_prefix(1);
  out += number;
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
    case RawValue::Type::number: append_strict_number(out, value.text.text); break;
    default: out += value.text.text;
  }
}

}  // namespace

std::string_view decode(const RawText& raw, std::string& scratch, std::uint32_t& irregular) {
  if (raw.plain) return raw.text;
  const bool escaped = has_valid_escapes(raw.text);
  if (!escaped) irregular |= irregular_escape;
  return decode(raw, escaped ? Backslashes::escape : Backslashes::literal, scratch, irregular);
}

std::string_view decode(const RawText& raw, Backslashes meaning, std::string& scratch, std::uint32_t& irregular) {
  if (raw.plain) return raw.text;
  scratch.clear();
  for (std::size_t i = 0; i < raw.text.size();) {
    const auto c = static_cast<unsigned char>(raw.text[i]);
    if (c == '\\' && meaning == Backslashes::escape) {
      i += append_escape(scratch, raw.text, i, irregular);
    } else if (c == '\\') {
      // A quote after it would have ended the string, so the writer escaped quotes.
      if (raw.text.substr(i + 1, 1) != "\"") scratch.push_back('\\');
      ++i;
    } else if (const std::size_t n = c < 0x80 ? 1 : utf8_length(raw.text, i); n != 0) {
      scratch.append(raw.text, i, n);
      i += n;
    } else {
      irregular |= irregular_utf8;
      base::append_utf8(scratch, replacement);
      ++i;
    }
  }
  return scratch;
}

bool is_unescaped_path(std::string_view raw) {
  const std::size_t python = raw.find(".py(");
  if (python == std::string_view::npos) return false;
  const std::string_view path = raw.substr(0, python);
  for (std::size_t i = path.find('\\'); i < path.size(); i = path.find('\\', i)) {
    constexpr std::string_view of_control_characters = "bfnrt";
    if (i + 1 < path.size() && of_control_characters.find(path[i + 1]) != std::string_view::npos) return true;
    i += 2;
  }
  return false;
}

std::string strict_json(std::string_view value, std::uint32_t& irregular) {
  std::string out;
  JsonCursor cursor(value, true);
  append_strict(out, cursor, irregular);
  return out;
}

std::string_view to_strict_json(const RawValue& value, std::string& scratch, std::uint32_t& irregular) {
  std::string_view text = value.text.text;
  if (value.type == RawValue::Type::string) text = {text.data() - 1, text.size() + 2};  // including its quotes
  if (value.irregular == 0) return text;
  scratch = strict_json(text, irregular);
  return scratch;
}

std::string valid_utf8(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return std::string(text);
  std::string valid, scratch;
  std::uint32_t irregular = 0;
  for (std::size_t at = 0; at <= text.size();) {
    // decode() is for JSON strings, so backslashes go around it.
    const std::size_t end = std::min(text.find('\\', at), text.size());
    valid += decode({text.substr(at, end - at), false}, scratch, irregular);
    if (end != text.size()) valid.push_back('\\');
    at = end + 1;
  }
  return valid;
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out.push_back('"');
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      const std::size_t n = utf8_length(text, i);
      if (n != 0)
        out.append(text, i, n);
      else
        base::append_utf8(out, replacement);
      i += n != 0 ? n : 1;
      continue;
    }
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (c < 0x20) {
          out += "\\u00";
          out.push_back(hex[c >> 4]);
          out.push_back(hex[c & 15]);
        } else {
          out.push_back(static_cast<char>(c));
        }
    }
    ++i;
  }
  out.push_back('"');
}

std::string excerpt(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    std::size_t end = max_bytes;
    const auto inside_letter = [&] { return (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80; };
    while (end != 0 && max_bytes - end < 3 && inside_letter()) --end;
    text = text.substr(0, end);
  }
  std::string out;
  append_quoted(out, text);
  return out;
}

}  // namespace warpwalk::trace
