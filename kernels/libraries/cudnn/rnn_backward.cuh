#pragma once

#include "rnn_cell.cuh"
#include "rnn_steps.cuh"

namespace stand_in::cudnn {

/// All steps backwards. Shared memory: the gradients of the hidden state, of each unit's cell state, and of the
/// recurrent products of all gates; with a projection also those of its results.
template <class Number, class Cell>
__global__ void rnn_backward(const RnnLayer layer) {
  using Storage = typename Number::Storage;
  using Sum = typename Number::Sum;
  extern __shared__ __align__(16) unsigned char shared[];
  const int hidden = layer.hidden, state = layer.state;
  const bool projects = Cell::has_state && layer.projection != nullptr;
  Rows<Sum>* const dh = reinterpret_cast<Rows<Sum>*>(shared);
  Rows<Sum>* const dc = dh + state;
  Rows<Sum>* const products = dc + hidden;
  Rows<Sum>* const projected = products + Cell::gates * hidden;
  Storage* const gates = static_cast<Storage*>(layer.gates);
  Storage* const cells = static_cast<Storage*>(layer.cells);
  const Storage* const previous = static_cast<const Storage*>(layer.previous);
  const Storage* const weights = static_cast<const Storage*>(layer.weights);
  for (int row = 0; row < rnn_rows; ++row) {
    for (int i = threadIdx.x; i < state; i += blockDim.x)
      dh[i].of[row] = state_at<Number>(layer, layer.dhy, state, row, i);
    for (int i = threadIdx.x; i < hidden; i += blockDim.x)
      dc[i].of[row] = state_at<Number>(layer, layer.dcy, hidden, row, i);
  }

  for (int taken = layer.steps - 1; taken >= 0; --taken) {
    const StepRows rows(layer, taken);
    // Takes the gradient of element i of the state after this step.
    const auto take_gradient = [&](int row, int i) {
      const Sum sum =
          dh[i].of[row] + Number::load(static_cast<const Storage*>(layer.dy)[rows.tensor_row(row) * layer.y_row + i]);
      dh[i].of[row] = 0;
      return sum;
    };
    if (projects) {
      for (int i = threadIdx.x; i < state; i += blockDim.x)
        for (int row = 0; row < rnn_rows; ++row) {
          projected[i].of[row] = rows.is_active(row) ? take_gradient(row, i) : Sum(0);
          if (rows.is_active(row) || (layer.padded && rows.is_padding(row)))
            static_cast<Storage*>(layer.state_gradients)[rows.tensor_row(row) * state + i] =
                Number::store(projected[i].of[row]);
        }
      __syncthreads();
    }
    for (int unit = threadIdx.x; unit < hidden; unit += blockDim.x) {
      Rows<Sum> gradients = {};  // through the projection
      if (projects)
        for (int k = 0; k < state; ++k) {
          const Sum weight =
              Number::load(static_cast<const Storage*>(layer.projection)[static_cast<long long>(k) * hidden + unit]);
          for (int row = 0; row < rnn_rows; ++row)
            gradients.of[row] = fma(weight, projected[k].of[row], gradients.of[row]);
        }
#pragma unroll
      for (int row = 0; row < rnn_rows; ++row) {
        Sum gate[Cell::gates] = {}, of_product = 0;
        const long long at = rows.tensor_row(row);
        if (rows.is_active(row)) {
#pragma unroll
          for (int g = 0; g < Cell::gates; ++g) gate[g] = Number::load(gates[(at * Cell::gates + g) * hidden + unit]);
          Sum cell = 0, cell_before = 0, h_before = 0, direct = 0;
          if (Cell::has_state || Cell::has_product) cell = Number::load(cells[at * hidden + unit]);
          if (Cell::has_product) h_before = Number::load(previous[at * hidden + unit]);
          if (Cell::has_state) {
            // The state before the first step of this row is the initial one.
            const int before = rows.step + (layer.reverse ? 1 : -1);
            if (before >= 0 && before < rows.lengths[row]) {
              const long long row_before =
                  layer.starts[before] + static_cast<long long>(rows.first + row) * rows.stride;
              cell_before = Number::load(cells[row_before * hidden + unit]);
            } else {
              cell_before = state_at<Number>(layer, layer.cx, hidden, row, unit);
            }
          }
          const Sum gradient = projects ? gradients.of[row] : take_gradient(row, unit);
          Cell::backward(gate, gradient, cell, cell_before, h_before, dc[unit].of[row], direct, of_product, layer.relu);
          if (!projects) dh[unit].of[row] = direct;
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
    // Through the recurrent weights to the hidden state before this step.
    for (int i = threadIdx.x; i < state; i += blockDim.x) {
      Rows<Sum> sum = dh[i];
      for (int k = 0; k < Cell::gates * hidden; ++k) {
        const Sum weight = Number::load(weights[static_cast<long long>(k) * state + i]);
        const Rows<Sum> from = products[k];
#pragma unroll
        for (int row = 0; row < rnn_rows; ++row) sum.of[row] = fma(weight, from.of[row], sum.of[row]);
      }
      dh[i] = sum;
    }
    __syncthreads();
  }
  for (int row = 0; row < rnn_rows; ++row) {
    for (int i = threadIdx.x; i < state; i += blockDim.x)
      store_state<Number>(layer, layer.dhx, state, row, i, dh[i].of[row]);
    if (Cell::has_state)
      for (int i = threadIdx.x; i < hidden; i += blockDim.x)
        store_state<Number>(layer, layer.dcx, hidden, row, i, dc[i].of[row]);
  }
}

}  // namespace stand_in::cudnn
