#pragma once

#include <memory>

#include "instrumentation/simulated/device/host_computation.h"
#include "instrumentation/simulated/libraries/cublas_products/product_launch.h"

namespace warpwalk::simulated::libraries {

/// How the host computes a launch of a product, for large ones. Null if only the kernel can: complex numbers, integers,
/// lists of matrices, auxiliary matrices, 8-bit results.
std::shared_ptr<const HostComputation> host_product(const Product& product, int batches, bool tf32);

}  // namespace warpwalk::simulated::libraries
