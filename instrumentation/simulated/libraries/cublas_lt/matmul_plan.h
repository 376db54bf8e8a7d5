#pragma once

#include <string>

#include "instrumentation/simulated/libraries/cublas_lt/descriptors.h"
#include "instrumentation/simulated/libraries/cublas_products/product_launch.h"

namespace warpwalk::simulated::libraries {

/// The operation and the matrices of cublasLtMatmul.
struct MatmulCall {
  const MatmulDescription* operation = nullptr;
  const MatrixLayout *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
};

/// A product without addresses, or why there is none.
struct MatmulPlan {
  BlasStatus status = BlasStatus::success;
  std::string problem;  ///< for not_supported
  ProductLaunch launch;
};

/// Checks the descriptors and makes the product of them.
MatmulPlan plan_matmul(const MatmulCall& call);

}  // namespace warpwalk::simulated::libraries
