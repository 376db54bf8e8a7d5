#include "instrumentation/simulated/driver/jit_options.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace warpwalk::simulated {
namespace {

/// Numbers of CUjit_option.
enum JitOption : int { wall_time = 2, info_buffer = 3, info_bytes = 4, error_buffer = 5, error_bytes = 6 };

/// The place of an option's value; null if the option was not given.
void** find_value(const JitOptions& given, JitOption option) {
  for (unsigned i = 0; i < given.count; ++i)
    if (given.options[i] == option) return given.values + i;
  return nullptr;
}

/// The size is the value itself: before the call that of the buffer, afterwards that of the text.
void fill_log(const JitOptions& given, JitOption buffer_option, JitOption bytes_option, std::string_view text) {
  void** const buffer = find_value(given, buffer_option);
  void** const bytes = find_value(given, bytes_option);
  if (bytes == nullptr) return;
  const auto room = reinterpret_cast<std::uintptr_t>(*bytes) & 0xffffffff;
  std::size_t copied = 0;
  if (buffer != nullptr && *buffer != nullptr && room > 0) {
    copied = std::min<std::size_t>(text.size(), room - 1);
    std::memcpy(*buffer, text.data(), copied);
    static_cast<char*>(*buffer)[copied] = '\0';
  }
  *bytes = reinterpret_cast<void*>(copied);
}

}  // namespace

void JitOptions::report(std::string_view error) const {
  fill_log(*this, info_buffer, info_bytes, {});
  fill_log(*this, error_buffer, error_bytes, error);
  // A float, in the first bytes of the value: nothing was compiled for longer than it took to read the code.
  if (void** const time = find_value(*this, wall_time); time != nullptr) std::memset(time, 0, sizeof(float));
}

}  // namespace warpwalk::simulated
