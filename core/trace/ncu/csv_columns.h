#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/trace/ncu/report.h"

namespace warpwalk::trace::ncu {

/// The metric of a label on the details page of ncu ("Elapsed Cycles", "Stall Long Scoreboard"); nullopt for labels
/// without a use here. A name of a metric is itself.
std::optional<std::string> metric_of_label(std::string_view label);

/// The metric of a column of ncu's source page ("L2 Theoretical Sectors Global", "stall_long_sb"); nullopt for columns
/// without a use here.
std::optional<std::string_view> metric_of_column(std::string_view column);

/// The number that Nsight Compute has for the kind of an access ("Load", "Store"); nullopt: no access.
std::optional<double> access_type(std::string_view operation);

/// Finds the row of a metric in a report's table of names, and adds it if it is new.
class MetricRows {
 public:
  explicit MetricRows(Report& report) : report_(report) {}
  std::uint32_t row(std::string_view metric);

 private:
  Report& report_;
  std::unordered_map<std::string, std::uint32_t> rows_;
};

}  // namespace warpwalk::trace::ncu
