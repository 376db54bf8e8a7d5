// Where recurrent networks keep intermediate results, and their products of matrices.
#include <algorithm>
#include <limits>

#include "instrumentation/simulated/libraries/cudnn/convolution/convolution.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/dropout.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/rnn.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The convolution of single taps that a product is: an image per row.
Convolution convolution_of_product(const RnnProduct& product, ConvolutionResult result) {
  Convolution convolution;
  convolution.result = result;
  convolution.type = product.type;
  convolution.tensor_cores = product.tensor_cores;
  stand_in::cudnn::ConvolutionShape& shape = convolution.shape;
  shape.images = static_cast<int>(product.rows);
  shape.input_channels = product.inputs;
  shape.output_channels = product.outputs;
  shape.padding = {0, 0, 0};
  shape.x.n = product.x_row, shape.x.c = 1;
  shape.y.n = product.y_row, shape.y.c = 1;
  shape.w.n = product.inputs, shape.w.c = 1;
  return convolution;
}

}  // namespace

DnnStatus product_forward(const RnnProduct& product, const void* x, const void* w, const void* bias, void* y,
                          const void* stream) {
  Convolution convolution = convolution_of_product(product, ConvolutionResult::y);
  convolution.x = x, convolution.w = w, convolution.y = y;
  convolution.epilogue.addends[0].tensor = bias;
  convolution.epilogue.addends[0].strides.c = 1;
  return run_convolution(convolution, stream);
}

DnnStatus product_backward_data(const RnnProduct& product, const void* dy, const void* w, void* dx, bool add,
                                const void* stream) {
  Convolution convolution = convolution_of_product(product, ConvolutionResult::dx);
  convolution.x = dx, convolution.w = w, convolution.y = dy;
  convolution.epilogue.beta = add ? 1 : 0;
  return run_convolution(convolution, stream);
}

DnnStatus product_backward_weights(const RnnProduct& product, const void* dy, const void* x, void* dw, bool add,
                                   const void* stream) {
  Convolution convolution = convolution_of_product(product, ConvolutionResult::dw);
  convolution.x = x, convolution.w = dw, convolution.y = dy;
  convolution.epilogue.beta = add ? 1 : 0;
  return run_convolution(convolution, stream);
}

RnnPlan::RnnPlan(const RnnDescriptor& rnn, const RnnDataDescriptor& data, bool training)
    : rnn_(rnn), data_(data), training_(training) {
  const bool packed = data.layout == StepLayout::step_major_packed;
  rows_ = packed ? 0 : static_cast<long long>(data.steps) * data.batch;
  for (int step = 0; step < data.steps; ++step) {
    if (data.layout == StepLayout::batch_major) starts_.push_back(step);
    if (data.layout == StepLayout::step_major) starts_.push_back(step * data.batch);
    if (!packed) continue;
    starts_.push_back(static_cast<int>(rows_));
    rows_ += std::ranges::count_if(data.lengths, [&](int length) { return length > step; });
  }
  lengths_at_ = take(work_bytes_, data.batch, sizeof(int));
  starts_at_ = take(work_bytes_, data.steps, sizeof(int));
  std::size_t& total = training ? reserve_bytes_ : work_bytes_;
  const std::size_t size = bytes_of(rnn.type);
  for (int layer = 0; layer < rnn.pseudo_layers(); ++layer) {
    gates_.push_back(take(total, rows_ * rnn.gates() * rnn.hidden, size));
    if (!training) continue;
    previous_.push_back(take(total, rows_ * rnn.hidden, size));
    cells_.push_back(
        take(total, rnn.cell == CellKind::lstm || rnn.cell == CellKind::gru ? rows_ * rnn.hidden : 0, size));
  }
  const long long width = static_cast<long long>(rnn.hidden) * rnn.directions();
  for (int layer = 0; layer + 1 < rnn.layers; ++layer) {
    outputs_.push_back(take(total, rows_ * width, size));
    kept_.push_back(take(total, training && rnn.dropout.rate > 0 ? rows_ * width : 0, 1));
  }
  for (std::size_t& gradient : gradients_)
    gradient = take(work_bytes_, training && rnn.layers > 1 ? rows_ * width : 0, size);
}

std::size_t RnnPlan::take(std::size_t& total, long long elements, std::size_t size) const {
  constexpr std::size_t alignment = 256;
  const std::size_t at = total;
  total += (static_cast<std::size_t>(elements) * size + alignment - 1) / alignment * alignment;
  return at;
}

void RnnPlan::set_spaces(void* work, void* reserve) {
  work_ = static_cast<std::uint8_t*>(work);
  kept_space_ = static_cast<std::uint8_t*>(training_ ? reserve : work);
}

DnnStatus RnnPlan::write_sequences(const void* stream) const {
  const DnnStatus status = write_numbers(data_.lengths.data(), data_.lengths.size(), work_ + lengths_at_, stream);
  if (status != DnnStatus::success) return status;
  return write_numbers(starts_.data(), starts_.size(), work_ + starts_at_, stream);
}

stand_in::cudnn::RnnLayer RnnPlan::layer(int pseudo_layer) const {
  stand_in::cudnn::RnnLayer layer;
  layer.hidden = rnn_.hidden;
  layer.steps = data_.steps;
  layer.batch = data_.batch;
  layer.reverse = pseudo_layer % rnn_.directions() == 1;
  layer.padded = data_.layout != StepLayout::step_major_packed;
  layer.relu = rnn_.cell == CellKind::relu;
  layer.lengths = reinterpret_cast<const int*>(work_ + lengths_at_);
  layer.starts = reinterpret_cast<const int*>(work_ + starts_at_);
  layer.batch_stride = data_.layout == StepLayout::batch_major ? data_.steps : 1;
  layer.gates = kept_space_ + gates_[pseudo_layer];
  if (training_) {
    layer.previous = kept_space_ + previous_[pseudo_layer];
    layer.cells = kept_space_ + cells_[pseudo_layer];
  }
  layer.y_row = static_cast<long long>(rnn_.hidden) * rnn_.directions();
  return layer;
}

void* RnnPlan::output(int layer) const { return kept_space_ + outputs_[layer]; }
void* RnnPlan::kept(int layer) const { return kept_space_ + kept_[layer]; }
void* RnnPlan::gradient(int which) const { return work_ + gradients_[which]; }

}  // namespace warpwalk::simulated::libraries
