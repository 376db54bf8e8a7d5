#pragma once

#include "core/gpu/timing/issue_policy.h"

namespace warpwalk::gpu {
struct Device;
}

namespace warpwalk::run {

/// A change of the simulated GPU, to see what it does to the cycles of a launch.
struct WhatIf {
  gpu::IssuePolicy policy = gpu::IssuePolicy::greedy_then_youngest;
  int blocks = 0;             ///< at most so many blocks on an SM at a time; 0: as many as fit
  double memory_latency = 1;  ///< times the latency of device memory

  bool any() const { return !(*this == WhatIf{}); }
  friend bool operator==(const WhatIf&, const WhatIf&) = default;
};

/// The GPU with the change.
gpu::Device changed_device(gpu::Device device, const WhatIf& what_if);

}  // namespace warpwalk::run
