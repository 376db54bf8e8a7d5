#include "core/platform/packed_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/platform/deflate.h"

namespace warpwalk::platform {
namespace {

constexpr char packed_end = '~';

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// What follows the name, up to its end.
base::Result<std::string> unpacked_text(std::string_view text, std::size_t most_bytes) {
  std::size_t size = 0;
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  const auto digits = static_cast<std::size_t>(after - text.data());
  if (error != std::errc() || !text.substr(digits).starts_with('.')) return base::Error{"it is damaged"};
  if (size > most_bytes) return base::Error{fmt::format("it holds more than {} bytes", most_bytes)};
  text.remove_prefix(digits + 1);
  const std::size_t end = text.find(packed_end);
  if (end == std::string_view::npos) return base::Error{"its end is missing"};
  std::string data;  // mail programs break lines, some with a "=" at their ends
  for (const char c : text.substr(0, end))
    if (c != '=' && std::isspace(static_cast<unsigned char>(c)) == 0) data += c == '-' ? '+' : c == '_' ? '/' : c;
  data.append((4 - data.size() % 4) % 4, '=');
  const auto packed = base::from_base64(data);
  const auto bytes = packed ? inflated(*packed, size) : std::nullopt;
  if (!bytes) return base::Error{"it is damaged"};
  return std::string(bytes->begin(), bytes->end());
}

}  // namespace

std::string packed_text(std::string_view name, std::string_view text) {
  std::string data = base::to_base64(deflated(bytes_of(text)));
  std::erase(data, '=');
  std::ranges::replace(data, '+', '-');
  std::ranges::replace(data, '/', '_');
  return fmt::format("{}.{}.{}{}", name, text.size(), data, packed_end);
}

std::vector<base::Result<std::string>> packed_texts(std::string_view text, std::string_view name,
                                                    std::size_t most_bytes) {
  const std::string begin = fmt::format("{}.", name);
  std::vector<base::Result<std::string>> all;
  for (std::size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin)) {
    text.remove_prefix(at + begin.size());
    all.push_back(unpacked_text(text.substr(0, text.find(begin)), most_bytes));
    if (all.back()) most_bytes -= all.back()->size();
  }
  return all;
}

}  // namespace warpwalk::platform
