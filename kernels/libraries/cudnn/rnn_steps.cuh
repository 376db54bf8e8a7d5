#pragma once

// The steps of recurrent layers. A block keeps the states of its batch elements in shared memory and takes all steps,
// since batch elements do not depend on each other. The products with x have been computed before.

#include "number.cuh"
#include "rnn_layer.h"

namespace stand_in::cudnn {

/// One number for each of the block's batch elements.
template <class Sum>
struct alignas(16) Rows {
  Sum of[rnn_rows];
};

/// The batch elements of a block, at one step.
struct StepRows {
  int first;        ///< batch element of row 0
  int count;        ///< batch elements of the block
  long long start;  ///< row of tensors where batch element `first` is
  int stride, step;
  const int* lengths;

  __device__ StepRows(const RnnLayer& layer, int taken) {
    step = layer.reverse ? layer.steps - 1 - taken : taken;
    first = blockIdx.x * rnn_rows;
    count = layer.batch - first < rnn_rows ? layer.batch - first : rnn_rows;
    stride = layer.batch_stride;
    start = layer.starts[step] + static_cast<long long>(first) * stride;
    lengths = layer.lengths + first;
  }
  __device__ bool is_active(int row) const { return row < count && step < lengths[row]; }
  __device__ bool is_padding(int row) const { return row < count && step >= lengths[row]; }
  __device__ long long tensor_row(int row) const { return start + static_cast<long long>(row) * stride; }
};

/// An initial state of a unit, or a gradient of a final one: that of row `row` of the block.
template <class Number>
__device__ typename Number::Sum state_at(const RnnLayer& layer, const void* states, int width, int row, int unit) {
  const long long element = blockIdx.x * rnn_rows + row;
  if (states == nullptr || element >= layer.batch) return 0;
  return Number::load(static_cast<const typename Number::Storage*>(states)[element * width + unit]);
}

template <class Number>
__device__ void store_state(const RnnLayer& layer, void* states, int width, int row, int unit,
                            typename Number::Sum value) {
  const long long element = blockIdx.x * rnn_rows + row;
  if (states == nullptr || element >= layer.batch) return;
  static_cast<typename Number::Storage*>(states)[element * width + unit] = Number::store(value);
}

}  // namespace stand_in::cudnn
