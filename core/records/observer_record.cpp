#include "core/records/observer_record.h"

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {

base::Result<std::vector<ObserverReading>> parse_observer_readings(std::string_view text) {
  const auto rows = record_rows(text, "moment,instrument,figure,value");
  if (!rows) return base::Error{rows.error()};
  std::vector<ObserverReading> all;
  for (const auto& cells : *rows)
    all.push_back({std::string(cells[0]), std::string(cells[1]), std::string(cells[2]), std::string(cells[3])});
  return all;
}

base::Result<std::vector<DutyReading>> parse_duty_readings(std::string_view text) {
  const auto rows = record_rows(text, "kind,blocks,kernel_us,gap_us,at_ms,value");
  if (!rows) return base::Error{rows.error()};
  std::vector<DutyReading> all;
  for (const auto& cells : *rows) {
    DutyReading one{std::string(cells[0])};
    double* const numbers[] = {&one.blocks, &one.kernel_us, &one.gap_us, &one.at_ms, &one.value};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
      const auto number = number_in(cells[1 + i]);
      if (!number) return base::Error{fmt::format("row {}: \"{}\" is not a number", all.size() + 1, cells[1 + i])};
      *numbers[i] = *number;
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::string_view ObserverRecord::text(std::string_view moment, std::string_view instrument,
                                      std::string_view figure) const {
  for (const ObserverReading& one : readings)
    if (one.moment == moment && one.instrument == instrument && one.figure == figure) return one.value;
  return {};
}

std::optional<double> ObserverRecord::number(std::string_view moment, std::string_view instrument,
                                             std::string_view figure) const {
  return number_in(text(moment, instrument, figure));
}

}  // namespace warpwalk::records
