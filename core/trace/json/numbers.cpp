#include "core/trace/json/numbers.h"

#include <charconv>
#include <limits>

namespace warpwalk::trace {
namespace {

// The number of 1 to 8 characters, or -1 if they are not all digits.
std::int64_t few_digits(const char* at, std::size_t size) {
  if constexpr (std::endian::native != std::endian::little) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (!is_digit(at[i])) return -1;
      value = value * 10 + (at[i] - '0');
    }
    return value;
  }
  // The characters in a word, the first one lowest, read without reading behind them.
  std::uint64_t word = 0;
  if (size == 8) {
    std::memcpy(&word, at, 8);
  } else if (size >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, at, 4);
    std::memcpy(&last, at + size - 4, 4);
    word = first | std::uint64_t{last} << (8 * (size - 4));
  } else {
    const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(at[i])} << (8 * i); };
    word = byte(0) | byte(size / 2) | byte(size - 1);
  }
  // Zeros in front make eight digits; pairs, then fours, then all eight are combined.
  word = (word ^ (0x3030303030303030u >> (64 - 8 * size))) << (64 - 8 * size);
  if ((((word + 0x7676767676767676u) | word) & 0x8080808080808080u) != 0) return -1;
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t mask = 0x000000ff000000ffu;
  constexpr std::uint64_t weights_low = 100 + (std::uint64_t{1000000} << 32);
  constexpr std::uint64_t weights_high = 1 + (std::uint64_t{10000} << 32);
  return static_cast<std::int64_t>(((word & mask) * weights_low + ((word >> 16) & mask) * weights_high) >> 32);
}

// The number of 1 to 16 characters, or -1 if they are not all digits.
std::int64_t some_digits(const char* at, std::size_t size) {
  if (size <= 8) return few_digits(at, size);
  const std::int64_t first = few_digits(at, size - 8);
  const std::int64_t last = few_digits(at + size - 8, 8);
  return first < 0 || last < 0 ? -1 : first * 100000000 + last;
}

std::optional<std::int64_t> signed_time(bool negative, std::int64_t value) {
  if (value > time_limit) return {};
  return negative ? -value : value;
}

// Parses microseconds with an exponent (rare: very large or small numbers) by moving the decimal point and parsing
// again.
std::optional<std::int64_t> scaled(bool negative, std::string_view mantissa, std::string_view exponent) {
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  int shift = 0;
  const auto [rest, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), shift);
  const bool huge = error == std::errc::result_out_of_range;
  if ((error != std::errc{} && !huge) || rest != exponent.data() + exponent.size()) return {};
  std::string digits;
  std::ptrdiff_t point = -1;
  for (const char c : mantissa) {
    if (c == '.')
      point = static_cast<std::ptrdiff_t>(digits.size());
    else
      digits.push_back(c);
  }
  if (point < 0) point = static_cast<std::ptrdiff_t>(digits.size());
  const std::size_t zeros = digits.find_first_not_of('0');
  if (zeros == std::string::npos) return 0;
  digits.erase(0, zeros);
  point -= static_cast<std::ptrdiff_t>(zeros);
  if (huge) return exponent.starts_with('-') ? std::optional<std::int64_t>(0) : std::nullopt;
  constexpr std::ptrdiff_t max_digits = 16;  // digits of time_limit in microseconds
  point += shift;
  if (point > max_digits) return {};
  if (point < -4) return 0;
  if (point <= 0) {
    digits.insert(0, static_cast<std::size_t>(1 - point), '0');
    point = 1;
  }
  while (static_cast<std::ptrdiff_t>(digits.size()) < point) digits.push_back('0');
  digits.insert(static_cast<std::size_t>(point), 1, '.');
  const auto read = parse_microseconds(digits + '0');
  return read ? signed_time(negative, *read) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_microseconds(std::string_view text) {
  // Nearly all times have three decimals; 15 digits before them are within time_limit.
  if (text.size() >= 5 && text.size() <= 15 + 4 && text[text.size() - 4] == '.') {
    const std::int64_t whole = some_digits(text.data(), text.size() - 4);
    const std::int64_t decimals = few_digits(text.data() + text.size() - 3, 3);
    if (whole >= 0 && decimals >= 0) return whole * 1000 + decimals;
  }
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  const char* const mantissa = at;
  while (end - at > 1 && *at == '0' && is_digit(at[1])) ++at;
  const char* const first = at;
  std::int64_t value = 0;
  while (at != end && is_digit(*at) && at - first < 18) value = value * 10 + (*at++ - '0');
  if (at == first) return {};
  while (at != end && is_digit(*at)) ++at;
  const bool too_large = at - first > 16 || value > time_limit / 1000;
  value = too_large ? 0 : value * 1000;
  if (at != end && *at == '.') {
    const char* const point = at++;
    std::int64_t unit = 100;
    for (; at != end && is_digit(*at); ++at) {
      if (at - point <= 3) {
        value += unit * (*at - '0');
        unit /= 10;
      } else if (at - point == 4 && *at >= '5') {
        ++value;
      }
    }
  }
  if (at == end) return too_large ? std::nullopt : signed_time(negative, value);
  if (*at != 'e' && *at != 'E') return {};
  return scaled(negative, {mantissa, static_cast<std::size_t>(at - mantissa)},
                {at + 1, static_cast<std::size_t>(end - at - 1)});
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  // Fast path: nearly all numbers are short.
  if (!text.empty() && text.size() <= 16) {
    const std::size_t sign = (text[0] == '-' || text[0] == '+') && text.size() > 1 ? 1 : 0;
    const std::int64_t value = some_digits(text.data() + sign, text.size() - sign);
    if (value >= 0) return text[0] == '-' ? -value : value;
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && rest == end) return value;
  if (error == std::errc::result_out_of_range) {
    std::uint64_t bits = 0;
    const auto [wide_rest, wide] = std::from_chars(text.data(), end, bits);
    if (wide == std::errc{} && wide_rest == end && bits != std::uint64_t{1} << 63)
      return static_cast<std::int64_t>(bits);
    return {};
  }
  const std::optional<double> real = parse_real(text);
  if (!real || !(*real > -9e15 && *real < 9e15)) return {};
  const auto whole = static_cast<std::int64_t>(*real);
  if (static_cast<double>(whole) != *real) return {};
  return whole;
}

std::optional<double> parse_real(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return {};
  if (!(value > -std::numeric_limits<double>::max() && value < std::numeric_limits<double>::max())) return {};
  return value;
}

void append_microseconds(std::string& out, std::int64_t nanoseconds) {
  std::uint64_t magnitude = static_cast<std::uint64_t>(nanoseconds);
  if (nanoseconds < 0) {
    out.push_back('-');
    magnitude = 0 - magnitude;
  }
  append_integer(out, static_cast<std::int64_t>(magnitude / 1000));
  const auto rest = static_cast<int>(magnitude % 1000);
  out.push_back('.');
  out.push_back(static_cast<char>('0' + rest / 100));
  out.push_back(static_cast<char>('0' + rest / 10 % 10));
  out.push_back(static_cast<char>('0' + rest % 10));
}

void append_integer(std::string& out, std::int64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_real(std::string& out, double value) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace warpwalk::trace
