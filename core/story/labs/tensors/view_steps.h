#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/tensor/geometry.h"

namespace warpwalk::story {

/// One call on a tensor that rearranges its elements without computing any.
struct ViewStep {
  enum class Kind : std::uint8_t { slice, select, transpose, permute, expand, unsqueeze, view, reshape, contiguous };
  Kind kind = Kind::contiguous;
  /// Its integers: dimension and index (select), two dimensions (transpose), a dimension (slice, unsqueeze), sizes or
  /// an order of dimensions (the others).
  ops::Sizes numbers = {};
  std::optional<std::int64_t> start = {}, stop = {};  ///< of a slice, as in Python
  std::int64_t by = 1;                                ///< step of a slice
};

enum class StepEffect : std::uint8_t {
  view,     ///< another geometry on the same storage
  same,     ///< the tensor itself
  copy,     ///< a new storage, row-major
  refused,  ///< PyTorch raises an error
};

/// A tensor as far as its places go: what it reads, and the numbers that its storage holds.
struct StoredTensor {
  ops::Geometry geometry;
  std::vector<std::int64_t> storage;
};
/// torch.arange(n).reshape(sizes): element i of the storage holds i.
StoredTensor counting_tensor(ops::Sizes sizes);

/// The index of an element in each dimension; `number` counts the elements in row-major order.
std::vector<std::int64_t> index_of(const ops::Geometry& geometry, std::int64_t number);
/// The places in the storage that the tensor reads, in row-major order of its indices.
std::vector<std::int64_t> places_of(const ops::Geometry& geometry);

/// Two dimensions that no single stride runs through: stride[dim] is not size[inner] * stride[inner].
struct SplitDims {
  std::size_t dim = 0;
  std::size_t inner = 0;      ///< the next dimension whose size is not 1
  std::int64_t stride = 0;    ///< of `dim`
  std::int64_t expected = 0;  ///< size[inner] * stride[inner]
};
/// The last such pair; none if all elements lie at one stride, so that view(-1) works
/// (PyTorch's computeStride, aten/src/ATen/TensorUtils.cpp).
std::optional<SplitDims> split_dims(const ops::Geometry& geometry);

/// Applies a step as PyTorch does (aten/src/ATen/native/TensorShape.cpp). A refused step leaves the tensor as it is.
StepEffect apply_step(const ViewStep& step, StoredTensor& tensor);
/// The call in Python, to be appended to a tensor: ".transpose(0, 1)", "[1:]", "[..., ::2]".
std::string step_text(const ViewStep& step);

}  // namespace warpwalk::story
