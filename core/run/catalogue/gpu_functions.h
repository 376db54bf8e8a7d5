#pragma once

#include <span>

#include "core/ops/dispatch/dispatcher.h"
#include "core/run/catalogue/catalogue.h"

namespace warpwalk::run {

/// What runs planned launches: the simulated GPU or a real one.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Starts it; `operands` are those of the plan, all on this launcher's device. Throws ops::OpError.
  virtual void launch(const PlannedLaunch& launch, std::span<const ops::Tensor> operands) = 0;
};

/// Registers a function under CUDA for every op of the catalogue, and the factories: allocate the result (through the
/// dispatcher, so that it shows), plan, launch.
void register_gpu(ops::Dispatcher& dispatcher, Launcher& launcher);

}  // namespace warpwalk::run
