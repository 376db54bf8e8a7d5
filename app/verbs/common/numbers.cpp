#include "app/verbs/common/numbers.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/base/quantity_text.h"

namespace warpwalk::verbs {
namespace {

template <class Number>
bool reads_as(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

}  // namespace

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", base::with_thousands(static_cast<std::int64_t>(number)), noun, number == 1 ? "" : "s");
}

ValueCheck whole_number(std::uint64_t least, std::uint64_t most) {
  return [least, most](const std::string& text) {
    std::uint64_t number = 0;
    if (text.empty() || (reads_as(text, number) && number >= least && number <= most)) return std::string();
    if (most == ~std::uint64_t{0}) return fmt::format("{} is not a whole number, {} or more", text, least);
    return fmt::format("{} is not a whole number from {} to {}", text, least, most);
  };
}

ValueCheck number_above_zero() {
  return [](const std::string& text) {
    double number = 0;
    if (text.empty() || (reads_as(text, number) && std::isfinite(number) && number > 0)) return std::string();
    return fmt::format("{} is not a number above 0", text);
  };
}

}  // namespace warpwalk::verbs
