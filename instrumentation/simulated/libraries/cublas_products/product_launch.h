#pragma once

#include "instrumentation/simulated/libraries/cublas_products/blas_types.h"
#include "kernels/libraries/cublas_products/product.h"

namespace warpwalk::simulated::libraries {

using stand_in::cublas::Product;

/// A product, and how it may be computed.
struct ProductLaunch {
  Product product{};
  int batches = 1;
  bool tf32 = false;             ///< single-precision inputs may be rounded to TF32
  const void* stream = nullptr;  ///< cudaStream_t
};

/// Bytes of an element of a type of cudaDataType; 0 if matrices cannot have it.
int element_bytes(int type);

/// Reads alpha or beta on the host.
void read_scalar(const void* at, int type, double& real, double& imaginary);

/// Whether kernels exist for these types: of A, B, C, D and of alpha and beta.
bool has_product_kernel(const Product& product);

/// Launches the kernel whose tiles cost least. Does nothing if D has no elements.
BlasStatus launch_product(const ProductLaunch& launch);

}  // namespace warpwalk::simulated::libraries
