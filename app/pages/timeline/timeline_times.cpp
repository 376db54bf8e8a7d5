#include "app/pages/timeline/timeline_times.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

struct TimeUnit {
  std::int64_t ns;
  int digits;  // of a ns
  std::string_view name;
};
constexpr TimeUnit micro = {1'000, 3, "µs"}, milli = {1'000'000, 6, "ms"}, second = {1'000'000'000, 9, "s"};

// The limits are those of story::time_text.
TimeUnit unit_of_point(std::int64_t size) {
  if (size < 10'000'000) return micro;
  return size < 10'000'000'000 ? milli : second;
}

}  // namespace

std::string point_text(std::int64_t ns, std::int64_t resolution) {
  const std::int64_t size = ns < 0 ? -ns : ns;
  if (size < 1000) return fmt::format("{}{} ns", ns < 0 ? "−" : "", size);
  const TimeUnit unit = unit_of_point(size);
  int decimals = 1;
  std::int64_t step = unit.ns / 10;
  for (; decimals < unit.digits && step > std::max<std::int64_t>(1, resolution); ++decimals) step /= 10;
  const std::int64_t steps = size / step + (size % step >= step - size % step ? 1 : 0);
  const std::int64_t in_one = unit.ns / step;
  return fmt::format("{}{}{} {}", ns < 0 ? "−" : "", story::with_thousands(steps / in_one),
                     base::with_marks(fmt::format(".{:0{}}", steps % in_one, decimals)), unit.name);
}

std::string duration_digits(std::int64_t ns) {
  const std::int64_t size = ns < 0 ? -ns : ns;
  const std::string_view sign = ns < 0 ? "−" : "";
  if (size < 1000) return fmt::format("{}{} ns", sign, size);
  // Each limit is the value that rounding shows as 1,000 of the smaller unit.
  const TimeUnit unit = size < 999'500 ? micro : size < 999'500'000 ? milli : second;
  const double value = static_cast<double>(size) / static_cast<double>(unit.ns);
  if (value >= 999.5) return fmt::format("{}{} {}", sign, story::with_thousands(std::llround(value)), unit.name);
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return base::with_marks(fmt::format("{}{:.{}f} {}", sign, value, decimals, unit.name));
}

}  // namespace warpwalk::pages
