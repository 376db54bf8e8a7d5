#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace warpwalk::verbs {

/// A command of the command line, with its short form and what it does.
struct DebugCommand {
  std::string_view word, shorter, help;
};
std::span<const DebugCommand> debug_commands();
/// The command that a word means, which may be shortened as in gdb; null: none.
const DebugCommand* debug_command(std::string_view word);

std::string_view without_blanks(std::string_view text);
/// Takes the first word off a text.
std::string_view take_word(std::string_view& text);
/// "(1,0,0)" or "1,0" or "1".
std::optional<std::array<std::uint32_t, 3>> three_numbers(std::string_view text);
/// Takes "if CONDITION" and "hits RULE" off the end.
std::pair<std::string_view, std::string_view> take_conditions(std::string_view& rest);

/// A whole number, decimal or 0x...
template <class T>
std::optional<T> whole_word(std::string_view text) {
  T number = 0;
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

}  // namespace warpwalk::verbs
