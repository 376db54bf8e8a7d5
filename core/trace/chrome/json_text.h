#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/chrome/json_cursor.h"

namespace warpwalk::trace {

/// The text that is meant: escapes resolved, invalid UTF-8 replaced by U+FFFD, unknown escapes left as they are.
/// Returns either a view of `raw` or of `scratch`; adds to `irregular`.
std::string_view decode(const RawText& raw, std::string& scratch, std::uint32_t& irregular);

/// The same value as strict JSON: words become null, trailing commas go, strings are decoded and escaped again. Adds to
/// `irregular` what only decoding shows. What comes out, put in again, comes out the same.
std::string strict_json(std::string_view value, std::uint32_t& irregular);

/// A value as strict JSON: as it stands in the text where nothing in it is irregular, else through strict_json and
/// `scratch`.
std::string_view json_of(const RawValue& value, std::string& scratch, std::uint32_t& irregular);

/// Appends a string with its quotes, escaped as JSON asks for; bytes that are not UTF-8 become U+FFFD.
void append_quoted(std::string& out, std::string_view text);
/// For messages: the text or, at a letter's end, its beginning, quoted and on one line.
std::string excerpt(std::string_view text, std::size_t most_bytes = 60);

}  // namespace warpwalk::trace
