#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// The median and the shortest time of some repetitions, in nanoseconds.
struct RepeatedTime {
  double median = 0, least = 0;
};

/// One operation between CPU and GPU at one size: tests/cuda/microbench/host_device.cu says what each name means.
struct HostDeviceTime {
  std::string name;                       ///< "h2d_pinned_async"
  double bytes = 0;                       ///< 0 if the operation has no size
  RepeatedTime returned;                  ///< until the call returned to the CPU
  std::optional<RepeatedTime> done = {};  ///< until a synchronization after the call returned
  std::optional<RepeatedTime> gpu = {};   ///< between two events around it
  double done_ns() const { return done ? done->median : returned.median; }
};

/// The recorded times of transfers between CPU and GPU on one machine.
struct HostDeviceRecord {
  std::vector<HostDeviceTime> times;
  /// Names and values without a time: "cpu", "driver", attributes of the device, and what mistakes gave
  /// ("mistake_free_twice").
  std::map<std::string, std::string, std::less<>> notes;

  /// Null if it was not recorded.
  const HostDeviceTime* find(std::string_view name, double bytes) const;
  /// The note, or an empty text.
  std::string_view note(std::string_view name) const;
  /// The sizes at which an operation was recorded, ascending.
  std::vector<double> sizes(std::string_view name) const;
};

/// Reads a file of assets/devices (ID_host_device.csv), which tests/validate/labs.py writes. On failure, returns a
/// one-line message without the file's name.
base::Result<HostDeviceRecord> parse_host_device(std::string_view text);

}  // namespace warpwalk::records
