#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/gpu/device/device.h"
#include "core/trace/trace.h"

namespace warpwalk::verbs {

/// The times of kernels that a trace recorded with their memory, simulated with their machine code on any GPU. Each is
/// simulated once.
class SimulatedKernels {
 public:
  /// `trace` must outlive this. `file`: where it was read from.
  SimulatedKernels(const trace::Trace& trace, std::filesystem::path file) : trace_(trace), file_(std::move(file)) {}

  /// Seconds of the kernel alone, without the launch; none if it was not recorded with its memory, cannot be run, or
  /// issues more than 100 million warp instructions.
  std::optional<double> seconds(trace::SliceId kernel, const gpu::Device& device);

 private:
  const trace::Trace& trace_;
  std::filesystem::path file_;
  std::map<std::pair<trace::SliceId, std::string>, std::optional<double>> known_;  // by kernel and id of the GPU
};

}  // namespace warpwalk::verbs
