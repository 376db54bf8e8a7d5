#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/records.h"

namespace warpwalk::cuda {

/// The hardware counters of one launch.
struct ProfiledKernel {
  std::string name;
  std::vector<trace::NamedCounter> counters;  ///< with the report's names, in the order of the metrics
};

/// Parses the output of `ncu --csv`: the launches in order. Lines around the table are ignored. On failure, returns a
/// one-line message: there is no table, or ncu's own error (e.g. missing permission).
base::Result<std::vector<ProfiledKernel>> read_ncu_csv(std::string_view printed);

/// Runs a command under NVIDIA Nsight Compute, found in PATH or in a CUDA toolkit, with the metrics behind the report's
/// counters. Caches are flushed before each launch; clocks are not locked. Setting `cancel` ends Nsight Compute and the
/// command at once. On failure, returns a one-line message.
base::Result<std::vector<ProfiledKernel>> profile_kernels(const std::vector<std::string>& command,
                                                          const std::atomic<bool>* cancel = nullptr);

/// Adds the counters of the last launches to the kernel records of a walk; the walk must be the last thing that the
/// profiled command ran. On failure: one line (the launches are not those of the walk).
base::Result<void> add_counters(const std::vector<ProfiledKernel>& counted, trace::Records& records);

}  // namespace warpwalk::cuda
