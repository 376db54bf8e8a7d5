// Descriptors of recurrent networks and their data, and the parameters in the weight space.
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"

#include <algorithm>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/rnn.h"

namespace warpwalk::simulated::libraries {
namespace {

long long matrices_of(const RnnDescriptor& rnn, int layer) {
  return static_cast<long long>(rnn.gates()) * rnn.hidden * (rnn.input_of(layer) + rnn.hidden);
}

int biases_of(const RnnDescriptor& rnn) { return rnn.bias == BiasKind::both ? 2 : rnn.bias == BiasKind::none ? 0 : 1; }

void set_matrix(TensorDescriptor& tensor, DataType type, int rows, int columns) {
  tensor = {.type = type, .axes = 3, .extents = {1, rows, columns}, .strides = {rows * columns, columns, 1}};
}

}  // namespace

RnnParameters parameters_of(const RnnDescriptor& rnn, int pseudo_layer) {
  RnnParameters at;
  long long matrices = 0;
  for (int other = 0; other < rnn.pseudo_layers(); ++other) {
    if (other == pseudo_layer) at.input_weights = matrices;
    matrices += matrices_of(rnn, other / rnn.directions());
  }
  const long long gates = static_cast<long long>(rnn.gates()) * rnn.hidden;
  at.recurrent_weights = at.input_weights + gates * rnn.input_of(pseudo_layer / rnn.directions());
  long long bias = matrices + pseudo_layer * biases_of(rnn) * gates;
  if (rnn.bias == BiasKind::input || rnn.bias == BiasKind::both) at.input_bias = bias, bias += gates;
  if (rnn.bias == BiasKind::recurrent || rnn.bias == BiasKind::both) at.recurrent_bias = bias;
  return at;
}

long long parameter_count(const RnnDescriptor& rnn) {
  long long count = 0;
  for (int layer = 0; layer < rnn.pseudo_layers(); ++layer) count += matrices_of(rnn, layer / rnn.directions());
  return count + static_cast<long long>(rnn.pseudo_layers()) * biases_of(rnn) * rnn.gates() * rnn.hidden;
}

extern "C" {

DnnStatus cudnnCreateRNNDescriptor(RnnDescriptor** rnn) { return create_descriptor(rnn); }
DnnStatus cudnnDestroyRNNDescriptor(RnnDescriptor* rnn) { return destroy_descriptor(rnn); }
DnnStatus cudnnCreateRNNDataDescriptor(RnnDataDescriptor** data) { return create_descriptor(data); }
DnnStatus cudnnDestroyRNNDataDescriptor(RnnDataDescriptor* data) { return destroy_descriptor(data); }

/// All algorithms compute the same, so they are one here.
DnnStatus cudnnSetRNNDescriptor_v8(RnnDescriptor* rnn, int, CellKind cell, BiasKind bias, int direction, int input_mode,
                                   DataType type, DataType, MathType math, std::int32_t input, std::int32_t hidden,
                                   std::int32_t projected, std::int32_t layers, const DropoutDescriptor* dropout,
                                   std::uint32_t) {
  if (rnn == nullptr) return DnnStatus::bad_param_null_pointer;
  if (static_cast<int>(cell) < 0 || static_cast<int>(cell) > 3 || static_cast<int>(bias) < 0 ||
      static_cast<int>(bias) > 3 || direction < 0 || direction > 1 || input < 1 || hidden < 1 || layers < 1)
    return DnnStatus::bad_param;
  if (bytes_of(type) == 0) return DnnStatus::not_supported;
  if (input_mode != 0 || (projected != hidden && projected != 0)) {
    tell_not_supported("cuDNN", "cudnnSetRNNDescriptor_v8",
                       input_mode != 0 ? "input without weights" : "hidden states with a projection");
    return DnnStatus::not_supported;
  }
  *rnn = {.cell = cell,
          .bias = bias,
          .bidirectional = direction == 1,
          .type = type,
          .math = math,
          .input = input,
          .hidden = hidden,
          .layers = layers,
          .dropout = dropout == nullptr ? DropoutDescriptor{} : *dropout};
  return DnnStatus::success;
}

DnnStatus cudnnSetRNNDataDescriptor(RnnDataDescriptor* data, DataType type, StepLayout layout, int steps, int batch,
                                    int width, const int* lengths, void*) {
  if (data == nullptr || lengths == nullptr) return DnnStatus::bad_param_null_pointer;
  if (static_cast<int>(layout) < 0 || static_cast<int>(layout) > 2 || steps < 1 || batch < 1 || width < 1)
    return DnnStatus::bad_param;
  if (bytes_of(type) == 0) return DnnStatus::not_supported;
  const std::vector<int> all(lengths, lengths + batch);
  if (std::ranges::any_of(all, [&](int length) { return length < 0 || length > steps; })) return DnnStatus::bad_param;
  if (layout == StepLayout::step_major_packed && !std::ranges::is_sorted(all, std::greater<>{}))
    return DnnStatus::bad_param;
  *data = {type, layout, steps, batch, width, all};
  return DnnStatus::success;
}

DnnStatus cudnnGetRNNWeightSpaceSize(DnnHandle* handle, const RnnDescriptor* rnn, std::size_t* bytes) {
  if (handle == nullptr || rnn == nullptr || bytes == nullptr) return DnnStatus::bad_param_null_pointer;
  *bytes = static_cast<std::size_t>(parameter_count(*rnn)) * bytes_of(rnn->type);
  return DnnStatus::success;
}

DnnStatus cudnnGetRNNWeightParams(DnnHandle* handle, const RnnDescriptor* rnn, std::int32_t pseudo_layer,
                                  std::size_t weight_bytes, const void* weights, std::int32_t product,
                                  TensorDescriptor* matrix, void** matrix_at, TensorDescriptor* bias, void** bias_at) {
  if (handle == nullptr || rnn == nullptr) return DnnStatus::bad_param_null_pointer;
  if (pseudo_layer < 0 || pseudo_layer >= rnn->pseudo_layers() || product < 0 || product > 2 * rnn->gates())
    return DnnStatus::bad_param;
  const std::size_t size = bytes_of(rnn->type);
  if (weight_bytes < static_cast<std::size_t>(parameter_count(*rnn)) * size)
    return DnnStatus::bad_param_size_insufficient;
  const RnnParameters at = parameters_of(*rnn, pseudo_layer);
  const auto address = [&](long long element) {
    return const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(weights)) +
           element * static_cast<long long>(size);
  };
  const bool recurrent = product >= rnn->gates();
  const int gate = recurrent ? product - rnn->gates() : product;
  // The product after all gates would be a projection, which is never there.
  const bool exists = product < 2 * rnn->gates();
  const int columns = recurrent ? rnn->hidden : rnn->input_of(pseudo_layer / rnn->directions());
  if (matrix != nullptr) {
    if (exists) set_matrix(*matrix, rnn->type, rnn->hidden, columns);
    if (!exists) *matrix = {.type = rnn->type};
  }
  if (matrix_at != nullptr)
    *matrix_at = exists ? address((recurrent ? at.recurrent_weights : at.input_weights) +
                                  static_cast<long long>(gate) * rnn->hidden * columns)
                        : nullptr;
  const long long first = recurrent ? at.recurrent_bias : at.input_bias;
  if (bias != nullptr) {
    if (exists && first >= 0) set_matrix(*bias, rnn->type, rnn->hidden, 1);
    if (!exists || first < 0) *bias = {.type = rnn->type};
  }
  if (bias_at != nullptr)
    *bias_at = exists && first >= 0 ? address(first + static_cast<long long>(gate) * rnn->hidden) : nullptr;
  return DnnStatus::success;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
