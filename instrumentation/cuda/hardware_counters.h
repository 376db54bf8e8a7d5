#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/trace/records.h"

namespace warpwalk::cuda {

/// What the hardware counted of one launch.
struct CountedKernel {
  std::string name;
  std::vector<trace::NamedCounter> counters;  ///< by the report's names, in the order of the metrics
};

/// The launches in what `ncu --csv` printed, in their order; lines around the table are passed over. The error is one
/// line: no table, or what ncu says is wrong (no permission, for one).
std::variant<std::vector<CountedKernel>, std::string> read_ncu_csv(std::string_view printed);

/// Runs a command under NVIDIA's Nsight Compute, found in PATH or in a CUDA toolkit, with the metrics that stand for
/// the report's counters. Caches are flushed before each launch, clocks are left as they are. Where somebody sets
/// `cancel`, Nsight Compute and the command are ended at once. The error is one line.
std::variant<std::vector<CountedKernel>, std::string> count_kernels(const std::vector<std::string>& command,
                                                                    const std::atomic<bool>* cancel = nullptr);

/// Puts the counters of the last launches into the kernel records of a walk, which was the last thing that the counted
/// command ran. None, or one line: the launches are not those of the walk.
std::optional<std::string> add_counters(const std::vector<CountedKernel>& counted, trace::Records& records);

}  // namespace warpwalk::cuda
