#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::trace {

/// Times are limited to +-2^62 ns, so that the sum of a start and a duration fits 64 bits.
constexpr std::int64_t time_limit = std::int64_t{1} << 62;

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// The first character at or after `at` that is not a digit, or `end`.
inline const char* skip_digits(const char* at, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {  // eight digits at once
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      word ^= 0x3030303030303030u;  // digits become 0 to 9
      // Sets the top bit of each byte above 9. A carry only changes bytes after such a byte.
      const std::uint64_t others = ((word + 0x7676767676767676u) | word) & 0x8080808080808080u;
      if (others != 0) return at + std::countr_zero(others) / 8;
      at += 8;
    }
  }
  while (at != end && is_digit(*at)) ++at;
  return at;
}

/// Converts decimal microseconds to nanoseconds exactly (a double would lose about 250 ns at today's date). Rounds to
/// three decimals. Returns nullopt if the text is not a number or exceeds time_limit.
std::optional<std::int64_t> parse_microseconds(std::string_view microseconds);
/// Parses an integer, including forms such as 4.0 and 4e0. Values of 2^63 and more (addresses, hashes) become negative
/// with the same 64 bits. Returns nullopt if the text is not a number, has a fraction or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);
/// Parses a finite number; nullopt if the text is not one.
std::optional<double> parse_real(std::string_view text);

/// The inverse of parse_microseconds(): appends microseconds with three decimals.
void append_microseconds(std::string& out, std::int64_t nanoseconds);
void append_integer(std::string& out, std::int64_t value);
/// Appends the shortest text that parses to the same number. `value` must be finite.
void append_real(std::string& out, double value);

}  // namespace warpwalk::trace
