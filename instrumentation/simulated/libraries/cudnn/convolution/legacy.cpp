// cudnnConvolutionForward and the others of the interface without graphs.
#include <algorithm>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/convolution/convolution.h"
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"

namespace warpwalk::simulated::libraries {
namespace {

/// cudnnConvolutionFwdAlgoPerf_t, and those of the gradients, which are laid out the same.
struct AlgorithmPerformance {
  int algorithm;
  DnnStatus status;
  float time;  ///< milliseconds; -1: not measured
  std::size_t memory;
  int determinism;
  MathType math;
  int reserved[3];
};

/// The tensors of a call. Whatever of them is the result is written.
struct LegacyCall {
  DnnHandle* handle;
  const TensorDescriptor* x_layout;
  const void* x;
  const FilterDescriptor* w_layout;
  const void* w;
  const ConvolutionDescriptor* settings;
  const TensorDescriptor* y_layout;
  const void* y;
};

/// alpha and beta point to doubles for tensors of doubles, otherwise to floats.
double factor_at(const void* factor, DataType type) {
  return type == DataType::f64 ? *static_cast<const double*>(factor) : *static_cast<const float*>(factor);
}

void set_filter_strides(const FilterDescriptor& filter, std::array<long long, most_axes>& strides) {
  long long next = 1;
  if (filter.format == 1) strides[1] = next, next *= filter.extents[1];
  for (int axis = filter.axes - 1; axis >= (filter.format == 1 ? 2 : 1); --axis)
    strides[axis] = next, next *= filter.extents[axis];
  strides[0] = next;
}

/// The convolution of a call; a status other than success if it is none.
DnnStatus convolution_of(const LegacyCall& call, ConvolutionResult result, Convolution& convolution) {
  if (call.handle == nullptr || call.x_layout == nullptr || call.w_layout == nullptr || call.settings == nullptr ||
      call.y_layout == nullptr)
    return DnnStatus::bad_param_null_pointer;
  const ConvolutionDescriptor& settings = *call.settings;
  const int axes = settings.axes;
  if (call.x_layout->axes != axes + 2 || call.w_layout->axes != axes + 2 || call.y_layout->axes != axes + 2)
    return DnnStatus::bad_param;
  if (call.x_layout->type != call.w_layout->type || call.x_layout->type != call.y_layout->type)
    return DnnStatus::bad_param;
  if (bytes_of(call.x_layout->type) == 0) return DnnStatus::not_supported;
  ConvolutionTensors tensors;
  tensors.axes = axes;
  for (int axis = 0; axis < axes + 2; ++axis) {
    tensors.x[axis] = call.x_layout->extents[axis];
    tensors.w[axis] = call.w_layout->extents[axis];
    tensors.y[axis] = call.y_layout->extents[axis];
    tensors.x_strides[axis] = call.x_layout->strides[axis];
    tensors.y_strides[axis] = call.y_layout->strides[axis];
  }
  set_filter_strides(*call.w_layout, tensors.w_strides);
  for (int axis = 0; axis < axes; ++axis) {
    tensors.padding[axis] = tensors.post_padding[axis] = settings.padding[axis];
    tensors.stride[axis] = settings.stride[axis];
    tensors.dilation[axis] = settings.dilation[axis];
  }
  const auto shape = shape_of(tensors);
  if (!shape || shape->groups != settings.groups) return DnnStatus::bad_param;
  if (settings.mode == 0 && shape->filter.d * shape->filter.h * shape->filter.w > 1) {
    tell_not_supported("cuDNN", "cudnnSetConvolutionNdDescriptor", "CUDNN_CONVOLUTION");
    return DnnStatus::not_supported;
  }
  convolution = {};
  convolution.result = result;
  convolution.type = call.x_layout->type;
  convolution.tensor_cores = settings.math != MathType::fma;
  convolution.shape = *shape;
  convolution.x = call.x, convolution.w = call.w, convolution.y = call.y;
  return DnnStatus::success;
}

DnnStatus run_legacy(const LegacyCall& call, ConvolutionResult result, const void* alpha, const void* beta) {
  Convolution convolution;
  const DnnStatus status = convolution_of(call, result, convolution);
  if (status != DnnStatus::success) return status;
  if (call.x == nullptr || call.w == nullptr || call.y == nullptr || alpha == nullptr || beta == nullptr)
    return DnnStatus::bad_param_null_pointer;
  convolution.epilogue.alpha = factor_at(alpha, convolution.type);
  convolution.epilogue.beta = factor_at(beta, convolution.type);
  return run_convolution(convolution, call.handle->stream);
}

/// The algorithms for a convolution, the fastest first. Floats have two: with tensor cores and without.
DnnStatus list_algorithms(const LegacyCall& call, ConvolutionResult result, int requested, int* returned,
                          AlgorithmPerformance* into) {
  if (returned == nullptr || into == nullptr) return DnnStatus::bad_param_null_pointer;
  if (requested < 1) return DnnStatus::bad_param;
  Convolution convolution;
  const DnnStatus status = convolution_of(call, result, convolution);
  if (status != DnnStatus::success) return status;
  std::vector<MathType> maths;
  const bool half = convolution.type == DataType::f16 || convolution.type == DataType::bf16;
  if (half) maths = {MathType::tensor_op};
  if (convolution.type == DataType::f32 && convolution.tensor_cores) maths = {MathType::standard};
  if (!half) maths.push_back(MathType::fma);
  *returned = std::min<int>(requested, static_cast<int>(maths.size()));
  // Algorithm 1 is CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, and the deterministic one of the gradients.
  for (int i = 0; i < *returned; ++i) into[i] = {1, DnnStatus::success, -1, 0, 1, maths[i], {}};
  return DnnStatus::success;
}

/// No algorithm needs a workspace.
DnnStatus no_workspace(const LegacyCall& call, ConvolutionResult result, std::size_t* bytes) {
  if (bytes == nullptr) return DnnStatus::bad_param_null_pointer;
  *bytes = 0;
  Convolution convolution;
  return convolution_of(call, result, convolution);
}

}  // namespace

extern "C" {

DnnStatus cudnnConvolutionForward(DnnHandle* handle, const void* alpha, const TensorDescriptor* x_layout, const void* x,
                                  const FilterDescriptor* w_layout, const void* w,
                                  const ConvolutionDescriptor* settings, int, void*, std::size_t, const void* beta,
                                  const TensorDescriptor* y_layout, void* y) {
  return run_legacy({handle, x_layout, x, w_layout, w, settings, y_layout, y}, ConvolutionResult::y, alpha, beta);
}

DnnStatus cudnnConvolutionBackwardData(DnnHandle* handle, const void* alpha, const FilterDescriptor* w_layout,
                                       const void* w, const TensorDescriptor* dy_layout, const void* dy,
                                       const ConvolutionDescriptor* settings, int, void*, std::size_t, const void* beta,
                                       const TensorDescriptor* dx_layout, void* dx) {
  return run_legacy({handle, dx_layout, dx, w_layout, w, settings, dy_layout, dy}, ConvolutionResult::dx, alpha, beta);
}

DnnStatus cudnnConvolutionBackwardFilter(DnnHandle* handle, const void* alpha, const TensorDescriptor* x_layout,
                                         const void* x, const TensorDescriptor* dy_layout, const void* dy,
                                         const ConvolutionDescriptor* settings, int, void*, std::size_t,
                                         const void* beta, const FilterDescriptor* dw_layout, void* dw) {
  return run_legacy({handle, x_layout, x, dw_layout, dw, settings, dy_layout, dy}, ConvolutionResult::dw, alpha, beta);
}

DnnStatus cudnnConvolutionBiasActivationForward(DnnHandle* handle, const void* alpha1, const TensorDescriptor* x_layout,
                                                const void* x, const FilterDescriptor* w_layout, const void* w,
                                                const ConvolutionDescriptor* settings, int, void*, std::size_t,
                                                const void* alpha2, const TensorDescriptor* z_layout, const void* z,
                                                const TensorDescriptor* bias_layout, const void* bias,
                                                const ActivationDescriptor* activation,
                                                const TensorDescriptor* y_layout, void* y) {
  Convolution convolution;
  const DnnStatus status =
      convolution_of({handle, x_layout, x, w_layout, w, settings, y_layout, y}, ConvolutionResult::y, convolution);
  if (status != DnnStatus::success) return status;
  if (x == nullptr || w == nullptr || y == nullptr || alpha1 == nullptr || alpha2 == nullptr || bias == nullptr ||
      bias_layout == nullptr || activation == nullptr || z_layout == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (activation->mode != 1 && activation->mode != 3 && activation->mode != 5) return DnnStatus::not_supported;
  if (bias_layout->type != convolution.type || bias_layout->axes != y_layout->axes ||
      z_layout->axes != y_layout->axes || bias_layout->extents[1] != y_layout->extents[1] ||
      elements_of(*bias_layout) != y_layout->extents[1])
    return DnnStatus::bad_param;
  convolution.epilogue.alpha = factor_at(alpha1, convolution.type);
  const double z_scale = factor_at(alpha2, convolution.type);
  if (z != nullptr && z_scale != 0) {
    std::array<long long, most_axes> strides{};
    std::copy_n(z_layout->strides.begin(), z_layout->axes, strides.begin());
    convolution.epilogue.addends[0] = {z, strides_of(strides.data(), settings->axes), z_scale};
  }
  convolution.epilogue.addends[1].tensor = bias;
  convolution.epilogue.addends[1].strides.c = bias_layout->strides[1];
  convolution.epilogue.relu = activation->mode != 5;
  if (activation->mode == 3) convolution.epilogue.upper = activation->coefficient;
  return run_convolution(convolution, handle->stream);
}

DnnStatus cudnnGetConvolutionForwardAlgorithm_v7(DnnHandle* handle, const TensorDescriptor* x,
                                                 const FilterDescriptor* w, const ConvolutionDescriptor* settings,
                                                 const TensorDescriptor* y, int requested, int* returned,
                                                 AlgorithmPerformance* into) {
  return list_algorithms({handle, x, nullptr, w, nullptr, settings, y, nullptr}, ConvolutionResult::y, requested,
                         returned, into);
}
DnnStatus cudnnGetConvolutionBackwardDataAlgorithm_v7(DnnHandle* handle, const FilterDescriptor* w,
                                                      const TensorDescriptor* dy, const ConvolutionDescriptor* settings,
                                                      const TensorDescriptor* dx, int requested, int* returned,
                                                      AlgorithmPerformance* into) {
  return list_algorithms({handle, dx, nullptr, w, nullptr, settings, dy, nullptr}, ConvolutionResult::dx, requested,
                         returned, into);
}
DnnStatus cudnnGetConvolutionBackwardFilterAlgorithm_v7(DnnHandle* handle, const TensorDescriptor* x,
                                                        const TensorDescriptor* dy,
                                                        const ConvolutionDescriptor* settings,
                                                        const FilterDescriptor* dw, int requested, int* returned,
                                                        AlgorithmPerformance* into) {
  return list_algorithms({handle, x, nullptr, dw, nullptr, settings, dy, nullptr}, ConvolutionResult::dw, requested,
                         returned, into);
}

// Every algorithm takes the same time here, so nothing has to be tried.
DnnStatus cudnnFindConvolutionForwardAlgorithmEx(DnnHandle* handle, const TensorDescriptor* x, const void*,
                                                 const FilterDescriptor* w, const void*,
                                                 const ConvolutionDescriptor* settings, const TensorDescriptor* y,
                                                 void*, int requested, int* returned, AlgorithmPerformance* into, void*,
                                                 std::size_t) {
  return cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, settings, y, requested, returned, into);
}
DnnStatus cudnnFindConvolutionBackwardDataAlgorithmEx(DnnHandle* handle, const FilterDescriptor* w, const void*,
                                                      const TensorDescriptor* dy, const void*,
                                                      const ConvolutionDescriptor* settings, const TensorDescriptor* dx,
                                                      void*, int requested, int* returned, AlgorithmPerformance* into,
                                                      void*, std::size_t) {
  return cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, w, dy, settings, dx, requested, returned, into);
}
DnnStatus cudnnFindConvolutionBackwardFilterAlgorithmEx(DnnHandle* handle, const TensorDescriptor* x, const void*,
                                                        const TensorDescriptor* dy, const void*,
                                                        const ConvolutionDescriptor* settings,
                                                        const FilterDescriptor* dw, void*, int requested, int* returned,
                                                        AlgorithmPerformance* into, void*, std::size_t) {
  return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, x, dy, settings, dw, requested, returned, into);
}

