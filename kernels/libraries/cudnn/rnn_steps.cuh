#pragma once

// The steps of recurrent layers. A block keeps the states of its batch elements in shared memory and takes all steps,
// since batch elements do not depend on each other. The products with x have been computed before.

#include "number.cuh"
#include "rnn_cell.cuh"
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
__device__ typename Number::Sum state_at(const RnnLayer& layer, const void* states, int row, int unit) {
  const long long element = blockIdx.x * rnn_rows + row;
  if (states == nullptr || element >= layer.batch) return 0;
  return Number::load(static_cast<const typename Number::Storage*>(states)[element * layer.hidden + unit]);
}

template <class Number>
__device__ void store_state(const RnnLayer& layer, void* states, int row, int unit, typename Number::Sum value) {
  const long long element = blockIdx.x * rnn_rows + row;
  if (states == nullptr || element >= layer.batch) return;
  static_cast<typename Number::Storage*>(states)[element * layer.hidden + unit] = Number::store(value);
}

/// All steps forwards. Shared memory: two hidden states of each unit, and its cell state.
template <class Number, class Cell>
__global__ void rnn_forward(const RnnLayer layer) {
  using Storage = typename Number::Storage;
  using Sum = typename Number::Sum;
  extern __shared__ __align__(16) unsigned char shared[];
  const int hidden = layer.hidden;
  Rows<Sum>* h = reinterpret_cast<Rows<Sum>*>(shared);
  Rows<Sum>* h_next = h + hidden;
  Rows<Sum>* const c = h_next + hidden;
  Storage* const gates = static_cast<Storage*>(layer.gates);
  Storage* const y = static_cast<Storage*>(layer.y);
  const Storage* const weights = static_cast<const Storage*>(layer.weights);
  for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x)
    for (int row = 0; row < rnn_rows; ++row) {
      h[unit].of[row] = state_at<Number>(layer, layer.hx, row, unit);
      c[unit].of[row] = state_at<Number>(layer, layer.cx, row, unit);
    }
  __syncthreads();

  for (int taken = 0; taken < layer.steps; ++taken) {
    const StepRows rows(layer, taken);
    for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x) {
      // The recurrent products of this unit's gates, for all rows at once.
      Sum products[Cell::gates][rnn_rows];
#pragma unroll
      for (int gate = 0; gate < Cell::gates; ++gate) {
        const Sum bias = layer.bias == nullptr
                             ? Sum(0)
                             : Number::load(static_cast<const Storage*>(layer.bias)[gate * hidden + unit]);
#pragma unroll
        for (int row = 0; row < rnn_rows; ++row) products[gate][row] = bias;
      }
      for (int k = 0; k < hidden; ++k) {
        const Rows<Sum> from = h[k];
#pragma unroll
        for (int gate = 0; gate < Cell::gates; ++gate) {
          const Sum weight = Number::load(weights[(static_cast<long long>(gate) * hidden + unit) * hidden + k]);
#pragma unroll
          for (int row = 0; row < rnn_rows; ++row) products[gate][row] = fma(weight, from.of[row], products[gate][row]);
        }
      }
#pragma unroll
      for (int row = 0; row < rnn_rows; ++row) {
        const Sum before = h[unit].of[row];
        Sum after = before;
        const long long at = rows.tensor_row(row);
        if (rows.is_active(row)) {
          Sum input[Cell::gates], recurrent[Cell::gates], extra = c[unit].of[row];
#pragma unroll
          for (int gate = 0; gate < Cell::gates; ++gate) {
            input[gate] = Number::load(gates[(at * Cell::gates + gate) * hidden + unit]);
            recurrent[gate] = products[gate][row];
          }
          after = Cell::forward(input, recurrent, before, extra, layer.relu);
          const Storage stored = Number::store(after);
          after = Number::load(stored);
          y[at * layer.y_row + unit] = stored;
          if (Cell::has_state) c[unit].of[row] = extra;
          if (layer.previous != nullptr) {  // for the gradients
            static_cast<Storage*>(layer.previous)[at * hidden + unit] = Number::store(before);
            if (Cell::has_state || Cell::has_product)
              static_cast<Storage*>(layer.cells)[at * hidden + unit] = Number::store(extra);
#pragma unroll
            for (int gate = 0; gate < Cell::gates; ++gate)
              gates[(at * Cell::gates + gate) * hidden + unit] = Number::store(input[gate]);
          }
        } else if (layer.padded && rows.is_padding(row)) {
          y[at * layer.y_row + unit] = Number::store(0);
          if (layer.previous != nullptr) static_cast<Storage*>(layer.previous)[at * hidden + unit] = Number::store(0);
        }
        h_next[unit].of[row] = after;
      }
    }
    __syncthreads();  // all units have read h and written h_next
    Rows<Sum>* const last = h;
    h = h_next;
    h_next = last;
  }
  for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x)
    for (int row = 0; row < rnn_rows; ++row) {
      store_state<Number>(layer, layer.hy, row, unit, h[unit].of[row]);
      if (Cell::has_state) store_state<Number>(layer, layer.cy, row, unit, c[unit].of[row]);
    }
}

