#include "core/records/read_only_times.h"

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {

std::optional<double> ReadOnlyTimes::cycles(std::string_view memory, int addresses) const {
  for (const Load& load : loads)
    if (load.memory == memory && load.addresses == addresses) return load.cycles;
  return {};
}

std::optional<double> ReadOnlyTimes::rate(std::string_view memory, std::string_view along) const {
  for (const Image& image : images)
    if (image.memory == memory && image.along == along) return image.gb_per_second;
  return {};
}

base::Result<ReadOnlyTimes> parse_read_only_times(std::string_view text) {
  constexpr std::string_view addresses = "addresses=", along = "lanes_along=", image = "image_";
  const auto read = record_rows(text, "topic,name,parameters,value,unit");
  if (!read) return base::Error{read.error()};
  ReadOnlyTimes times;
  for (std::size_t i = 0; i < read->size(); ++i) {
    const std::vector<std::string_view>& row = (*read)[i];
    const std::string_view name = row[1], parameters = row[2];
    const auto value = number_in(row[3]);
    if (value && *value > 0 && name.starts_with(image) && parameters.starts_with(along)) {
      times.images.push_back(
          {std::string(name.substr(image.size())), std::string(parameters.substr(along.size())), *value});
      continue;
    }
    double lanes = 0;
    if (parameters.starts_with(addresses)) lanes = number_in(parameters.substr(addresses.size())).value_or(0);
    if (!value || *value <= 0 || lanes < 1 || lanes > 32)
      return base::Error{
          fmt::format("line {}: expected 1 to 32 addresses or the order of an image, and a value", i + 2)};
    times.loads.push_back({std::string(name), static_cast<int>(lanes), *value});
  }
  return times;
}

}  // namespace warpwalk::records
