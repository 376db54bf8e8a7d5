// Spatial transformers: cudnnSpatialTf...
#include <fmt/format.h>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/dropout.h"

namespace warpwalk::simulated::libraries {
namespace {

/// cudnnSpatialTransformerDescriptor_t: n, c, h, w of the result.
struct TransformerDescriptor {
  DataType type = DataType::f32;
  std::array<int, 4> extents{};
};

/// As SampledImage in kernels/libraries/cudnn/spatial_transformer.cu.
struct SampledImage {
  int channels, height, width;
  long long n, c, h, w;
};

SampledImage sampled_image(const TensorDescriptor& tensor) {
  return {tensor.extents[1], tensor.extents[2], tensor.extents[3], tensor.strides[0],
          tensor.strides[1], tensor.strides[2], tensor.strides[3]};
}

std::string transformer_kernel(const char* name, DataType type) {
  return fmt::format("{}<stand_in::cudnn::{}>", name, number_name(type));
}

/// Points of the grid.
std::uint64_t grid_points(const TransformerDescriptor& transformer) {
  return static_cast<std::uint64_t>(transformer.extents[0]) * transformer.extents[2] * transformer.extents[3];
}

double sampler_factor(const void* factor, DataType type) {
  return type == DataType::f64 ? *static_cast<const double*>(factor) : *static_cast<const float*>(factor);
}

DnnStatus check_sampler(const DnnHandle* handle, const TransformerDescriptor* transformer, const TensorDescriptor* x,
                        const TensorDescriptor* y) {
  if (handle == nullptr || transformer == nullptr || x == nullptr || y == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (x->axes != 4 || y->axes != 4 || x->type != y->type || x->type != transformer->type) return DnnStatus::bad_param;
  const bool fits = x->extents[0] == y->extents[0] && x->extents[1] == y->extents[1] &&
                    y->extents[0] == transformer->extents[0] && y->extents[2] == transformer->extents[2] &&
                    y->extents[3] == transformer->extents[3];
  return fits ? DnnStatus::success : DnnStatus::bad_param;
}

}  // namespace

extern "C" {

DnnStatus cudnnCreateSpatialTransformerDescriptor(TransformerDescriptor** transformer) {
  return create_descriptor(transformer);
}
DnnStatus cudnnDestroySpatialTransformerDescriptor(TransformerDescriptor* transformer) {
  return destroy_descriptor(transformer);
}

DnnStatus cudnnSetSpatialTransformerNdDescriptor(TransformerDescriptor* transformer, int sampler, DataType type,
                                                 int axes, const int* extents) {
  if (transformer == nullptr || extents == nullptr) return DnnStatus::bad_param_null_pointer;
  if (sampler != 0) return DnnStatus::bad_param;
  if (axes != 4 || bytes_of(type) == 0 || type == DataType::bf16) return DnnStatus::not_supported;
  TransformerDescriptor set{.type = type};
  for (int axis = 0; axis < 4; ++axis) {
    if (extents[axis] < 1) return DnnStatus::bad_param;
    set.extents[axis] = extents[axis];
  }
  *transformer = set;
  return DnnStatus::success;
}

DnnStatus cudnnSpatialTfGridGeneratorForward(DnnHandle* handle, const TransformerDescriptor* transformer,
                                             const void* theta, void* grid) {
  if (handle == nullptr || transformer == nullptr || theta == nullptr || grid == nullptr)
    return DnnStatus::bad_param_null_pointer;
  const auto& extents = transformer->extents;
  return dnn_status(launch("spatial_transformer", transformer_kernel("generate_grid", transformer->type),
                           shape_over(grid_points(*transformer)), handle->stream, theta, extents[0], extents[2],
                           extents[3], grid));
}

DnnStatus cudnnSpatialTfGridGeneratorBackward(DnnHandle* handle, const TransformerDescriptor* transformer,
                                              const void* dgrid, void* dtheta) {
  if (handle == nullptr || transformer == nullptr || dgrid == nullptr || dtheta == nullptr)
    return DnnStatus::bad_param_null_pointer;
  const auto& extents = transformer->extents;
  constexpr std::uint32_t threads = 256;
  return dnn_status(launch("spatial_transformer", transformer_kernel("generate_grid_backward", transformer->type),
                           shape_over(static_cast<std::uint64_t>(extents[0]) * threads, threads), handle->stream, dgrid,
                           extents[2], extents[3], dtheta));
}

DnnStatus cudnnSpatialTfSamplerForward(DnnHandle* handle, const TransformerDescriptor* transformer, const void* alpha,
                                       const TensorDescriptor* x_layout, const void* x, const void* grid,
                                       const void* beta, const TensorDescriptor* y_layout, void* y) {
  const DnnStatus status = check_sampler(handle, transformer, x_layout, y_layout);
  if (status != DnnStatus::success) return status;
  if (alpha == nullptr || beta == nullptr || x == nullptr || grid == nullptr || y == nullptr)
    return DnnStatus::bad_param_null_pointer;
  const DataType type = transformer->type;
  return dnn_status(launch("spatial_transformer", transformer_kernel("sample", type),
                           shape_over(grid_points(*transformer)), handle->stream, transformer->extents[0],
                           sampled_image(*x_layout), x, grid, sampled_image(*y_layout), y, sampler_factor(alpha, type),
                           sampler_factor(beta, type)));
}

DnnStatus cudnnSpatialTfSamplerBackward(DnnHandle* handle, const TransformerDescriptor* transformer, const void* alpha,
                                        const TensorDescriptor* x_layout, const void* x, const void* beta,
                                        const TensorDescriptor* dx_layout, void* dx, const void* grid_alpha,
                                        const TensorDescriptor* dy_layout, const void* dy, const void* grid,
                                        const void* grid_beta, void* dgrid) {
  const DnnStatus status = check_sampler(handle, transformer, x_layout, dy_layout);
  if (status != DnnStatus::success) return status;
  if (alpha == nullptr || beta == nullptr || grid_alpha == nullptr || grid_beta == nullptr || x == nullptr ||
      dx_layout == nullptr || dx == nullptr || dy == nullptr || grid == nullptr || dgrid == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (dx_layout->extents != x_layout->extents || dx_layout->strides != x_layout->strides)
    return DnnStatus::not_supported;
  const DataType type = transformer->type;
  if (type == DataType::f16) {
    tell_not_supported("cuDNN", "cudnnSpatialTfSamplerBackward", "numbers of 16 bits");
    return DnnStatus::not_supported;
  }
  const SampledImage from = sampled_image(*x_layout);
  const Error scaled = launch("spatial_transformer", transformer_kernel("scale_image", type),
                              shape_over(static_cast<std::uint64_t>(elements_of(*x_layout))), handle->stream,
                              transformer->extents[0], from, dx, sampler_factor(beta, type));
  if (scaled != Error::success) return dnn_status(scaled);
  return dnn_status(launch("spatial_transformer", transformer_kernel("sample_backward", type),
                           shape_over(grid_points(*transformer)), handle->stream, transformer->extents[0], from, x, dx,
                           grid, sampled_image(*dy_layout), dy, dgrid, sampler_factor(alpha, type),
                           sampler_factor(grid_alpha, type), sampler_factor(grid_beta, type)));
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
