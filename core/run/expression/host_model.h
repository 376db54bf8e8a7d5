#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/gpu/device/device.h"

namespace warpwalk::run {

/// The host times of a simulated run's steps, in ns: the group "Host and launch" of a device description.
/// Meanings: assets/narration/en/parameters.txt.
struct HostModel {
  std::int64_t op = 0, dispatch_step = 0, kernel_setup = 0, backward_node = 0;
  std::int64_t allocation = 0, segment_allocation = 0, segment_free = 0, launch_call = 0, synchronize = 0;
};

/// On failure, returns a one-line error that names the parameter missing from the description.
base::Result<HostModel> host_model(const gpu::Device& device);

/// The time since the start of a run, in ns. Either modelled time, which advances by the costs spent and is the same in
/// every run, or a clock of the host.
class WalkClock {
 public:
  explicit WalkClock(const HostModel& model) : model_(model), modelled_(true) {}
  explicit WalkClock(std::function<std::int64_t()> now_ns) : now_ns_(std::move(now_ns)), start_(now_ns_()) {}

  bool modelled() const { return modelled_; }
  /// Start of the run, ns since the epoch; 0 for modelled time.
  std::int64_t origin() const { return start_; }
  std::int64_t now() const { return modelled_ ? spent_ : now_ns_() - start_; }
  /// Advances modelled time by the cost of this step. Has no effect on a real clock.
  void spend(std::int64_t HostModel::*cost) { spent_ += model_.*cost; }
  /// Advances modelled time to this one, if it is later. Has no effect on a real clock.
  void wait_until(std::int64_t time) { spent_ = std::max(spent_, time); }
  /// Advances modelled time by 1 ns after the end of a slice. Viewers add start and duration as floating-point
  /// microseconds; with equal times, the sums could put a slice's end behind its parent's end or the next start.
  void separate() { spent_ += separation; }
  static constexpr std::int64_t separation = 1;  ///< ns

 private:
  HostModel model_;
  bool modelled_ = false;
  std::function<std::int64_t()> now_ns_;
  std::int64_t start_ = 0, spent_ = 0;
};

}  // namespace warpwalk::run
