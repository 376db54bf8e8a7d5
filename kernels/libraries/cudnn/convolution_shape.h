#pragma once

// Parameters of the convolution kernels, for them and for the library that launches them. Convolutions of one and two
// axes have extents of 1 for the others.

namespace stand_in::cudnn {

/// Depth, height and width.
struct Extent {
  int d = 1, h = 1, w = 1;
};

/// The elements from one index to the next, along each axis of a tensor. For a filter, n counts output channels.
struct Strides {
  long long n = 0, c = 0, d = 0, h = 0, w = 0;
};

/// y[n, k, o] = sum of x[n, c, o * stride - padding + t * dilation] * w[k, c, t] over the channels c and the taps t.
struct ConvolutionShape {
  int images = 1, groups = 1;
  int input_channels = 1, output_channels = 1;  ///< of one group
  Extent input, output, filter;
  Extent stride, padding, dilation;
  Strides x, w, y;
};

/// A tensor that is added to the result. A stride of 0 repeats it along that axis.
struct Addend {
  const void* tensor = nullptr;  ///< null: none
  Strides strides;
  double scale = 1;
};

/// The result is activation(alpha * sum + beta * destination + addends).
struct Epilogue {
  double alpha = 1, beta = 0;
  Addend addends[2];
  bool relu = false;
  double upper = 0;  ///< the largest result; 0: no bound
};

}  // namespace stand_in::cudnn
