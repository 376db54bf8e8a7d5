#pragma once

// What the kernels of recurrent layers and the library that launches them share.

namespace stand_in::cudnn {

/// Batch elements that a block computes, from the first step to the last.
constexpr int rnn_rows = 4;

/// One direction of one layer. A tensor of all steps has a row for each step of each batch element: element b of step t
/// is in row starts[t] + b * batch_stride. Elements of tensors have the layer's type of numbers.
struct RnnLayer {
  int hidden = 0, steps = 0, batch = 0;
  bool reverse = false;  ///< from the last step to the first
  bool padded = false;   ///< rows past the end of a sequence exist; zeros are written there
  bool relu = false;     ///< of a cell without gates: relu in place of tanh
  const int* lengths = nullptr;
  const int* starts = nullptr;
  int batch_stride = 1;

  void* gates = nullptr;  ///< rows of all gates: input products; then the gates' values; then their gradients
  void* cells =
      nullptr;  ///< LSTM: the states after each step; GRU: recurrent products of the new gate, then their gradients
  void* previous = nullptr;       ///< the hidden state before each step; null in inference
  const void* weights = nullptr;  ///< recurrent: a row for each gate of each unit
  const void* bias = nullptr;     ///< recurrent; null: none
  const void* hx = nullptr;       ///< initial states; null: zeros
  const void* cx = nullptr;
  void* hy = nullptr;  ///< final states; null: not wanted
  void* cy = nullptr;
  void* y = nullptr;
  long long y_row = 0;  ///< elements from one row of y to the next

  const void* dy = nullptr;   ///< laid out as y
  const void* dhy = nullptr;  ///< null: zeros
  const void* dcy = nullptr;
  void* dhx = nullptr;  ///< null: not wanted
  void* dcx = nullptr;
};

}  // namespace stand_in::cudnn
