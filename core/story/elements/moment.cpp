#include "core/story/elements/moment.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace warpwalk::story {

namespace {

// Whether a text is written as the keys of beats are: "grid", "no_source", "l1". "b3" and "c1500" are not.
bool is_key(std::string_view text) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() < 2 || !letter(text[0]) || ((text[0] == 'b' || text[0] == 'c') && digit(text[1]))) return false;
  return std::ranges::all_of(text, [&](char c) { return letter(c) || digit(c) || c == '_'; });
}

}  // namespace

base::Result<Moment> parse_moment(std::string_view text) {
  const auto wrong = [&] {
    return base::Error{
        fmt::format("{}: not a moment; write launch or b3 (beat), 12.5us (time) or c1500 (cycle)", text)};
  };
  if (is_key(text)) return Moment{Moment::Kind::named, 1, 1, std::string(text)};
  if (text.starts_with('b') || text.starts_with('c')) {
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data() + 1, text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size() || value < (text[0] == 'b' ? 1 : 0)) return wrong();
    return Moment{text[0] == 'b' ? Moment::Kind::beat : Moment::Kind::cycle, value, 1};
  }
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return wrong();
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const double scale = unit == "ns"                   ? 1
                       : unit == "us" || unit == "µs" ? 1e3
                       : unit == "ms"                 ? 1e6
                       : unit == "s"                  ? 1e9
                                                      : 0;
  if (scale == 0 || !(std::abs(value * scale) < 4e18)) return wrong();
  return Moment{Moment::Kind::time, std::llround(value * scale), 1};
}

std::string text_of(const Moment& moment) {
  switch (moment.kind) {
    case Moment::Kind::beat: return fmt::format("b{}", moment.value);
    case Moment::Kind::named: return moment.name;
    case Moment::Kind::cycle: return fmt::format("c{}", moment.value);
    case Moment::Kind::time: break;
  }
  const std::string sign = moment.value < 0 ? "-" : "";
  const std::uint64_t ns =
      moment.value < 0 ? 0 - static_cast<std::uint64_t>(moment.value) : static_cast<std::uint64_t>(moment.value);
  return ns % 1000 == 0 ? fmt::format("{}{}us", sign, ns / 1000)
                        : fmt::format("{}{}.{:03}us", sign, ns / 1000, ns % 1000);
}

double eased(double phase) {
  const double x = std::clamp(phase, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

double part(double phase, double from, double to) { return std::clamp((phase - from) / (to - from), 0.0, 1.0); }

}  // namespace warpwalk::story
