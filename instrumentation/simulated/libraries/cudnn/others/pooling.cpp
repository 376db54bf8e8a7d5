// Pooling of images: cudnnPoolingForward.
#include <fmt/format.h>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/dropout.h"

namespace warpwalk::simulated::libraries {
namespace {

/// cudnnPoolingDescriptor_t, as PoolingWindow in kernels/libraries/cudnn/pooling.cu.
struct PoolingDescriptor {
  int height = 1, width = 1, padding_h = 0, padding_w = 0, stride_h = 1, stride_w = 1;
  int mode = 0;
};

/// As PooledImage there.
struct PooledImage {
  int height, width;
  long long n, c, h, w;
};

PooledImage pooled_image(const TensorDescriptor& tensor) {
  return {tensor.extents[2], tensor.extents[3], tensor.strides[0],
          tensor.strides[1], tensor.strides[2], tensor.strides[3]};
}

/// CUDNN_DATA_INT8, which only pooling computes with.
constexpr auto bytes_type = static_cast<DataType>(3);

double pooling_factor(const void* factor, DataType type) {
  return type == DataType::f64 ? *static_cast<const double*>(factor) : *static_cast<const float*>(factor);
}

}  // namespace

extern "C" {

DnnStatus cudnnCreatePoolingDescriptor(PoolingDescriptor** pooling) { return create_descriptor(pooling); }
DnnStatus cudnnDestroyPoolingDescriptor(PoolingDescriptor* pooling) { return destroy_descriptor(pooling); }

DnnStatus cudnnSetPooling2dDescriptor(PoolingDescriptor* pooling, int mode, int, int height, int width, int padding_h,
                                      int padding_w, int stride_h, int stride_w) {
  if (pooling == nullptr) return DnnStatus::bad_param_null_pointer;
  if (mode < 0 || mode > 3 || height < 1 || width < 1 || padding_h < 0 || padding_w < 0 || stride_h < 1 ||
      stride_w < 1 || padding_h >= height || padding_w >= width)
    return DnnStatus::bad_param;
  *pooling = {height, width, padding_h, padding_w, stride_h, stride_w, mode};
  return DnnStatus::success;
}

DnnStatus cudnnPoolingForward(DnnHandle* handle, const PoolingDescriptor* pooling, const void* alpha,
                              const TensorDescriptor* x_layout, const void* x, const void* beta,
                              const TensorDescriptor* y_layout, void* y) {
  if (handle == nullptr || pooling == nullptr || alpha == nullptr || x_layout == nullptr || x == nullptr ||
      beta == nullptr || y_layout == nullptr || y == nullptr)
    return DnnStatus::bad_param_null_pointer;
  const DataType type = x_layout->type;
  if (x_layout->axes != 4 || y_layout->axes != 4 || (bytes_of(type) == 0 && type != bytes_type))
    return DnnStatus::not_supported;
  const auto pooled = [](int extent, int padding, int window, int stride) {
    return (extent + 2 * padding - window) / stride + 1;
  };
  if (y_layout->type != type || y_layout->extents[0] != x_layout->extents[0] ||
      y_layout->extents[1] != x_layout->extents[1] ||
      y_layout->extents[2] != pooled(x_layout->extents[2], pooling->padding_h, pooling->height, pooling->stride_h) ||
      y_layout->extents[3] != pooled(x_layout->extents[3], pooling->padding_w, pooling->width, pooling->stride_w))
    return DnnStatus::bad_param;
  return dnn_status(launch("pooling",
                           fmt::format("pool<stand_in::cudnn::{}>", type == bytes_type ? "I8" : number_name(type)),
                           shape_over(static_cast<std::uint64_t>(elements_of(*y_layout))), handle->stream,
                           x_layout->extents[0], x_layout->extents[1], *pooling, pooled_image(*x_layout), x,
                           pooled_image(*y_layout), y, pooling_factor(alpha, type), pooling_factor(beta, type)));
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
