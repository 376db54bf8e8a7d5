#include "core/records/validation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

struct Number {
  std::string_view column;
  double ValidatedLaunch::*field;
  bool positive;  ///< for logarithms
};
constexpr std::array<Number, 5> numbers = {{{"spread_pct", &ValidatedLaunch::spread, false},
                                            {"cycles_measured", &ValidatedLaunch::cycles_measured, true},
                                            {"cycles_simulated", &ValidatedLaunch::cycles_simulated, true},
                                            {"active_measured", &ValidatedLaunch::active_measured, true},
                                            {"active_simulated", &ValidatedLaunch::active_simulated, true}}};

}  // namespace

base::Result<std::vector<ValidatedLaunch>> parse_validation(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  for (std::string_view& line : lines)
    if (line.ends_with('\r')) line.remove_suffix(1);
  const std::vector<std::string_view> header = split(lines.front(), ',');
  std::vector<ValidatedLaunch> launches;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const std::vector<std::string_view> values = split(lines[i], ',');
    const auto value_of = [&](std::string_view column) {
      const auto at = static_cast<std::size_t>(std::ranges::find(header, column) - header.begin());
      return at < header.size() && at < values.size() ? values[at] : std::string_view();
    };
    const auto wrong = [&](std::string_view column) {
      return base::Error{fmt::format("line {}: {}: missing, or not a number that is possible here", i + 1, column)};
    };
    ValidatedLaunch launch;
    launch.set = value_of("set");
    launch.name = value_of("case");
    if (launch.set.empty()) return wrong("set");
    if (launch.name.empty()) return wrong("case");
    for (const Number& number : numbers) {
      const std::string_view digits = value_of(number.column);
      double& to = launch.*number.field;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
      if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(to) || to < 0 ||
          (number.positive && to == 0))
        return wrong(number.column);
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

base::Result<std::vector<ChasedBuffer>> parse_chase(std::string_view text) {
  const auto read = record_rows(text, "bytes,cycles_measured,cycles_simulated");
  if (!read) return base::Error{read.error()};
  std::vector<ChasedBuffer> buffers;
  for (const auto& row : *read) {
    const auto bytes = number_in(row[0]), measured = number_in(row[1]), simulated = number_in(row[2]);
    const bool good = bytes && *bytes > 0 && measured && *measured > 0 && (simulated ? *simulated > 0 : row[2].empty());
    if (!good || (!buffers.empty() && *bytes <= buffers.back().bytes))
      return base::Error{
          fmt::format("line {}: expected a larger size than before, and its cycles", buffers.size() + 2)};
    buffers.push_back({*bytes, *measured, simulated.value_or(0)});
  }
  return buffers;
}

}  // namespace warpwalk::records
