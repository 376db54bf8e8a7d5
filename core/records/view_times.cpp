#include "core/records/view_times.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {

base::Result<std::vector<ViewTime>> parse_view_times(std::string_view text) {
  const auto read = record_rows(text, "view,stride,elements,ns,load_sectors,dram_read_bytes");
  if (!read) return base::Error{read.error()};
  std::vector<ViewTime> times;
  for (const std::vector<std::string_view>& row : *read) {
    const auto stride = number_in(row[1]), elements = number_in(row[2]), ns = number_in(row[3]);
    const auto sectors = number_in(row[4]), dram = number_in(row[5]);
    const bool counted = (sectors || row[4].empty()) && (dram || row[5].empty());
    if (!stride || !elements || !ns || *stride < 1 || *elements < 1 || *ns <= 0 || !counted)
      return base::Error{
          fmt::format("line {}: expected a stride, a number of elements, a time and counters", times.size() + 2)};
    times.push_back({std::string(row[0]), *stride, *elements, *ns, sectors, dram});
  }
  return times;
}

const ViewTime* find_view(const std::vector<ViewTime>& times, std::string_view view, double stride) {
  const auto found =
      std::ranges::find_if(times, [&](const ViewTime& time) { return time.view == view && time.stride == stride; });
  return found == times.end() ? nullptr : &*found;
}

}  // namespace warpwalk::records
