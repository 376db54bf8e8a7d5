#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// One reading of one instrument in one of the recorded moments.
struct ObserverReading {
  std::string moment;      ///< "tiny"; empty: of the whole recording
  std::string instrument;  ///< "smi", "nvml", "torch", "profiler", "ncu", "gpm"
  std::string figure;      ///< "utilization"
  std::string value;       ///< as it was reported, or a mean
};

/// Readings of NVML while kernels of a number of blocks ran for `kernel_us` with `gap_us` between them.
struct DutyReading {
  std::string kind;  ///< "busy", "utilization"
  double blocks = 0, kernel_us = 0, gap_us = 0;
  double at_ms = 0;  ///< since the first kernel
  double value = 0;  ///< percent
};

/// The reports of instruments about an H200.
struct ObserverRecord {
  std::vector<ObserverReading> readings;
  std::vector<DutyReading> duty;

  /// Empty if it was not recorded.
  std::string_view text(std::string_view moment, std::string_view instrument, std::string_view figure) const;
  std::optional<double> number(std::string_view moment, std::string_view instrument, std::string_view figure) const;
};

/// Read files of assets/devices (ID_observed.csv and ID_duty.csv), which the programs in tests/cuda/observe write. On
/// failure, they return a one-line message without the file's name.
base::Result<std::vector<ObserverReading>> parse_observer_readings(std::string_view text);
base::Result<std::vector<DutyReading>> parse_duty_readings(std::string_view text);

}  // namespace warpwalk::records
