#include "core/story/stage/chase.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace warpwalk::story {

std::variant<std::vector<ChasedBuffer>, std::string> parse_chase(std::string_view text) {
  std::vector<ChasedBuffer> buffers;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, end - from);
    from = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1) {
      if (line != "bytes,cycles_measured,cycles_simulated")
        return std::string("line 1: expected bytes,cycles_measured,cycles_simulated");
      continue;
    }
    if (line.empty()) continue;
    std::array<double, 3> values{};
    bool good = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t comma = std::min(line.find(','), line.size());
      const std::string_view digits = line.substr(0, comma);
      line.remove_prefix(std::min(comma + 1, line.size()));
      if (i == 2 && digits.empty()) continue;  // not simulated
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), values[i]);
      good = good && error == std::errc() && stop == digits.data() + digits.size() && std::isfinite(values[i]) &&
             values[i] > 0;
    }
    if (!good || !line.empty() || (!buffers.empty() && values[0] <= buffers.back().bytes))
      return fmt::format("line {}: expected a larger size than before, and its cycles", number);
    buffers.push_back({values[0], values[1], values[2]});
  }
  return buffers;
}

}  // namespace warpwalk::story
