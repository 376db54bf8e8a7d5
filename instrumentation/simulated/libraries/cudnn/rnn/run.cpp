// cudnnRNNForward and the gradients.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/dropout.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/rnn.h"

namespace warpwalk::simulated::libraries {
namespace {

using stand_in::cudnn::rnn_rows;
using stand_in::cudnn::RnnLayer;

/// Element `element` of a tensor; null if the tensor is.
void* element_at(const void* tensor, DataType type, long long element) {
  if (tensor == nullptr) return nullptr;
  return const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(tensor)) +
         element * static_cast<long long>(bytes_of(type));
}

/// Launches all steps of a pseudo layer. `states`: numbers of a unit in shared memory, for each row of the block.
DnnStatus launch_steps(const RnnDescriptor& rnn, const char* kernel, int states, const RnnLayer& layer,
                       const void* stream) {
  const bool lstm = rnn.cell == CellKind::lstm, gru = rnn.cell == CellKind::gru;
  const std::size_t sum = rnn.type == DataType::f64 ? 8 : 4;
  constexpr std::size_t most_shared = 227 << 10;  // of compute capability 9.0
  LaunchShape shape;
  shape.block[0] = static_cast<std::uint32_t>(std::clamp((rnn.hidden + 31) / 32 * 32, 32, 256));
  shape.grid[0] = static_cast<std::uint32_t>((layer.batch + rnn_rows - 1) / rnn_rows);
  shape.dynamic_shared_bytes = static_cast<std::size_t>(states) * rnn.hidden * rnn_rows * sum;
  if (shape.dynamic_shared_bytes > most_shared) {
    tell_not_supported("cuDNN", "cudnnRNNForward", fmt::format("{} hidden units", rnn.hidden));
    return DnnStatus::not_supported;
  }
  return dnn_status(launch(lstm  ? "rnn_lstm"
                           : gru ? "rnn_gru"
                                 : "rnn_plain",
                           fmt::format("{}<stand_in::cudnn::{}, stand_in::cudnn::{}>", kernel, number_name(rnn.type),
                                       lstm  ? "LstmCell"
                                       : gru ? "GruCell"
                                             : "PlainCell"),
                           shape, stream, layer));
}

/// What the calls check: the handle, the descriptors, and the sizes of the spaces.
DnnStatus check_rnn(const DnnHandle* handle, const RnnDescriptor* rnn, const RnnDataDescriptor* x,
                    const RnnDataDescriptor* y, std::size_t weight_bytes) {
  if (handle == nullptr || rnn == nullptr || x == nullptr || y == nullptr) return DnnStatus::bad_param_null_pointer;
  if (rnn->hidden < 1 || x->steps < 1) return DnnStatus::bad_param;
  if (x->type != rnn->type || y->type != rnn->type || x->width != rnn->input ||
      y->width != rnn->hidden * rnn->directions() || x->steps != y->steps || x->batch != y->batch ||
      x->lengths != y->lengths || x->layout != y->layout)
    return DnnStatus::bad_param;
  return weight_bytes < static_cast<std::size_t>(parameter_count(*rnn)) * bytes_of(rnn->type)
             ? DnnStatus::bad_param_size_insufficient
             : DnnStatus::success;
}

/// The products of a layer's gates with the layer's input.
RnnProduct input_product(const RnnDescriptor& rnn, int layer, long long rows) {
  const int gates = rnn.gates() * rnn.hidden, inputs = rnn.input_of(layer);
  return {rnn.type, rnn.math != MathType::fma, rows, inputs, gates, inputs, gates};
}

}  // namespace

