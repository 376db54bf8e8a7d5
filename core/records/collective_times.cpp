#include "core/records/collective_times.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {
namespace {

constexpr std::string_view collective_header = "gpus,kind,bytes,time_ns,algorithm_gb_s,bus_gb_s";
constexpr std::string_view collective_names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                                 "broadcast"};

}  // namespace

base::Result<std::vector<CollectiveTime>> parse_collective_times(std::string_view text) {
  if (text.empty()) return base::Error{fmt::format("line 1: expected {}", collective_header)};
  const auto read = record_rows(text, collective_header);
  if (!read) return base::Error{read.error()};
  std::vector<CollectiveTime> times;
  for (const std::vector<std::string_view>& row : *read) {
    const std::size_t line = times.size() + 2;
    const auto gpus = number_in(row[0]), bytes = number_in(row[2]), ns = number_in(row[3]);
    const auto algorithm = number_in(row[4]), bus = number_in(row[5]);
    if (std::ranges::find(collective_names, row[1]) == std::end(collective_names))
      return base::Error{
          fmt::format("line {}: \"{}\" is not a kind; expected {}", line, row[1], fmt::join(collective_names, ", "))};
    if (!gpus || *gpus < 2 || *gpus > 1e6 || *gpus != std::floor(*gpus))
      return base::Error{fmt::format("line {}: \"{}\" is not a number of GPUs from 2 on", line, row[0])};
    if (!bytes || *bytes <= 0 || !ns || *ns <= 0 || !algorithm || !bus)
      return base::Error{fmt::format("line {}: expected bytes and a time above 0, and two bandwidths", line)};
    times.push_back({static_cast<int>(*gpus), std::string(row[1]), *bytes, *ns, *algorithm, *bus});
  }
  return times;
}

const CollectiveTime* find_collective(const std::vector<CollectiveTime>& times, int gpus, std::string_view kind,
                                      double bytes) {
  const auto found = std::ranges::find_if(
      times, [&](const CollectiveTime& one) { return one.gpus == gpus && one.kind == kind && one.bytes == bytes; });
  return found == times.end() ? nullptr : &*found;
}

}  // namespace warpwalk::records
