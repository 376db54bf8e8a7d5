#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace warpwalk::base {

/// The text of an enumerator as a compiler writes it, "warpwalk::ptx::Opcode::and_"; "(warpwalk::ptx::Opcode)200" if no
/// enumerator has the value.
template <auto enumerator>
constexpr std::string_view enumerator_text() {
  constexpr std::string_view begin = "enumerator = ";
  std::string_view text = __PRETTY_FUNCTION__;  // of g++ and clang: "... [with auto enumerator = ...; ...]"
  text.remove_prefix(text.find(begin) + begin.size());
  return text.substr(0, text.find_first_of(";]"));
}

/// The last part of that text. An underscore at its end, which keeps an enumerator apart from a word of C++, is left
/// out.
constexpr std::string_view enumerator_name(std::string_view text) {
  text.remove_prefix(text.rfind(':') + 1);
  if (text.ends_with('_')) text.remove_suffix(1);
  return text;
}

/// The number of enumerators that follow one another from 0.
template <class Enum, std::size_t from = 0>
constexpr std::size_t enumerator_count() {
  if constexpr (enumerator_name(enumerator_text<static_cast<Enum>(from)>()).find(')') == std::string_view::npos)
    return enumerator_count<Enum, from + 1>();
  else
    return from;
}

/// The names of an enumeration's values, in their order: the enumeration is the only list of them. Its values are 0, 1,
/// 2 and so on.
template <class Enum>
inline constexpr auto enum_names = []<std::size_t... i>(std::index_sequence<i...>) {
  return std::array<std::string_view, sizeof...(i)>{enumerator_name(enumerator_text<static_cast<Enum>(i)>())...};
}
(std::make_index_sequence<enumerator_count<Enum>()>());

/// The name of a value; empty for a number that is none.
template <class Enum>
constexpr std::string_view enum_name(Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < enum_names<Enum>.size() ? enum_names<Enum>[index] : std::string_view();
}

/// The value with a name.
template <class Enum>
constexpr std::optional<Enum> enum_named(std::string_view name) {
  for (std::size_t i = 0; i < enum_names<Enum>.size(); ++i)
    if (enum_names<Enum>[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace warpwalk::base
