// Batch normalisation: cudnnBatchNormalization... without activation.
#include <fmt/format.h>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

/// cudnnBatchNormMode_t; persistent spatial normalisation computes the same as spatial.
constexpr int per_activation = 0, most_mode = 2;

/// As ChannelLayout in kernels/libraries/cudnn/batch_normalization.cu.
struct NormalizedLayout {
  int images = 1, positions = 1;
  long long image = 0, channel = 0, position = 0;
};

struct Normalized {
  NormalizedLayout layout;
  std::uint32_t channels = 0;
};

const char* normalized_number(DataType type) {
  switch (type) {
    case DataType::f32: return "F32";
    case DataType::f64: return "F64";
    case DataType::f16: return "F16";
    case DataType::bf16: return "BF16";
  }
  return "";
}

/// How the channels of a tensor lie in memory. The positions of a channel must be evenly spaced.
DnnStatus layout_of(const TensorDescriptor& tensor, int mode, Normalized& normalized) {
  if (tensor.axes < 2) return DnnStatus::bad_param;
  long long positions = 1, stride = 1;
  bool first = true;
  for (int axis = tensor.axes - 1; axis >= 2; --axis) {
    if (tensor.extents[axis] == 1) continue;
    if (first) stride = tensor.strides[axis];
    if (!first && tensor.strides[axis] != stride * positions) return DnnStatus::not_supported;
    positions *= tensor.extents[axis];
    first = false;
  }
  NormalizedLayout& layout = normalized.layout;
  layout.images = tensor.extents[0];
  layout.image = tensor.strides[0];
  layout.channel = tensor.strides[1];
  layout.position = stride;
  layout.positions = static_cast<int>(positions);
  normalized.channels = static_cast<std::uint32_t>(tensor.extents[1]);
  if (mode != per_activation || positions == 1) return DnnStatus::success;
  // Each activation is a channel of its own, in the order of the parameters: channels, then positions.
  if (stride != 1 || layout.channel != positions) return DnnStatus::not_supported;
  normalized.channels *= static_cast<std::uint32_t>(positions);
  layout.channel = 1;
  layout.positions = 1;
  return DnnStatus::success;
}

/// What the calls have in common: checks, and the layout.
DnnStatus check_normalization(const DnnHandle* handle, int mode, int operations, const TensorDescriptor* x,
                              const TensorDescriptor* y, const TensorDescriptor* parameters, Normalized& normalized) {
  if (handle == nullptr || x == nullptr || y == nullptr || parameters == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (mode < 0 || mode > most_mode) return DnnStatus::bad_param;
  if (operations != 0) {
    tell_not_supported("cuDNN", "cudnnBatchNormalizationForwardTrainingEx", "normalisation with an activation");
    return DnnStatus::not_supported;
  }
  if (bytes_of(x->type) == 0) return DnnStatus::not_supported;
  if (x->type != y->type || x->axes != y->axes || x->extents != y->extents) return DnnStatus::bad_param;
  if (x->strides != y->strides) return DnnStatus::not_supported;
  if (parameters->type != (x->type == DataType::f64 ? DataType::f64 : DataType::f32)) return DnnStatus::bad_param;
  return layout_of(*x, mode, normalized);
}

double normalization_factor(const void* factor, DataType type) {
  return type == DataType::f64 ? *static_cast<const double*>(factor) : *static_cast<const float*>(factor);
}

LaunchShape channels_shape(const Normalized& normalized) {
  constexpr std::uint32_t threads = 256;  // normalization_threads
  LaunchShape shape;
  shape.block[0] = threads;
  shape.grid[0] = normalized.channels;
  return shape;
}

template <class... Arguments>
DnnStatus launch_normalization(const char* kernel, DataType type, const Normalized& normalized, const void* stream,
                               Arguments... arguments) {
  return dnn_status(launch("batch_normalization",
                           fmt::format("{}<stand_in::cudnn::{}>", kernel, normalized_number(type)),
                           channels_shape(normalized), stream, normalized.layout, arguments...));
}

}  // namespace

