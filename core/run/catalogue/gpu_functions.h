#pragma once

#include <span>

#include "core/ops/dispatch/dispatcher.h"
#include "core/run/catalogue/catalogue.h"

namespace warpwalk::run {

/// Runs planned launches on the simulated GPU or a real one.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Starts the launch. `operands` are those of the plan, all on this launcher's device. Throws ops::OpError.
  virtual void launch(const PlannedLaunch& launch, std::span<const ops::Tensor> operands) = 0;
};

/// Registers the CUDA functions of all ops in the catalogue, and the factories. Each allocates its result through the
/// dispatcher (so that the trace shows the allocation), plans the op and launches its kernels.
void register_gpu(ops::Dispatcher& dispatcher, Launcher& launcher);

}  // namespace warpwalk::run
