#pragma once

#include <memory>

#include "instrumentation/simulated/device/host_computation.h"
#include "instrumentation/simulated/libraries/cudnn/convolution/convolution.h"

namespace warpwalk::simulated::libraries {

/// How the host computes what the kernels of a convolution store, up to the order of sums.
std::shared_ptr<const HostComputation> host_convolution(const Convolution& convolution);

}  // namespace warpwalk::simulated::libraries
