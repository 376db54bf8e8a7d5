#pragma once

// Types of cuDNN's public interface, with the numbers that its documentation gives, and what its descriptors hold.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated::libraries {

/// cudnnStatus_t
enum class DnnStatus : int {
  success = 0,
  not_initialized = 1001,
  bad_param = 2000,
  bad_param_null_pointer = 2002,
  bad_param_not_finalized = 2004,
  bad_param_size_insufficient = 2006,
  bad_param_shape_mismatch = 2008,
  bad_param_attribute_type = 2010,
  not_supported = 3000,
  not_supported_graph_pattern = 3001,
  not_supported_shape = 3002,
  not_supported_data_type = 3003,
  internal_error = 4000,
  host_allocation_failed = 4003,
  execution_failed = 5000,
};

inline DnnStatus dnn_status(Error error) {
  return error == Error::success ? DnnStatus::success : DnnStatus::execution_failed;
}

/// cudnnDataType_t
enum class DataType : int { f32 = 0, f64 = 1, f16 = 2, bf16 = 9 };

/// Bytes of an element; 0 for a type that the stand-in does not compute with.
inline std::size_t bytes_of(DataType type) {
  switch (type) {
    case DataType::f32: return 4;
    case DataType::f64: return 8;
    case DataType::f16: return 2;
    case DataType::bf16: return 2;
  }
  return 0;
}

/// cudnnMathType_t
enum class MathType : int { standard = 0, tensor_op = 1, tensor_op_allow_conversion = 2, fma = 3 };

/// CUDNN_DIM_MAX
inline constexpr int most_axes = 8;
using Axes = std::array<int, most_axes>;

/// What a cudnnHandle_t points to.
struct DnnHandle {
  const void* stream = nullptr;
};

/// cudnnTensorDescriptor_t
struct TensorDescriptor {
  DataType type = DataType::f32;
  int axes = 0;
  Axes extents{}, strides{};
};

/// cudnnFilterDescriptor_t. The extents are output channels, input channels of a group, and those of the taps.
struct FilterDescriptor {
  DataType type = DataType::f32;
  int format = 0;  ///< cudnnTensorFormat_t: 0, channels before taps; 1, taps before channels
  int axes = 0;
  Axes extents{};
};

/// cudnnConvolutionDescriptor_t
struct ConvolutionDescriptor {
  int axes = 0;  ///< spatial ones
  Axes padding{}, stride{}, dilation{};
  int mode = 1;  ///< cudnnConvolutionMode_t: 0 reverses the filter; 1, cross-correlation
  DataType compute = DataType::f32;
  int groups = 1;
  MathType math = MathType::standard;
};

/// cudnnActivationDescriptor_t
struct ActivationDescriptor {
  int mode = 0;  ///< cudnnActivationMode_t: 1 relu, 3 clipped relu, 5 identity
  double coefficient = 0;
};

/// cudnnDropoutDescriptor_t
struct DropoutDescriptor {
  float rate = 0;
  void* states = nullptr;  ///< in device memory
  std::size_t bytes = 0;
};

}  // namespace warpwalk::simulated::libraries