extern "C" {

DnnStatus cudnnGetRNNTempSpaceSizes(DnnHandle* handle, const RnnDescriptor* rnn, int mode, const RnnDataDescriptor* x,
                                    std::size_t* work_bytes, std::size_t* reserve_bytes) {
  if (handle == nullptr || rnn == nullptr || x == nullptr) return DnnStatus::bad_param_null_pointer;
  if (mode < 0 || mode > 1) return DnnStatus::bad_param;
  const RnnPlan plan(*rnn, *x, mode == 1);
  if (work_bytes != nullptr) *work_bytes = plan.work_bytes();
  if (reserve_bytes != nullptr) *reserve_bytes = plan.reserve_bytes();
  return DnnStatus::success;
}

DnnStatus cudnnRNNForward(DnnHandle* handle, const RnnDescriptor* rnn, int mode, const std::int32_t*,
                          const RnnDataDescriptor* x_layout, const void* x, const RnnDataDescriptor* y_layout, void* y,
                          const TensorDescriptor*, const void* hx, void* hy, const TensorDescriptor*, const void* cx,
                          void* cy, std::size_t weight_bytes, const void* weights, std::size_t work_bytes, void* work,
                          std::size_t reserve_bytes, void* reserve) {
  DnnStatus status = check_rnn(handle, rnn, x_layout, y_layout, weight_bytes);
  if (status != DnnStatus::success) return status;
  if (x == nullptr || y == nullptr || weights == nullptr || work == nullptr) return DnnStatus::bad_param_null_pointer;
  const bool training = mode == 1;
  RnnPlan plan(*rnn, *x_layout, training);
  if (work_bytes < plan.work_bytes() || (training && (reserve == nullptr || reserve_bytes < plan.reserve_bytes())))
    return DnnStatus::bad_param_size_insufficient;
  plan.set_spaces(work, reserve);
  status = plan.write_sequences(handle->stream);
  const long long states = static_cast<long long>(x_layout->batch) * rnn->hidden;
  const long long width = static_cast<long long>(rnn->hidden) * rnn->directions();
  for (int i = 0; i < rnn->pseudo_layers() && status == DnnStatus::success; ++i) {
    const int layer = i / rnn->directions(), direction = i % rnn->directions();
    const bool last = layer + 1 == rnn->layers;
    const RnnParameters at = parameters_of(*rnn, i);
    const auto parameter = [&](long long element) {
      return element < 0 ? nullptr : element_at(weights, rnn->type, element);
    };
    RnnLayer steps = plan.layer(i);
    status = product_forward(input_product(*rnn, layer, plan.rows()), layer == 0 ? x : plan.output(layer - 1),
                             parameter(at.input_weights), parameter(at.input_bias), steps.gates, handle->stream);
    if (status != DnnStatus::success) break;
    steps.weights = parameter(at.recurrent_weights);
    steps.bias = parameter(at.recurrent_bias);
    steps.hx = element_at(hx, rnn->type, i * states), steps.hy = element_at(hy, rnn->type, i * states);
    if (rnn->cell == CellKind::lstm)
      steps.cx = element_at(cx, rnn->type, i * states), steps.cy = element_at(cy, rnn->type, i * states);
    steps.y = element_at(last ? y : plan.output(layer), rnn->type, static_cast<long long>(direction) * rnn->hidden);
    constexpr int unit_states = 3;  // h before and after a step, and c
    status = launch_steps(*rnn, "rnn_forward", unit_states, steps, handle->stream);
    const bool drops = training && rnn->dropout.rate > 0 && rnn->dropout.states != nullptr;
    if (status == DnnStatus::success && !last && drops && direction + 1 == rnn->directions())
      status =
          drop_out(rnn->dropout, rnn->type, plan.rows() * width, plan.output(layer), plan.kept(layer), handle->stream);
  }
  return status;
}

DnnStatus cudnnRNNBackwardData_v8(DnnHandle* handle, const RnnDescriptor* rnn, const std::int32_t*,
                                  const RnnDataDescriptor* y_layout, const void*, const void* dy,
                                  const RnnDataDescriptor* x_layout, void* dx, const TensorDescriptor*, const void* hx,
                                  const void* dhy, void* dhx, const TensorDescriptor*, const void* cx, const void* dcy,
                                  void* dcx, std::size_t weight_bytes, const void* weights, std::size_t work_bytes,
                                  void* work, std::size_t reserve_bytes, void* reserve) {
  DnnStatus status = check_rnn(handle, rnn, x_layout, y_layout, weight_bytes);
  if (status != DnnStatus::success) return status;
  if (dy == nullptr || dx == nullptr || weights == nullptr || work == nullptr || reserve == nullptr)
    return DnnStatus::bad_param_null_pointer;
  RnnPlan plan(*rnn, *x_layout, true);
  if (work_bytes < plan.work_bytes() || reserve_bytes < plan.reserve_bytes())
    return DnnStatus::bad_param_size_insufficient;
  plan.set_spaces(work, reserve);
  status = plan.write_sequences(handle->stream);
  const long long states = static_cast<long long>(x_layout->batch) * rnn->hidden;
  const long long width = static_cast<long long>(rnn->hidden) * rnn->directions();
  for (int layer = rnn->layers - 1; layer >= 0 && status == DnnStatus::success; --layer) {
    const void* const from = layer + 1 == rnn->layers ? dy : plan.gradient((layer + 1) % 2);
    void* const to = layer == 0 ? dx : plan.gradient(layer % 2);
    for (int direction = 0; direction < rnn->directions() && status == DnnStatus::success; ++direction) {
      const int i = layer * rnn->directions() + direction;
      const RnnParameters at = parameters_of(*rnn, i);
      RnnLayer steps = plan.layer(i);
      steps.weights = element_at(weights, rnn->type, at.recurrent_weights);
      steps.hx = element_at(hx, rnn->type, i * states);
      steps.dy = element_at(from, rnn->type, static_cast<long long>(direction) * rnn->hidden);
      steps.dhy = element_at(dhy, rnn->type, i * states), steps.dhx = element_at(dhx, rnn->type, i * states);
      if (rnn->cell == CellKind::lstm) {
        steps.cx = element_at(cx, rnn->type, i * states);
        steps.dcy = element_at(dcy, rnn->type, i * states), steps.dcx = element_at(dcx, rnn->type, i * states);
      }
      // Gradients of h and c of each unit, and of all its gates.
      status = launch_steps(*rnn, "rnn_backward", 2 + rnn->gates(), steps, handle->stream);
      if (status != DnnStatus::success) break;
      status =
          product_backward_data(input_product(*rnn, layer, plan.rows()), steps.gates,
                                element_at(weights, rnn->type, at.input_weights), to, direction > 0, handle->stream);
    }
    if (status == DnnStatus::success && layer > 0 && rnn->dropout.rate > 0 && rnn->dropout.states != nullptr)
      status =
          drop_out_backward(rnn->dropout, rnn->type, plan.rows() * width, to, plan.kept(layer - 1), handle->stream);
  }
  return status;
}

/// After cudnnRNNBackwardData_v8, which has left the gates' gradients in the reserve space.
DnnStatus cudnnRNNBackwardWeights_v8(DnnHandle* handle, const RnnDescriptor* rnn, int mode, const std::int32_t*,
                                     const RnnDataDescriptor* x_layout, const void* x, const TensorDescriptor*,
                                     const void*, const RnnDataDescriptor* y_layout, const void*,
                                     std::size_t weight_bytes, void* dweights, std::size_t work_bytes, void* work,
                                     std::size_t reserve_bytes, void* reserve) {
  DnnStatus status = check_rnn(handle, rnn, x_layout, y_layout, weight_bytes);
  if (status != DnnStatus::success) return status;
  if (x == nullptr || dweights == nullptr || work == nullptr || reserve == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (mode < 0 || mode > 1) return DnnStatus::bad_param;
  RnnPlan plan(*rnn, *x_layout, true);
  if (work_bytes < plan.work_bytes() || reserve_bytes < plan.reserve_bytes())
    return DnnStatus::bad_param_size_insufficient;
  plan.set_spaces(work, reserve);
  const bool add = mode == 0;
  const int hidden = rnn->hidden, gates = rnn->gates() * hidden;
  const auto sum_columns = [&](const void* from, int columns, long long row, void* to, void* second) {
    LaunchShape shape;
    shape.block = {32, 8, 1};
    shape.grid[0] = static_cast<std::uint32_t>((columns + 31) / 32);
    return dnn_status(launch("rnn_support", fmt::format("sum_columns<stand_in::cudnn::{}>", number_name(rnn->type)),
                             shape, handle->stream, from, plan.rows(), columns, row, add, to, second));
  };
  for (int i = 0; i < rnn->pseudo_layers() && status == DnnStatus::success; ++i) {
    const int layer = i / rnn->directions();
    const RnnParameters at = parameters_of(*rnn, i);
    const RnnLayer steps = plan.layer(i);
    const auto parameter = [&](long long element) {
      return element < 0 ? nullptr : element_at(dweights, rnn->type, element);
    };
    status = product_backward_weights(input_product(*rnn, layer, plan.rows()), steps.gates,
                                      layer == 0 ? x : plan.output(layer - 1), parameter(at.input_weights), add,
                                      handle->stream);
    if (status != DnnStatus::success) break;
    // The recurrent product of a GRU's new gate has gradients of its own.
    const int own = rnn->cell == CellKind::gru ? gates - hidden : gates;
    RnnProduct recurrent{rnn->type, rnn->math != MathType::fma, plan.rows(), hidden, own, hidden, gates};
    status = product_backward_weights(recurrent, steps.gates, steps.previous, parameter(at.recurrent_weights), add,
                                      handle->stream);
    if (status == DnnStatus::success && own < gates) {
      recurrent.outputs = recurrent.y_row = hidden;
      status = product_backward_weights(recurrent, steps.cells, steps.previous,
                                        parameter(at.recurrent_weights + static_cast<long long>(own) * hidden), add,
                                        handle->stream);
    }
    if (rnn->bias == BiasKind::none || status != DnnStatus::success) continue;
    const auto after = [&](long long bias) { return bias < 0 ? nullptr : parameter(bias + own); };
    status = sum_columns(steps.gates, own, gates, parameter(at.input_bias), parameter(at.recurrent_bias));
    if (own == gates || status != DnnStatus::success) continue;
    status = sum_columns(element_at(steps.gates, rnn->type, own), hidden, gates, after(at.input_bias), nullptr);
    if (status == DnnStatus::success)
      status = sum_columns(steps.cells, hidden, hidden, nullptr, after(at.recurrent_bias));
  }
  return status;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
