#include "core/records/host_device_times.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {

const HostDeviceTime* HostDeviceRecord::find(std::string_view name, double bytes) const {
  const auto found =
      std::ranges::find_if(times, [&](const HostDeviceTime& one) { return one.name == name && one.bytes == bytes; });
  return found == times.end() ? nullptr : &*found;
}

std::string_view HostDeviceRecord::note(std::string_view name) const {
  const auto found = notes.find(name);
  return found == notes.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<double> HostDeviceRecord::sizes(std::string_view name) const {
  std::vector<double> all;
  for (const HostDeviceTime& one : times)
    if (one.name == name) all.push_back(one.bytes);
  std::ranges::sort(all);
  return all;
}

base::Result<HostDeviceRecord> parse_host_device(std::string_view text) {
  const auto read =
      record_rows(text, "name,text,bytes,returned_ns,returned_min_ns,done_ns,done_min_ns,gpu_ns,gpu_min_ns");
  if (!read) return base::Error{read.error()};
  HostDeviceRecord record;
  std::size_t line = 1;
  for (const std::vector<std::string_view>& row : *read) {
    ++line;
    const auto wrong = [&](std::string_view expected) {
      return base::Error{fmt::format("line {}: expected {}", line, expected)};
    };
    if (row[0].empty()) return wrong("a name");
    if (!row[1].empty()) {
      record.notes.insert_or_assign(std::string(row[0]), std::string(row[1]));
      continue;
    }
    std::optional<RepeatedTime> pairs[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string_view median = row[3 + 2 * i], least = row[4 + 2 * i];
      if (i > 0 && median.empty() && least.empty()) continue;
      const auto a = number_in(median), b = number_in(least);
      if (!a || !b || *a < *b || *b <= 0) return wrong("a median and a shortest time, both in ns");
      pairs[i] = {*a, *b};
    }
    const auto bytes = number_in(row[2]);
    if (!bytes) return wrong("a number of bytes");
    record.times.push_back({std::string(row[0]), *bytes, *pairs[0], pairs[1], pairs[2]});
  }
  return record;
}

}  // namespace warpwalk::records
