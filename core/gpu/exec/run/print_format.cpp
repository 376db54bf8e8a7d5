#include "core/gpu/exec/run/print_format.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace warpwalk::gpu {

namespace {

constexpr int max_width = 4096;

/// One conversion specification: %, flags, width, precision, size, letter.
struct Conversion {
  std::string flags;
  int width = -1, precision = -1;                     ///< -1: not given
  bool width_given = false, precision_given = false;  ///< given as arguments: `*`
  int bytes = 4;                                      ///< size of an integer argument
  char letter = 0;
  std::size_t length = 0;  ///< length in characters
};

int number(std::string_view format, std::size_t& at) {
  int value = 0;
  for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at) {
    value = std::min(value * 10 + (format[at] - '0'), max_width);
  }
  return value;
}

/// Parses the conversion at the start of `format`. The letter is 0 if the format ends too early.
Conversion conversion_of(std::string_view format) {
  Conversion found;
  std::size_t at = 1;
  const auto here = [&] { return at < format.size() ? format[at] : '\0'; };
  const auto any_of = [&](std::string_view letters) { return here() != '\0' && letters.find(here()) != letters.npos; };
  while (any_of("-+ #0")) found.flags += format[at++];
  if (here() == '*') {
    found.width_given = true;
    ++at;
  } else if (any_of("123456789")) {
    found.width = number(format, at);
  }
  if (here() == '.') {
    ++at;
    if (here() == '*') {
      found.precision_given = true;
      ++at;
    } else {
      found.precision = number(format, at);
    }
  }
  for (; any_of("hlLqjzt"); ++at) found.bytes = here() == 'h' ? std::max(found.bytes / 2, 1) : 8;
  found.letter = here();
  found.length = std::min(at + 1, format.size());
  return found;
}

template <class T>
std::string formatted(const Conversion& how, std::string_view size, T value) {
  std::string specification = "%" + how.flags;
  if (how.width >= 0) specification += std::to_string(how.width);
  if (how.precision >= 0) specification += "." + std::to_string(how.precision);
  specification.append(size) += how.letter;
  const int length = std::snprintf(nullptr, 0, specification.c_str(), value);
  std::string text(static_cast<std::size_t>(std::max(length, 0)) + 1, '\0');
  std::snprintf(text.data(), text.size(), specification.c_str(), value);
  text.pop_back();
  return text;
}

}  // namespace

Printed print_formatted(std::string_view format, const PrintSource& source) {
  Printed printed;
  const auto next = [&](int bytes) {
    ++printed.arguments;
    return source.next(bytes);
  };
  while (!format.empty()) {
    const std::size_t plain = std::min(format.find('%'), format.size());
    printed.text.append(format.substr(0, plain));
    format.remove_prefix(plain);
    if (format.empty()) break;
    Conversion how = conversion_of(format);
    const std::string_view written = format.substr(0, how.length);
    format.remove_prefix(how.length);
    const auto given = [&] { return std::min(static_cast<int>(static_cast<std::int32_t>(next(4))), max_width); };
    if (how.width_given) {
      how.width = given();
      if (how.width < 0) {
        how.flags += '-';
        how.width = std::min(-how.width, max_width);
      }
    }
    if (how.precision_given) how.precision = std::max(given(), -1);
    switch (how.letter) {
      case '%': printed.text += '%'; break;
      case 'd':
      case 'i': {
        const int unused = 64 - 8 * how.bytes;
        const auto value = static_cast<std::int64_t>(next(std::max(how.bytes, 4)) << unused) >> unused;
        printed.text += formatted(how, "ll", static_cast<long long>(value));
        break;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        const int unused = 64 - 8 * how.bytes;
        const std::uint64_t value = next(std::max(how.bytes, 4)) << unused >> unused;
        printed.text += formatted(how, "ll", static_cast<unsigned long long>(value));
        break;
      }
      case 'c': printed.text += formatted(how, "", static_cast<int>(next(4) & 0xff)); break;
      case 'p':
        printed.text += formatted(how, "", reinterpret_cast<void*>(static_cast<std::uintptr_t>(next(8))));
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': printed.text += formatted(how, "", std::bit_cast<double>(next(8))); break;
      case 's': {
        const std::uint64_t address = next(8);
        printed.text += formatted(how, "", (address == 0 ? "(null)" : source.text(address)).c_str());
        break;
      }
      default: printed.text.append(written); break;
    }
  }
  return printed;
}

}  // namespace warpwalk::gpu
