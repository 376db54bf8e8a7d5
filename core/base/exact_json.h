#pragma once

#include <string_view>

#include <rapidjson/document.h>

namespace warpwalk::base {

enum class Encoding : unsigned char {
  checked,  ///< text that is not UTF-8 is an error
  as_is,    ///< the caller has already validated the text
};

/// Parses a JSON document with exact numbers: integers that fit become 64-bit integers, all other numbers the nearest
/// double. Numbers beyond the range of a double become infinite or are rejected, those too close to 0 become 0. Deep
/// nesting does not exhaust the stack. rapidjson's own full-precision mode is not used: it has undefined behavior (a
/// shift by 64 bits) for numbers that start with the digits of 2^64 - 1 and continue.
rapidjson::ParseResult parse_exact(std::string_view text, rapidjson::Document& document,
                                   Encoding encoding = Encoding::checked);

}  // namespace warpwalk::base
