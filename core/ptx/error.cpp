#include "core/ptx/error.h"

#include <string_view>

#include <fmt/format.h>

namespace warpwalk::ptx {
namespace {

/// Escapes unprintable characters so that the message stays one readable line.
std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  return shown;
}

}  // namespace

std::string Error::text() const {
  if (token.empty()) return fmt::format("{}:{}: end of text: {}", line, column, message);
  return fmt::format("{}:{}: `{}`: {}", line, column, printable(token), message);
}

}  // namespace warpwalk::ptx