DnnStatus cudnnGetConvolutionForwardWorkspaceSize(DnnHandle* handle, const TensorDescriptor* x,
                                                  const FilterDescriptor* w, const ConvolutionDescriptor* settings,
                                                  const TensorDescriptor* y, int, std::size_t* bytes) {
  return no_workspace({handle, x, nullptr, w, nullptr, settings, y, nullptr}, ConvolutionResult::y, bytes);
}
DnnStatus cudnnGetConvolutionBackwardDataWorkspaceSize(DnnHandle* handle, const FilterDescriptor* w,
                                                       const TensorDescriptor* dy,
                                                       const ConvolutionDescriptor* settings,
                                                       const TensorDescriptor* dx, int, std::size_t* bytes) {
  return no_workspace({handle, dx, nullptr, w, nullptr, settings, dy, nullptr}, ConvolutionResult::dx, bytes);
}
DnnStatus cudnnGetConvolutionBackwardFilterWorkspaceSize(DnnHandle* handle, const TensorDescriptor* x,
                                                         const TensorDescriptor* dy,
                                                         const ConvolutionDescriptor* settings,
                                                         const FilterDescriptor* dw, int, std::size_t* bytes) {
  return no_workspace({handle, x, nullptr, dw, nullptr, settings, dy, nullptr}, ConvolutionResult::dw, bytes);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
