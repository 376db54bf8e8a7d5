// std::from_chars for double and float, which libc++ 19 does not have. scripts/browser appends this file to <charconv>.
#ifndef WARPWALK_CHARCONV_DOUBLE
#define WARPWALK_CHARCONV_DOUBLE
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>

_LIBCPP_BEGIN_NAMESPACE_STD

inline double __warpwalk_parse(const char* text, char** end, double) { return ::strtod(text, end); }
inline float __warpwalk_parse(const char* text, char** end, float) { return ::strtof(text, end); }

template <class _Real>
  requires(is_same_v<_Real, double> || is_same_v<_Real, float>)
from_chars_result from_chars(const char* first, const char* last, _Real& value) {
  const char* const digits = first != last && *first == '-' ? first + 1 : first;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // strtod also reads spaces, a plus and hexadecimal numbers.
  const bool starts = digits != last && (is_digit(*digits) || *digits == '.' || *digits == 'i' || *digits == 'I' ||
                                         *digits == 'n' || *digits == 'N');
  if (!starts) return {first, errc::invalid_argument};
  const bool hexadecimal = last - digits > 1 && *digits == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const string text(first, hexadecimal ? digits + 1 : last);
  char* end = nullptr;
  errno = 0;
  const _Real read = __warpwalk_parse(text.c_str(), &end, _Real());
  if (end == text.c_str()) return {first, errc::invalid_argument};
  const char* const rest = first + (end - text.c_str());
  if (errno == ERANGE && (isinf(read) || read == 0)) return {rest, errc::result_out_of_range};
  value = read;
  return {rest, errc()};
}

_LIBCPP_END_NAMESPACE_STD
#endif
