// CTC loss: cudnnCTCLoss, with labels in host memory, and cudnnCTCLoss_v8, with labels in device memory.
#include <algorithm>
#include <numeric>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"
#include "instrumentation/simulated/libraries/cudnn/rnn/dropout.h"

namespace warpwalk::simulated::libraries {
namespace {

/// ctc_threads and ctc_states of kernels/libraries/cudnn/ctc_loss.cu.
constexpr std::uint32_t loss_threads = 256;
constexpr int most_labels = 255, loss_states = 2 * most_labels + 1;

/// cudnnCTCLossDescriptor_t
struct LossDescriptor {
  DataType type = DataType::f32;
  bool softmax = false;
  int impossible = 0;  ///< as CtcTensors::impossible
};

/// CtcTensors there.
struct LossTensors {
  const void* x;
  void* gradients;
  void* costs;
  long long x_step, x_sample, x_symbol;
  long long gradient_step, gradient_sample, gradient_symbol;
  int steps, samples, symbols;
  const int *labels, *label_lengths, *input_lengths;
  void* alphas;
  void* normalizers;
  int impossible;
};

/// Bytes of the alphas and normalizers of all samples, a multiple of the alignment of integers.
std::size_t loss_bytes(const TensorDescriptor& x) {
  return static_cast<std::size_t>(x.extents[0]) * x.extents[1] * (loss_states + 1) * sizeof(float);
}

DnnStatus check_loss(const DnnHandle* handle, const LossDescriptor* loss, const TensorDescriptor* x) {
  if (handle == nullptr || loss == nullptr || x == nullptr) return DnnStatus::bad_param_null_pointer;
  if (x->axes != 3) return DnnStatus::bad_param;
  if (x->type == DataType::f32 && loss->type == DataType::f32 && loss->softmax) return DnnStatus::success;
  tell_not_supported("cuDNN", "cudnnCTCLoss", "numbers other than float, or normalised ones");
  return DnnStatus::not_supported;
}

DnnStatus run_loss(const DnnHandle* handle, const LossDescriptor* loss, const TensorDescriptor* x_layout, const void* x,
                   const int* labels, const int* label_lengths, const int* input_lengths, void* costs,
                   const TensorDescriptor* gradient_layout, void* gradients, void* work) {
  LossTensors tensors{};
  tensors.x = x, tensors.costs = costs, tensors.gradients = gradients;
  const Axes& strides = x_layout->strides;
  tensors.x_step = strides[0], tensors.x_sample = strides[1], tensors.x_symbol = strides[2];
  if (gradients != nullptr) {
    if (gradient_layout == nullptr) return DnnStatus::bad_param_null_pointer;
    if (gradient_layout->axes != 3 || gradient_layout->extents != x_layout->extents) return DnnStatus::bad_param;
    const Axes& own = gradient_layout->strides;
    tensors.gradient_step = own[0], tensors.gradient_sample = own[1], tensors.gradient_symbol = own[2];
  }
  tensors.steps = x_layout->extents[0], tensors.samples = x_layout->extents[1], tensors.symbols = x_layout->extents[2];
  tensors.labels = labels, tensors.label_lengths = label_lengths, tensors.input_lengths = input_lengths;
  tensors.alphas = work;
  tensors.normalizers =
      static_cast<float*>(work) + static_cast<std::size_t>(tensors.steps) * tensors.samples * loss_states;
  tensors.impossible = loss->impossible;
  LaunchShape shape;
  shape.block[0] = loss_threads;
  shape.grid[0] = static_cast<std::uint32_t>(tensors.samples);
  return dnn_status(launch("ctc_loss", "ctc_loss", shape, handle->stream, tensors));
}

}  // namespace

extern "C" {

DnnStatus cudnnCreateCTCLossDescriptor(LossDescriptor** loss) { return create_descriptor(loss); }
DnnStatus cudnnDestroyCTCLossDescriptor(LossDescriptor* loss) { return destroy_descriptor(loss); }

DnnStatus cudnnSetCTCLossDescriptorEx(LossDescriptor* loss, DataType type, int normalization, int nan) {
  if (loss == nullptr) return DnnStatus::bad_param_null_pointer;
  *loss = {type, normalization == 1, nan == 1 ? 2 : 0};
  return DnnStatus::success;
}

DnnStatus cudnnSetCTCLossDescriptor_v9(LossDescriptor* loss, DataType type, int normalization, int gradients,
                                       int longest) {
  if (loss == nullptr) return DnnStatus::bad_param_null_pointer;
  if (longest < 0) return DnnStatus::bad_param;
  if (longest > most_labels) return DnnStatus::not_supported;
  *loss = {type, normalization == 1, gradients == 1 ? 1 : 0};
  return DnnStatus::success;
}

DnnStatus cudnnGetCTCLossWorkspaceSize_v8(DnnHandle* handle, int, const LossDescriptor* loss, const TensorDescriptor* x,
                                          const TensorDescriptor*, std::size_t* bytes) {
  if (bytes == nullptr) return DnnStatus::bad_param_null_pointer;
  const DnnStatus status = check_loss(handle, loss, x);
  if (status == DnnStatus::success) *bytes = loss_bytes(*x);
  return status;
}

DnnStatus cudnnGetCTCLossWorkspaceSize(DnnHandle* handle, const TensorDescriptor* x, const TensorDescriptor*,
                                       const int*, const int* label_lengths, const int* input_lengths, int,
                                       const LossDescriptor* loss, std::size_t* bytes) {
  if (bytes == nullptr || label_lengths == nullptr || input_lengths == nullptr)
    return DnnStatus::bad_param_null_pointer;
  const DnnStatus status = check_loss(handle, loss, x);
  if (status != DnnStatus::success) return status;
  const int samples = x->extents[1];
  if (std::any_of(label_lengths, label_lengths + samples, [](int length) { return length < 0; }))
    return DnnStatus::bad_param;
  if (std::any_of(label_lengths, label_lengths + samples, [](int length) { return length > most_labels; }))
    return DnnStatus::not_supported;
  const int labels = std::accumulate(label_lengths, label_lengths + samples, 0);
  *bytes = loss_bytes(*x) + static_cast<std::size_t>(2 * samples + labels) * sizeof(int);
  return DnnStatus::success;
}

DnnStatus cudnnCTCLoss_v8(DnnHandle* handle, int, const LossDescriptor* loss, const TensorDescriptor* x_layout,
                          const void* x, const int* labels, const int* label_lengths, const int* input_lengths,
                          void* costs, const TensorDescriptor* gradient_layout, void* gradients, std::size_t bytes,
                          void* work) {
  const DnnStatus status = check_loss(handle, loss, x_layout);
  if (status != DnnStatus::success) return status;
  if (x == nullptr || labels == nullptr || label_lengths == nullptr || input_lengths == nullptr || costs == nullptr ||
      work == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (bytes < loss_bytes(*x_layout)) return DnnStatus::bad_param_size_insufficient;
  return run_loss(handle, loss, x_layout, x, labels, label_lengths, input_lengths, costs, gradient_layout, gradients,
                  work);
}

DnnStatus cudnnCTCLoss(DnnHandle* handle, const TensorDescriptor* x_layout, const void* x, const int* labels,
                       const int* label_lengths, const int* input_lengths, void* costs,
                       const TensorDescriptor* gradient_layout, void* gradients, int algorithm,
                       const LossDescriptor* loss, void* work, std::size_t bytes) {
  std::size_t needed = 0;
  DnnStatus status = cudnnGetCTCLossWorkspaceSize(handle, x_layout, gradient_layout, labels, label_lengths,
                                                  input_lengths, algorithm, loss, &needed);
  if (status != DnnStatus::success) return status;
  if (x == nullptr || labels == nullptr || costs == nullptr || work == nullptr)
    return DnnStatus::bad_param_null_pointer;
  if (bytes < needed) return DnnStatus::bad_param_size_insufficient;
  const int samples = x_layout->extents[1];
  const int count = std::accumulate(label_lengths, label_lengths + samples, 0);
  int* const own_lengths = reinterpret_cast<int*>(static_cast<std::uint8_t*>(work) + loss_bytes(*x_layout));
  int* const own_inputs = own_lengths + samples;
  int* const own_labels = own_inputs + samples;
  status = write_numbers(label_lengths, static_cast<std::size_t>(samples), own_lengths, handle->stream);
  if (status == DnnStatus::success)
    status = write_numbers(input_lengths, static_cast<std::size_t>(samples), own_inputs, handle->stream);
  if (status == DnnStatus::success)
    status = write_numbers(labels, static_cast<std::size_t>(count), own_labels, handle->stream);
  if (status != DnnStatus::success) return status;
  return run_loss(handle, loss, x_layout, x, own_labels, own_lengths, own_inputs, costs, gradient_layout, gradients,
                  work);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
