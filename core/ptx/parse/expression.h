#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/ptx/instruction.h"
#include "core/ptx/parse/lexer.h"

namespace warpwalk::ptx {

/// A number in the text. Integers have 64 bits; an f32 is in the low 32 bits.
struct Constant {
  std::uint64_t bits = 0;
  Literal literal = Literal::integer;
  bool is_unsigned = false;  ///< .u64 rather than .s64: written with U, or too large for .s64

  std::int64_t as_signed() const { return static_cast<std::int64_t>(bits); }
};

/// Parses a number: "0x1F", "017", "0b101", "12U", "0f3F800000", "0d3FF0000000000000", "1.5e3". Returns nullopt if the
/// text is not a number or does not fit into 64 bits.
std::optional<Constant> read_number(std::string_view text);

/// True if a constant expression can begin with this token.
bool begins_constant(const Token& token);

/// Parses a constant expression (PTX ISA, "Constant Expressions"): C operators on integers, the casts (.s64) and
/// (.u64), and a sign before a floating-point number.
Constant parse_constant(Lexer& in);

/// Parses an integer from 0 to `limit`. The error message is "expected <what>".
std::uint64_t parse_count(Lexer& in, std::uint64_t limit, std::string_view what);

}  // namespace warpwalk::ptx
