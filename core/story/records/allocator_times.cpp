#include "core/story/records/allocator_times.h"

#include <fmt/format.h>

#include "core/story/records/record_table.h"

namespace warpwalk::story {

std::variant<std::vector<CoreTimes>, std::string> parse_allocator_times(std::string_view text) {
  static constexpr const char* works[] = {"cached_alloc", "cached_free", "cuda_malloc", "cuda_free"};
  const auto read = record_rows(text, "bytes,cached_alloc_ns,cached_free_ns,cuda_malloc_ns,cuda_free_ns");
  if (const auto* error = std::get_if<std::string>(&read)) return *error;
  std::vector<CoreTimes> times;
  std::size_t line = 1;
  double before = 0;
  for (const auto& row : std::get<0>(read)) {
    ++line;
    const auto bytes = number_in(row[0]);
    bool good = bytes && *bytes > before;
    for (std::size_t i = 0; i < std::size(works) && good; ++i) {
      const auto ns = number_in(row[i + 1]);
      good = ns && *ns > 0;
      if (good) times.push_back({works[i], *bytes, 1, *ns, {}, 0});
    }
    if (!good) return fmt::format("line {}: expected a larger size than before, and four times", line);
    before = *bytes;
  }
  return times;
}

}  // namespace warpwalk::story
