#include "core/base/base64.h"

namespace warpwalk::base {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The 6-bit value of a base64 character, or -1 if it is not in the alphabet.
int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(k <= n ? alphabet[group >> (18 - 6 * k) & 63] : '=');
  }
  return out;
}

std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::size_t digits = text.size();
  while (digits != 0 && text.size() - digits < 2 && text[digits - 1] == '=') --digits;
  std::vector<std::uint8_t> out;
  out.reserve(digits * 3 / 4);
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const int value = value_of(text[i]);
    if (value < 0) return {};
    group = (group << 6 | static_cast<std::uint32_t>(value)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<std::uint8_t>(group >> bits));
  }
  if ((group & ((1u << bits) - 1)) != 0) return {};
  return out;
}

}  // namespace warpwalk::base
