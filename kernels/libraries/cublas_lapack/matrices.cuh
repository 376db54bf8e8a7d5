// Matrices in memory as kernels get them.
#pragma once

namespace stand_in {

/// A matrix with any steps between its elements: column-major, row-major (which is its transpose), or backwards.
template <class Number>
struct Matrix {
  Number* first;
  int row_step, column_step;

  __device__ Number& operator()(int row, int column) const {
    return first[static_cast<long long>(row) * row_step + static_cast<long long>(column) * column_step];
  }
};

/// The matrices of a batch: those that `list` points to, or one every `stride` elements after `first`. The element
/// (0, 0) is `offset` elements after the start.
template <class Number>
struct Matrices {
  Number* first;
  Number* const* list;
  long long stride, offset;
  int row_step, column_step;

  __device__ Matrix<Number> operator[](int index) const {
    Number* const start = list != nullptr ? list[index] : first + index * stride;
    return {start + offset, row_step, column_step};
  }
};

}  // namespace stand_in