extern "C" {

DnnStatus cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(DnnHandle*, int, int, const TensorDescriptor*,
                                                                   const TensorDescriptor*, const TensorDescriptor*,
                                                                   const TensorDescriptor*, const ActivationDescriptor*,
                                                                   std::size_t* bytes) {
  if (bytes == nullptr) return DnnStatus::bad_param_null_pointer;
  *bytes = 0;
  return DnnStatus::success;
}

DnnStatus cudnnGetBatchNormalizationBackwardExWorkspaceSize(DnnHandle*, int, int, const TensorDescriptor*,
                                                            const TensorDescriptor*, const TensorDescriptor*,
                                                            const TensorDescriptor*, const TensorDescriptor*,
                                                            const TensorDescriptor*, const ActivationDescriptor*,
                                                            std::size_t* bytes) {
  if (bytes == nullptr) return DnnStatus::bad_param_null_pointer;
  *bytes = 0;
  return DnnStatus::success;
}

DnnStatus cudnnGetBatchNormalizationTrainingExReserveSpaceSize(DnnHandle*, int, int, const ActivationDescriptor*,
                                                               const TensorDescriptor*, std::size_t* bytes) {
  if (bytes == nullptr) return DnnStatus::bad_param_null_pointer;
  *bytes = 0;
  return DnnStatus::success;
}

DnnStatus cudnnBatchNormalizationForwardTrainingEx(
    DnnHandle* handle, int mode, int operations, const void* alpha, const void* beta, const TensorDescriptor* x_layout,
    const void* x, const TensorDescriptor*, const void*, const TensorDescriptor* y_layout, void* y,
    const TensorDescriptor* parameters, const void* scale, const void* bias, double average_factor, void* running_mean,
    void* running_variance, double epsilon, void* saved_mean, void* saved_inverse, const ActivationDescriptor*, void*,
    std::size_t, void*, std::size_t) {
  Normalized normalized;
  const DnnStatus status = check_normalization(handle, mode, operations, x_layout, y_layout, parameters, normalized);
  if (status != DnnStatus::success) return status;
  if (alpha == nullptr || beta == nullptr || x == nullptr || y == nullptr || scale == nullptr || bias == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (epsilon < 0) return DnnStatus::bad_param;
  const DataType type = x_layout->type;
  return launch_normalization("normalize_batch", type, normalized, handle->stream, x, y, scale, bias,
                              normalization_factor(alpha, type), normalization_factor(beta, type), epsilon,
                              average_factor, running_mean, running_variance, saved_mean, saved_inverse);
}

DnnStatus cudnnBatchNormalizationForwardInference(DnnHandle* handle, int mode, const void* alpha, const void* beta,
                                                  const TensorDescriptor* x_layout, const void* x,
                                                  const TensorDescriptor* y_layout, void* y,
                                                  const TensorDescriptor* parameters, const void* scale,
                                                  const void* bias, const void* mean, const void* variance,
                                                  double epsilon) {
  Normalized normalized;
  const DnnStatus status = check_normalization(handle, mode, 0, x_layout, y_layout, parameters, normalized);
  if (status != DnnStatus::success) return status;
  if (alpha == nullptr || beta == nullptr || x == nullptr || y == nullptr || scale == nullptr || bias == nullptr ||
      mean == nullptr || variance == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (epsilon < 0) return DnnStatus::bad_param;
  const DataType type = x_layout->type;
  return launch_normalization("normalize_inference", type, normalized, handle->stream, x, y, scale, bias,
                              normalization_factor(alpha, type), normalization_factor(beta, type), epsilon, mean,
                              variance);
}

DnnStatus cudnnBatchNormalizationBackwardEx(DnnHandle* handle, int mode, int operations, const void* alpha,
                                            const void* beta, const void* parameter_alpha, const void* parameter_beta,
                                            const TensorDescriptor* x_layout, const void* x, const TensorDescriptor*,
                                            const void*, const TensorDescriptor* dy_layout, const void* dy,
                                            const TensorDescriptor*, void*, const TensorDescriptor* dx_layout, void* dx,
                                            const TensorDescriptor* parameters, const void* scale, const void*,
                                            void* dscale, void* dbias, double epsilon, const void* saved_mean,
                                            const void* saved_inverse, const ActivationDescriptor*, void*, std::size_t,
                                            void*, std::size_t) {
  Normalized normalized;
  DnnStatus status = check_normalization(handle, mode, operations, x_layout, dy_layout, parameters, normalized);
  if (status == DnnStatus::success)
    status = check_normalization(handle, mode, operations, x_layout, dx_layout, parameters, normalized);
  if (status != DnnStatus::success) return status;
  if (alpha == nullptr || beta == nullptr || parameter_alpha == nullptr || parameter_beta == nullptr || x == nullptr ||
      dy == nullptr || dx == nullptr || scale == nullptr || dscale == nullptr || dbias == nullptr)
    return DnnStatus::bad_param_null_pointer;
  const DataType type = x_layout->type;
  return launch_normalization("normalize_backward", type, normalized, handle->stream, x, dy, dx, scale, dscale, dbias,
                              normalization_factor(alpha, type), normalization_factor(beta, type),
                              normalization_factor(parameter_alpha, type), normalization_factor(parameter_beta, type),
                              epsilon, saved_mean, saved_inverse);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
