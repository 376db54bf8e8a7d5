#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpwalk::ops {

using Sizes = std::vector<std::int64_t>;
constexpr std::size_t max_dims = 8;

/// The places of a tensor's elements in its storage: element (i, j, ...) is number offset + i*strides[0] +
/// j*strides[1] + ... All in elements. A view is another geometry on the same storage: nothing is computed.
struct Geometry {
  Sizes sizes;
  Sizes strides;
  std::int64_t offset = 0;
  bool operator==(const Geometry&) const = default;

  std::size_t dims() const { return sizes.size(); }
  std::int64_t count() const;    ///< elements
  bool contiguous() const;       ///< row-major without gaps; ignores dimensions of size 1, as PyTorch does
  std::int64_t last() const;     ///< the highest element number reached; offset - 1 if the tensor is empty
  bool overlaps_itself() const;  ///< a stride of 0 on a dimension longer than 1: elements are read more than once
};

/// Row-major strides, a dimension of size 0 counted as 1 (as PyTorch's).
Sizes row_major(const Sizes& sizes);
Geometry contiguous_geometry(Sizes sizes);
std::int64_t count_of(const Sizes& sizes);
/// "256x128"; "scalar" for none.
std::string shape_text(const Sizes& sizes);

/// All below throw OpError if the geometry does not allow it; dimensions may be negative (-1 is the last).
Geometry transposed(const Geometry& g, std::int64_t dim0, std::int64_t dim1);
Geometry permuted(const Geometry& g, const Sizes& order);
/// Python's slice start:stop:step on one dimension: none is the default, out of range is clamped, step > 0.
Geometry sliced(const Geometry& g, std::int64_t dim, std::optional<std::int64_t> start,
                std::optional<std::int64_t> stop, std::int64_t step);
/// One index of a dimension, which is removed.
Geometry selected(const Geometry& g, std::int64_t dim, std::int64_t index);
Geometry expanded(const Geometry& g, const Sizes& sizes);  ///< a size of -1 keeps; stride 0 if 1 becomes more
Geometry squeezed(const Geometry& g, std::int64_t dim);    ///< unchanged if the dimension is not 1
Geometry unsqueezed(const Geometry& g, std::int64_t dim);
/// The same elements in other sizes (one may be -1) without a copy; none if the strides forbid it (PyTorch's
/// computeStride).
std::optional<Geometry> viewed(const Geometry& g, const Sizes& sizes);
/// Sizes with -1 replaced. Throws if the number of elements does not fit.
Sizes inferred_sizes(const Sizes& sizes, std::int64_t count);

/// NumPy's and PyTorch's broadcasting rule: from the last dimension, equal or one of them 1. Throws with both shapes
/// and the dimension that does not fit.
Sizes broadcast(const Sizes& a, const Sizes& b);
/// A dimension from -dims .. dims-1 as 0 .. dims-1. Throws.
std::size_t wrapped_dim(std::int64_t dim, std::size_t dims);

}  // namespace warpwalk::ops
