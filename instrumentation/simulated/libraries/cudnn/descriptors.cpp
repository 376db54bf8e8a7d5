// Descriptors of tensors, filters, convolutions and activations.
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"

#include <algorithm>

namespace warpwalk::simulated::libraries {
namespace {

/// Copies one value per axis. Returns false unless all are at least `least`.
bool take_axes(Axes& into, const int* from, int axes, int least) {
  into = {};
  for (int axis = 0; axis < axes; ++axis) {
    if (from[axis] < least) return false;
    into[axis] = from[axis];
  }
  return true;
}

}  // namespace

extern "C" {

DnnStatus cudnnCreateTensorDescriptor(TensorDescriptor** tensor) { return create_descriptor(tensor); }
DnnStatus cudnnDestroyTensorDescriptor(TensorDescriptor* tensor) { return destroy_descriptor(tensor); }
DnnStatus cudnnCreateFilterDescriptor(FilterDescriptor** filter) { return create_descriptor(filter); }
DnnStatus cudnnDestroyFilterDescriptor(FilterDescriptor* filter) { return destroy_descriptor(filter); }
DnnStatus cudnnCreateConvolutionDescriptor(ConvolutionDescriptor** convolution) {
  return create_descriptor(convolution);
}
DnnStatus cudnnDestroyConvolutionDescriptor(ConvolutionDescriptor* convolution) {
  return destroy_descriptor(convolution);
}
DnnStatus cudnnCreateActivationDescriptor(ActivationDescriptor** activation) { return create_descriptor(activation); }
DnnStatus cudnnDestroyActivationDescriptor(ActivationDescriptor* activation) { return destroy_descriptor(activation); }

DnnStatus cudnnSetTensorNdDescriptor(TensorDescriptor* tensor, DataType type, int axes, const int* extents,
                                     const int* strides) {
  if (tensor == nullptr || extents == nullptr || strides == nullptr) return DnnStatus::bad_param_null_pointer;
  if (axes < 1 || axes > most_axes) return DnnStatus::not_supported;
  TensorDescriptor set{.type = type, .axes = axes};
  if (!take_axes(set.extents, extents, axes, 1)) return DnnStatus::bad_param;
  if (!take_axes(set.strides, strides, axes, 0)) return DnnStatus::bad_param;
  *tensor = set;
  return DnnStatus::success;
}

DnnStatus cudnnGetTensorNdDescriptor(const TensorDescriptor* tensor, int requested, DataType* type, int* axes,
                                     int* extents, int* strides) {
  if (tensor == nullptr) return DnnStatus::bad_param_null_pointer;
  if (type != nullptr) *type = tensor->type;
  if (axes != nullptr) *axes = tensor->axes;
  const int count = std::clamp(requested, 0, tensor->axes);
  if (extents != nullptr) std::copy_n(tensor->extents.begin(), count, extents);
  if (strides != nullptr) std::copy_n(tensor->strides.begin(), count, strides);
  return DnnStatus::success;
}

DnnStatus cudnnSetFilterNdDescriptor(FilterDescriptor* filter, DataType type, int format, int axes,
                                     const int* extents) {
  if (filter == nullptr || extents == nullptr) return DnnStatus::bad_param_null_pointer;
  if (axes < 3 || axes > most_axes || format < 0 || format > 1) return DnnStatus::not_supported;
  FilterDescriptor set{.type = type, .format = format, .axes = axes};
  if (!take_axes(set.extents, extents, axes, 1)) return DnnStatus::bad_param;
  *filter = set;
  return DnnStatus::success;
}

DnnStatus cudnnGetFilterNdDescriptor(const FilterDescriptor* filter, int requested, DataType* type, int* format,
                                     int* axes, int* extents) {
  if (filter == nullptr) return DnnStatus::bad_param_null_pointer;
  if (type != nullptr) *type = filter->type;
  if (format != nullptr) *format = filter->format;
  if (axes != nullptr) *axes = filter->axes;
  if (extents != nullptr) std::copy_n(filter->extents.begin(), std::clamp(requested, 0, filter->axes), extents);
  return DnnStatus::success;
}

DnnStatus cudnnSetConvolutionNdDescriptor(ConvolutionDescriptor* convolution, int axes, const int* padding,
                                          const int* stride, const int* dilation, int mode, DataType compute) {
  if (convolution == nullptr || padding == nullptr || stride == nullptr || dilation == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (axes < 1 || axes > 3) return DnnStatus::not_supported;
  ConvolutionDescriptor set{.axes = axes, .mode = mode, .compute = compute};
  if (mode < 0 || mode > 1 || !take_axes(set.padding, padding, axes, 0) || !take_axes(set.stride, stride, axes, 1) ||
      !take_axes(set.dilation, dilation, axes, 1))
    return DnnStatus::bad_param;
  set.groups = convolution->groups;
  set.math = convolution->math;
  *convolution = set;
  return DnnStatus::success;
}

DnnStatus cudnnSetConvolutionGroupCount(ConvolutionDescriptor* convolution, int groups) {
  if (convolution == nullptr) return DnnStatus::bad_param_null_pointer;
  if (groups < 1) return DnnStatus::bad_param;
  convolution->groups = groups;
  return DnnStatus::success;
}

DnnStatus cudnnSetConvolutionMathType(ConvolutionDescriptor* convolution, MathType math) {
  if (convolution == nullptr) return DnnStatus::bad_param_null_pointer;
  convolution->math = math;
  return DnnStatus::success;
}

DnnStatus cudnnSetActivationDescriptor(ActivationDescriptor* activation, int mode, int, double coefficient) {
  if (activation == nullptr) return DnnStatus::bad_param_null_pointer;
  *activation = {mode, coefficient};
  return DnnStatus::success;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
