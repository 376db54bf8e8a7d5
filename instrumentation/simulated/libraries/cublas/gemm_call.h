#pragma once

#include "instrumentation/simulated/libraries/cublas/abi.h"
#include "instrumentation/simulated/libraries/cublas_products/product_launch.h"

namespace warpwalk::simulated::libraries {

/// A matrix as cuBLAS takes it: columns one after another.
struct GemmMatrix {
  const void* at = nullptr;
  int type = 0;  ///< cudaDataType
  std::int64_t leading = 0;
  std::int64_t batch = 0;             ///< elements from matrix to matrix of a batch
  const void* const* list = nullptr;  ///< or their addresses, in device memory
};

/// What the functions for matrix products have in common.
struct GemmCall {
  const char* function = "";
  Operation a_operation{}, b_operation{};
  std::int64_t m = 0, n = 0, k = 0;
  const void* alpha = nullptr;
  const void* beta = nullptr;
  int scale_type = 0;  ///< of alpha and beta: cudaDataType
  GemmMatrix a, b, c;
  std::int64_t batches = 1;
  bool tf32 = false;
};

/// Checks the arguments as cuBLAS documents it, and launches the product.
BlasStatus call_gemm(const BlasHandle* handle, const GemmCall& call);

/// Whether products of single-precision matrices may round them to TF32.
bool allows_tf32(const BlasHandle& handle);

}  // namespace warpwalk::simulated::libraries