/// All steps backwards. Shared memory: the gradient of each unit's hidden state and cell state, and those of the
/// recurrent products of all gates.
template <class Number, class Cell>
__global__ void rnn_backward(const RnnLayer layer) {
  using Storage = typename Number::Storage;
  using Sum = typename Number::Sum;
  extern __shared__ __align__(16) unsigned char shared[];
  const int hidden = layer.hidden;
  Rows<Sum>* const dh = reinterpret_cast<Rows<Sum>*>(shared);
  Rows<Sum>* const dc = dh + hidden;
  Rows<Sum>* const products = dc + hidden;
  Storage* const gates = static_cast<Storage*>(layer.gates);
  Storage* const cells = static_cast<Storage*>(layer.cells);
  const Storage* const previous = static_cast<const Storage*>(layer.previous);
  const Storage* const weights = static_cast<const Storage*>(layer.weights);
  for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x)
    for (int row = 0; row < rnn_rows; ++row) {
      dh[unit].of[row] = state_at<Number>(layer, layer.dhy, row, unit);
      dc[unit].of[row] = state_at<Number>(layer, layer.dcy, row, unit);
    }

  for (int taken = layer.steps - 1; taken >= 0; --taken) {
    const StepRows rows(layer, taken);
    for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x) {
#pragma unroll
      for (int row = 0; row < rnn_rows; ++row) {
        Sum gate[Cell::gates] = {}, of_product = 0;
        const long long at = rows.tensor_row(row);
        if (rows.is_active(row)) {
#pragma unroll
          for (int g = 0; g < Cell::gates; ++g) gate[g] = Number::load(gates[(at * Cell::gates + g) * hidden + unit]);
          Sum cell = 0, cell_before = 0, direct = 0;
          if (Cell::has_state || Cell::has_product) cell = Number::load(cells[at * hidden + unit]);
          if (Cell::has_state) {
            // The state before the first step of this row is the initial one.
            const int before = rows.step + (layer.reverse ? 1 : -1);
            if (before >= 0 && before < rows.lengths[row]) {
              const long long row_before =
                  layer.starts[before] + static_cast<long long>(rows.first + row) * rows.stride;
              cell_before = Number::load(cells[row_before * hidden + unit]);
            } else {
              cell_before = state_at<Number>(layer, layer.cx, row, unit);
            }
          }
          const Sum gradient =
              dh[unit].of[row] + Number::load(static_cast<const Storage*>(layer.dy)[at * layer.y_row + unit]);
          Cell::backward(gate, gradient, cell, cell_before, Number::load(previous[at * hidden + unit]),
                         dc[unit].of[row], direct, of_product, layer.relu);
          dh[unit].of[row] = direct;
        }
        if (rows.is_active(row) || (layer.padded && rows.is_padding(row))) {
#pragma unroll
          for (int g = 0; g < Cell::gates; ++g) gates[(at * Cell::gates + g) * hidden + unit] = Number::store(gate[g]);
          if (Cell::has_product) cells[at * hidden + unit] = Number::store(of_product);
        }
#pragma unroll
        for (int g = 0; g < Cell::gates; ++g)
          products[g * hidden + unit].of[row] = Cell::has_product && g == Cell::gates - 1 ? of_product : gate[g];
      }
    }
    __syncthreads();
    // Through the recurrent weights to the hidden states before this step.
    for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x) {
      Rows<Sum> sum = dh[unit];
      for (int k = 0; k < Cell::gates * hidden; ++k) {
        const Sum weight = Number::load(weights[static_cast<long long>(k) * hidden + unit]);
        const Rows<Sum> from = products[k];
#pragma unroll
        for (int row = 0; row < rnn_rows; ++row) sum.of[row] = fma(weight, from.of[row], sum.of[row]);
      }
      dh[unit] = sum;
    }
    __syncthreads();
  }
  for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x)
    for (int row = 0; row < rnn_rows; ++row) {
      store_state<Number>(layer, layer.dhx, row, unit, dh[unit].of[row]);
      if (Cell::has_state) store_state<Number>(layer, layer.dcx, row, unit, dc[unit].of[row]);
    }
}

}  // namespace stand_in::cudnn
