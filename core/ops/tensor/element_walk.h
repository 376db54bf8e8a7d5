#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/ops/tensor/geometry.h"

namespace warpwalk::ops {

/// The way through N arrays of the same sizes, element by element, in row-major order of the indices. Dimensions that
/// follow one another in all N arrays are taken together, so that rows are as long as they can be.
template <std::size_t N>
class ElementWalk {
 public:
  using Steps = std::array<std::int64_t, N>;  ///< one for each array, in elements

  /// `strides`: one for each dimension of `sizes`. At most max_dims dimensions.
  ElementWalk(const Sizes& sizes, const std::array<const Sizes*, N>& strides) {
    empty_ = std::ranges::find(sizes, 0) != sizes.end();
    for (std::size_t d = sizes.size(); d-- > 0;) {
      if (sizes[d] == 1) continue;
      Dim dim{sizes[d], {}};
      for (std::size_t n = 0; n < N; ++n) dim.strides[n] = (*strides[n])[d];
      if (dims_ > 0 && follows(dim, dim_[dims_ - 1]))
        dim_[dims_ - 1].size *= dim.size;
      else
        dim_[dims_++] = dim;
    }
    if (dims_ == 0) dim_[dims_++] = {1, {}};
  }

  /// Calls row(offsets, strides, count) for each row: `offsets` of its first element in each array, from 0.
  template <class Row>
  void rows(Row row) const {
    if (empty_) return;
    Steps offsets{};
    std::array<std::int64_t, max_dims> index{};
    for (;;) {
      row(offsets, dim_[0].strides, dim_[0].size);
      std::size_t d = 1;
      for (; d < dims_; ++d) {
        for (std::size_t n = 0; n < N; ++n) offsets[n] += dim_[d].strides[n];
        if (++index[d] < dim_[d].size) break;
        index[d] = 0;
        for (std::size_t n = 0; n < N; ++n) offsets[n] -= dim_[d].strides[n] * dim_[d].size;
      }
      if (d >= dims_) return;
    }
  }

 private:
  struct Dim {
    std::int64_t size = 1;
    Steps strides{};
  };
  static bool follows(const Dim& outer, const Dim& inner) {
    for (std::size_t n = 0; n < N; ++n)
      if (outer.strides[n] != inner.strides[n] * inner.size) return false;
    return true;
  }

  std::array<Dim, max_dims> dim_{};  // the last dimension first
  std::size_t dims_ = 0;
  bool empty_ = false;
};

}  // namespace warpwalk::ops
