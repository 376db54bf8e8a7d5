#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpwalk::gpu {

/// Where a printf in a kernel finds what it prints.
struct PrintSource {
  /// The next argument: a number of 4 or 8 bytes, aligned to its size in the argument buffer.
  std::function<std::uint64_t(int bytes)> next;
  /// The characters at an address of the device, to the first zero.
  std::function<std::string(std::uint64_t address)> text;
};

struct Printed {
  std::string text;
  int arguments = 0;  ///< that the format took
};

/// What printf makes of a format and its arguments (CUDA C++ Programming Guide, "Formatted Output"). A conversion that
/// CUDA does not know is printed as it stands.
Printed print_formatted(std::string_view format, const PrintSource& source);

}  // namespace warpwalk::gpu
