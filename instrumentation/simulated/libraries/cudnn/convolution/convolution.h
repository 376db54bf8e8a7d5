#pragma once

#include <optional>
#include <string_view>

#include "instrumentation/simulated/libraries/cudnn/abi.h"
#include "kernels/libraries/cudnn/convolution_shape.h"

namespace warpwalk::simulated::libraries {

/// What a convolution computes, from the two other tensors.
enum class ConvolutionResult { y, dx, dw };

/// A convolution of any of cuDNN's interfaces.
struct Convolution {
  ConvolutionResult result = ConvolutionResult::y;
  DataType type = DataType::f32;
  bool tensor_cores = false;  ///< float operands can be rounded to TF32
  stand_in::cudnn::ConvolutionShape shape;
  stand_in::cudnn::Epilogue epilogue;  ///< addends and activation only for y
  const void* x = nullptr;
  const void* w = nullptr;
  const void* y = nullptr;  ///< the result is written, although its pointer is to const
};

/// One axis of spatial extents as Extent and Strides have them: the last of `axes` axes is w.
void set_axis(stand_in::cudnn::Extent& extent, int axis, int axes, int value);
void set_axis(stand_in::cudnn::Strides& strides, int axis, int axes, long long value);

/// The strides of a tensor whose axes are n, c and `axes` spatial ones.
stand_in::cudnn::Strides strides_of(const long long* strides, int axes);

/// The extents and strides of the tensors and the convolution's settings, of one to three spatial axes.
struct ConvolutionTensors {
  int axes = 0;                                    ///< spatial ones
  std::array<long long, most_axes> x{}, w{}, y{};  ///< extents: n, c, then spatial
  std::array<long long, most_axes> x_strides{}, w_strides{}, y_strides{};
  std::array<long long, most_axes> padding{}, stride{}, dilation{};
  std::array<long long, most_axes> post_padding{};  ///< which y's extents have to fit
};

/// The shape of a convolution. None if the extents do not fit together.
std::optional<stand_in::cudnn::ConvolutionShape> shape_of(const ConvolutionTensors& tensors);

/// Launches the convolution. Reads no device memory, so streams can be captured.
DnnStatus run_convolution(const Convolution& convolution, const void* stream);

}  // namespace warpwalk::simulated::libraries
