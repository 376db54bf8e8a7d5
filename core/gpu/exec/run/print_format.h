#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpwalk::gpu {

/// Access to the arguments of a kernel's printf.
struct PrintSource {
  /// Returns the next argument: a number of 4 or 8 bytes, aligned to its size in the argument buffer.
  std::function<std::uint64_t(int bytes)> next;
  /// Returns the null-terminated string at a device address.
  std::function<std::string(std::uint64_t address)> text;
};

struct Printed {
  std::string text;
  int arguments = 0;  ///< number of arguments used
};

/// Formats like the device's printf (CUDA C++ Programming Guide, "Formatted Output"). Unknown conversions are printed
/// verbatim.
Printed print_formatted(std::string_view format, const PrintSource& source);

}  // namespace warpwalk::gpu
