#pragma once

// Types of cuBLASLt's public interface, with the numbers and sizes that its documentation gives (cuBLAS library, using
// the cuBLASLt API).

#include <array>
#include <cstddef>
#include <cstdint>

#include "instrumentation/simulated/libraries/cublas_products/blas_types.h"

namespace warpwalk::simulated::libraries {

/// What a cublasLtMatrixLayout_t points to: at most 64 bytes, since programs also keep it themselves.
struct MatrixLayout {
  std::int32_t type = 0;   ///< cudaDataType
  std::int32_t order = 0;  ///< cublasLtOrder_t: 0 columns, 1 rows one after another
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;
  std::int32_t batches = 1;
  std::int32_t batch_mode = 0;  ///< 0: strided, 1: a list of addresses
  std::int64_t batch_stride = 0;
};
static_assert(sizeof(MatrixLayout) <= 64);

/// cublasLtPointerMode_t
enum class LtPointerMode : std::int32_t {
  host = 0,
  device = 1,
  device_vector = 2,
  alpha_vector_beta_zero = 3,
  alpha_vector_beta_host = 4,
};

/// cublasLtMatmulMatrixScale_t
enum class ScaleMode : std::int32_t {
  scalar = 0,
  blocks_of_16 = 1,
  blocks_of_32 = 2,
  outer_vector = 3,
  blocks_of_128 = 4,
  blocks_of_128x128 = 5,
};

/// What a cublasLtMatmulDesc_t points to: at most 256 bytes.
struct MatmulDescription {
  ComputeType compute{};
  std::int32_t scale_type = 0;
  LtPointerMode pointer_mode = LtPointerMode::host;
  Operation a_operation{}, b_operation{}, c_operation{};
  std::int32_t fill_mode = 2;  ///< full
  std::int32_t epilogue = 1;   ///< none
  const void* bias = nullptr;
  std::int64_t bias_batch = 0;
  void* auxiliary = nullptr;
  std::int64_t auxiliary_leading = 0, auxiliary_batch = 0, alpha_batch = 0;
  std::int32_t sm_count = 0;
  std::int32_t auxiliary_type = -1, bias_type = -1;  ///< -1: as documented for the type of D
  std::int8_t fast_accumulation = 0;
  const float *a_scale = nullptr, *b_scale = nullptr, *c_scale = nullptr, *d_scale = nullptr;
  float* d_largest = nullptr;
  const float* auxiliary_scale = nullptr;
  float* auxiliary_largest = nullptr;
  ScaleMode a_mode{}, b_mode{}, c_mode{}, d_mode{}, auxiliary_mode{};
};
static_assert(sizeof(MatmulDescription) <= 256);

/// What a cublasLtMatmulPreference_t points to.
struct MatmulPreference {
  std::int32_t search_mode = 0;
  std::uint64_t workspace_bytes = 0;
  std::uint32_t reduction_mask = 7;
  std::array<std::uint32_t, 4> alignment{256, 256, 256, 256};
  float most_waves = 0;
  std::uint64_t implementation_mask = ~std::uint64_t{0};
};
static_assert(sizeof(MatmulPreference) <= 64);

/// cublasLtMatmulAlgo_t
struct MatmulAlgorithm {
  std::array<std::uint64_t, 8> data{};
};

/// cublasLtMatmulHeuristicResult_t
struct HeuristicResult {
  MatmulAlgorithm algorithm;
  std::size_t workspace_bytes = 0;
  BlasStatus state{};
  float waves = 0;
  std::array<int, 4> reserved{};
};

/// The place and size of an attribute in a descriptor.
struct AttributeField {
  void* at = nullptr;
  std::size_t bytes = 0;
};

/// Copies an attribute from or to the program. As cuBLASLt, refuses other sizes.
BlasStatus set_attribute(const AttributeField& field, const void* from, std::size_t bytes);
BlasStatus get_attribute(const AttributeField& field, void* to, std::size_t bytes, std::size_t* written);

}  // namespace warpwalk::simulated::libraries
