// The shapes of convolutions, from what the interfaces give.
#include <algorithm>
#include <limits>

#include "instrumentation/simulated/libraries/cudnn/convolution/convolution.h"

namespace warpwalk::simulated::libraries {
namespace {

using stand_in::cudnn::ConvolutionShape;
using stand_in::cudnn::Extent;
using stand_in::cudnn::Strides;

}  // namespace

void set_axis(Extent& extent, int axis, int axes, int value) {
  int* const all[] = {&extent.d, &extent.h, &extent.w};
  *all[3 - axes + axis] = value;
}

void set_axis(Strides& strides, int axis, int axes, long long value) {
  long long* const all[] = {&strides.d, &strides.h, &strides.w};
  *all[3 - axes + axis] = value;
}

Strides strides_of(const long long* strides, int axes) {
  Strides of;
  of.n = strides[0];
  of.c = strides[1];
  for (int axis = 0; axis < axes; ++axis) set_axis(of, axis, axes, strides[2 + axis]);
  return of;
}

std::optional<ConvolutionShape> shape_of(const ConvolutionTensors& tensors) {
  const auto fits = [](long long value) { return value >= 0 && value <= std::numeric_limits<int>::max(); };
  const int axes = tensors.axes;
  if (axes < 1 || axes > 3) return std::nullopt;
  for (int axis = 0; axis < 2 + axes; ++axis)
    if (tensors.x[axis] < 1 || tensors.w[axis] < 1 || tensors.y[axis] < 1 || !fits(tensors.x[axis]) ||
        !fits(tensors.w[axis]) || !fits(tensors.y[axis]))
      return std::nullopt;
  ConvolutionShape shape;
  shape.images = static_cast<int>(tensors.x[0]);
  shape.input_channels = static_cast<int>(tensors.w[1]);
  if (tensors.x[1] % tensors.w[1] != 0 || tensors.y[0] != tensors.x[0]) return std::nullopt;
  shape.groups = static_cast<int>(tensors.x[1] / tensors.w[1]);
  if (tensors.w[0] % shape.groups != 0 || tensors.y[1] != tensors.w[0]) return std::nullopt;
  shape.output_channels = static_cast<int>(tensors.w[0] / shape.groups);
  shape.padding = {0, 0, 0};
  for (int axis = 0; axis < axes; ++axis) {
    const long long input = tensors.x[2 + axis], output = tensors.y[2 + axis], filter = tensors.w[2 + axis];
    const long long stride = tensors.stride[axis], dilation = tensors.dilation[axis];
    const long long reach = (filter - 1) * dilation + 1;
    const long long padded = input + tensors.padding[axis] + tensors.post_padding[axis];
    if (stride < 1 || dilation < 1 || !fits(stride) || !fits(reach) || !fits(tensors.padding[axis]) || padded < reach ||
        output != (padded - reach) / stride + 1)
      return std::nullopt;
    set_axis(shape.input, axis, axes, static_cast<int>(input));
    set_axis(shape.output, axis, axes, static_cast<int>(output));
    set_axis(shape.filter, axis, axes, static_cast<int>(filter));
    set_axis(shape.stride, axis, axes, static_cast<int>(stride));
    set_axis(shape.padding, axis, axes, static_cast<int>(tensors.padding[axis]));
    set_axis(shape.dilation, axis, axes, static_cast<int>(dilation));
  }
  shape.x = strides_of(tensors.x_strides.data(), axes);
  shape.w = strides_of(tensors.w_strides.data(), axes);
  shape.y = strides_of(tensors.y_strides.data(), axes);
  return shape;
}

}  // namespace warpwalk::simulated::libraries
