#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/json/json_cursor.h"

namespace warpwalk::trace {

/// Decodes a JSON string: resolves escapes and replaces invalid UTF-8 by U+FFFD. If one escape is invalid, the writer
/// did not escape the text, and all backslashes are kept, but those of quotes. Returns a view of `raw` or of `scratch`.
/// Adds the problems found to `irregular`.
std::string_view decode(const RawText& raw, std::string& scratch, std::uint32_t& irregular);

enum class Backslashes : std::uint8_t { escape, literal };
/// The same if it is known what backslashes mean; `escape`: all escapes are valid.
std::string_view decode(const RawText& raw, Backslashes meaning, std::string& scratch, std::uint32_t& irregular);

/// Whether the name of a Python frame, not decoded, has a path whose escapes are valid, but stand for characters that
/// no path has: "torch\nn\functional.py(12): f".
bool is_unescaped_path(std::string_view raw);

/// Converts a value to strict JSON: words become null, trailing commas are removed, strings are decoded and re-escaped.
/// Adds the problems that only decoding finds to `irregular`. Idempotent.
std::string strict_json(std::string_view value, std::uint32_t& irregular);

/// A value as strict JSON: the original text if nothing in it is irregular, else the result of strict_json in
/// `scratch`.
std::string_view to_strict_json(const RawValue& value, std::string& scratch, std::uint32_t& irregular);

/// A text of another format, with bytes that are not UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// Appends a quoted and escaped JSON string. Invalid UTF-8 becomes U+FFFD.
void append_quoted(std::string& out, std::string_view text);
/// Quotes a text on one line for messages. A long text is truncated at a character boundary.
std::string excerpt(std::string_view text, std::size_t max_bytes = 60);

}  // namespace warpwalk::trace
