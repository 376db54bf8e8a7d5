#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::trace {

/// Times lie within +-2^62 ns, so that the sum of a start and a duration fits 64 bits.
constexpr std::int64_t time_limit = std::int64_t{1} << 62;

/// Microseconds with decimals as nanoseconds, exact (a double would lose about 250 ns at today's date); a fourth
/// decimal rounds the third. None where the text is no number or beyond time_limit.
std::optional<std::int64_t> nanoseconds(std::string_view microseconds);
/// A whole number, also when written as 4.0 or 4e0. The upper half of unsigned 64 bits (addresses, hashes) comes out
/// negative with the same bits. None where the text is no number, has a fraction or does not fit.
std::optional<std::int64_t> whole_number(std::string_view text);
/// A finite number, or none.
std::optional<double> real_number(std::string_view text);

/// The reverse of nanoseconds(): microseconds with three decimals.
void append_microseconds(std::string& out, std::int64_t nanoseconds);
void append_whole(std::string& out, std::int64_t value);
/// The shortest text that reads back as the same number. `value` must be finite.
void append_real(std::string& out, double value);

}  // namespace warpwalk::trace
