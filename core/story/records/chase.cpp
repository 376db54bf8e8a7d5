#include "core/story/records/chase.h"

#include <fmt/format.h>

#include "core/story/records/record_table.h"

namespace warpwalk::story {

std::variant<std::vector<ChasedBuffer>, std::string> parse_chase(std::string_view text) {
  const auto read = record_rows(text, "bytes,cycles_measured,cycles_simulated");
  if (const auto* error = std::get_if<std::string>(&read)) return *error;
  std::vector<ChasedBuffer> buffers;
  for (const auto& row : std::get<0>(read)) {
    const auto bytes = number_in(row[0]), measured = number_in(row[1]), simulated = number_in(row[2]);
    const bool good = bytes && *bytes > 0 && measured && *measured > 0 && (simulated ? *simulated > 0 : row[2].empty());
    if (!good || (!buffers.empty() && *bytes <= buffers.back().bytes))
      return fmt::format("line {}: expected a larger size than before, and its cycles", buffers.size() + 2);
    buffers.push_back({*bytes, *measured, simulated.value_or(0)});
  }
  return buffers;
}

}  // namespace warpwalk::story
