#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// A launch that was measured on a GPU and simulated by the timing model.
struct ValidatedLaunch {
  std::string set;  ///< "reference", or another folder of launches
  std::string name;
  double spread = 0;                                 ///< of five measurements of the cycles, in percent
  double cycles_measured = 0, cycles_simulated = 0;  ///< with the launch's own cost
  double active_measured = 0, active_simulated = 0;  ///< mean over the SMs, without it
};

/// Reads a file of assets/devices (ID_validation.csv), which tests/validate/publish.py writes. Columns have the names
/// of `validate --csv`; further columns are ignored. On failure, returns a one-line message without the file's name.
base::Result<std::vector<ValidatedLaunch>> parse_validation(std::string_view text);

/// One load of a pointer chase through a buffer of a size, on a real GPU and on the simulated one.
struct ChasedBuffer {
  double bytes = 0;
  double measured = 0;   ///< cycles per load
  double simulated = 0;  ///< cycles per load; 0: not simulated
};

/// Reads a file of assets/devices (ID_chase.csv), which tests/validate/chase.py writes: bytes, cycles_measured and
/// cycles_simulated, by ascending size. On failure, returns a one-line message without the file's name.
base::Result<std::vector<ChasedBuffer>> parse_chase(std::string_view text);

}  // namespace warpwalk::records
