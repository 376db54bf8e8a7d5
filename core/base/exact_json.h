#pragma once

#include <string_view>

#include <rapidjson/document.h>

namespace warpwalk::base {

enum class Encoding : unsigned char {
  checked,  ///< text that is not UTF-8 is an error
  as_is,    ///< whoever gives the text has checked it
};

/// Reads a document with every number to the bit that its digits mean: whole ones as 64-bit integers where they fit,
/// others as the nearest double; beyond its range infinite, or refused. Deep nesting does not exhaust the stack.
/// rapidjson's own exact reading shifts by 64 bits for digits that begin with 2^64 - 1 and go on, which C++ leaves
/// undefined.
rapidjson::ParseResult parse_exact(std::string_view text, rapidjson::Document& document,
                                   Encoding encoding = Encoding::checked);

}  // namespace warpwalk::base
