#pragma once

#include "rnn_cell.cuh"
#include "rnn_steps.cuh"

namespace stand_in::cudnn {

/// All steps forwards. Shared memory: two hidden states, the cell state of each unit, and, with a projection, the
/// outputs of the units.
template <class Number, class Cell>
__global__ void rnn_forward(const RnnLayer layer) {
  using Storage = typename Number::Storage;
  using Sum = typename Number::Sum;
  extern __shared__ __align__(16) unsigned char shared[];
  const int hidden = layer.hidden, state = layer.state;
  const bool projects = Cell::has_state && layer.projection != nullptr, trains = layer.previous != nullptr;
  Rows<Sum>* h = reinterpret_cast<Rows<Sum>*>(shared);
  Rows<Sum>* h_next = h + state;
  Rows<Sum>* const c = h_next + state;
  Rows<Sum>* const outputs = c + hidden;
  Storage* const gates = static_cast<Storage*>(layer.gates);
  const Storage* const weights = static_cast<const Storage*>(layer.weights);
  for (int row = 0; row < rnn_rows; ++row) {
    for (int i = threadIdx.x; i < state; i += blockDim.x)
      h[i].of[row] = state_at<Number>(layer, layer.hx, state, row, i);
    for (int i = threadIdx.x; i < hidden; i += blockDim.x)
      c[i].of[row] = state_at<Number>(layer, layer.cx, hidden, row, i);
  }
  __syncthreads();

  for (int taken = 0; taken < layer.steps; ++taken) {
    const StepRows rows(layer, taken);
    // Stores element i of the state after this step.
    const auto keep = [&](int row, int i, Sum value) {
      Storage* const y = static_cast<Storage*>(layer.y) + rows.tensor_row(row) * layer.y_row + i;
      Storage* const previous = static_cast<Storage*>(layer.previous) + rows.tensor_row(row) * state + i;
      const Sum before = h[i].of[row];
      h_next[i].of[row] = before;
      if (rows.is_active(row)) {
        *y = Number::store(value);
        h_next[i].of[row] = Number::load(*y);
        if (trains) *previous = Number::store(before);
      } else if (layer.padded && rows.is_padding(row)) {
        *y = Number::store(0);
        if (trains) *previous = Number::store(0);
      }
    };
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
      for (int k = 0; k < state; ++k) {
        const Rows<Sum> from = h[k];
#pragma unroll
        for (int gate = 0; gate < Cell::gates; ++gate) {
          const Sum weight = Number::load(weights[(static_cast<long long>(gate) * hidden + unit) * state + k]);
#pragma unroll
          for (int row = 0; row < rnn_rows; ++row) products[gate][row] = fma(weight, from.of[row], products[gate][row]);
        }
      }
#pragma unroll
      for (int row = 0; row < rnn_rows; ++row) {
        Sum after = 0;
        const long long at = rows.tensor_row(row);
        if (rows.is_active(row)) {
          Sum input[Cell::gates], recurrent[Cell::gates], extra = c[unit].of[row];
#pragma unroll
          for (int gate = 0; gate < Cell::gates; ++gate) {
            input[gate] = Number::load(gates[(at * Cell::gates + gate) * hidden + unit]);
            recurrent[gate] = products[gate][row];
          }
          after = Cell::forward(input, recurrent, Cell::has_product ? h[unit].of[row] : Sum(0), extra, layer.relu);
          if (Cell::has_state) c[unit].of[row] = extra;
          if (trains) {  // for the gradients
            if (Cell::has_state || Cell::has_product)
              static_cast<Storage*>(layer.cells)[at * hidden + unit] = Number::store(extra);
#pragma unroll
            for (int gate = 0; gate < Cell::gates; ++gate)
              gates[(at * Cell::gates + gate) * hidden + unit] = Number::store(input[gate]);
          }
        }
        if (!projects) {
          keep(row, unit, after);
        } else {
          outputs[unit].of[row] = after;
          if (trains && (rows.is_active(row) || (layer.padded && rows.is_padding(row))))
            static_cast<Storage*>(layer.outputs)[at * hidden + unit] = Number::store(after);
        }
      }
    }
    if (projects) {
      __syncthreads();  // all units have written their outputs
      for (int i = threadIdx.x; i < state; i += blockDim.x) {
        Rows<Sum> sum = {};
        for (int k = 0; k < hidden; ++k) {
          const Sum weight =
              Number::load(static_cast<const Storage*>(layer.projection)[static_cast<long long>(i) * hidden + k]);
          for (int row = 0; row < rnn_rows; ++row) sum.of[row] = fma(weight, outputs[k].of[row], sum.of[row]);
        }
        for (int row = 0; row < rnn_rows; ++row) keep(row, i, sum.of[row]);
      }
    }
    __syncthreads();  // all threads have read h and written h_next
    Rows<Sum>* const last = h;
    h = h_next;
    h_next = last;
  }
  for (int row = 0; row < rnn_rows; ++row) {
    for (int i = threadIdx.x; i < state; i += blockDim.x)
      store_state<Number>(layer, layer.hy, state, row, i, h[i].of[row]);
    if (Cell::has_state)
      for (int i = threadIdx.x; i < hidden; i += blockDim.x)
        store_state<Number>(layer, layer.cy, hidden, row, i, c[i].of[row]);
  }
}

}  // namespace stand_in::cudnn
