// Dropout: the states of its random numbers, and its kernels.
#include "instrumentation/simulated/libraries/cudnn/rnn/dropout.h"

#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"

namespace warpwalk::simulated::libraries {
namespace {

/// RandomState of kernels/libraries/cudnn/rnn_support.cu.
constexpr std::size_t random_state_bytes = 16;

/// As HostNumbers there.
struct HostNumbers {
  int values[512];
};

}  // namespace

const char* number_name(DataType type) {
  switch (type) {
    case DataType::f32: return "F32";
    case DataType::f64: return "F64";
    case DataType::f16: return "F16";
    case DataType::bf16: return "BF16";
  }
  return "";
}

DnnStatus drop_out(const DropoutDescriptor& dropout, DataType type, long long count, void* x, void* kept,
                   const void* stream) {
  const auto quarter = static_cast<std::uint64_t>((count + 3) / 4);
  const Error dropped = launch("rnn_support", fmt::format("drop_out<stand_in::cudnn::{}>", number_name(type)),
                               shape_over(quarter), stream, dropout.states, count, dropout.rate, x, kept);
  if (dropped != Error::success) return dnn_status(dropped);
  return dnn_status(launch("rnn_support", "advance_random", LaunchShape{}, stream, dropout.states,
                           static_cast<unsigned long long>(quarter * 4)));
}

DnnStatus drop_out_backward(const DropoutDescriptor& dropout, DataType type, long long count, void* dx,
                            const void* kept, const void* stream) {
  return dnn_status(launch("rnn_support", fmt::format("drop_out_backward<stand_in::cudnn::{}>", number_name(type)),
                           shape_over(static_cast<std::uint64_t>(count)), stream, count, dropout.rate, dx, kept));
}

DnnStatus write_numbers(const int* numbers, std::size_t count, void* to, const void* stream) {
  for (std::size_t first = 0; first < count; first += std::size(HostNumbers{}.values)) {
    HostNumbers part{};
    const std::size_t size = std::min(count - first, std::size(part.values));
    std::copy_n(numbers + first, size, part.values);
    const Error written = launch("rnn_support", "write_numbers", shape_over(256), stream,
                                 static_cast<void*>(static_cast<int*>(to) + first), part, static_cast<int>(size));
    if (written != Error::success) return dnn_status(written);
  }
  return DnnStatus::success;
}

extern "C" {

DnnStatus cudnnCreateDropoutDescriptor(DropoutDescriptor** dropout) { return create_descriptor(dropout); }
DnnStatus cudnnDestroyDropoutDescriptor(DropoutDescriptor* dropout) { return destroy_descriptor(dropout); }

DnnStatus cudnnDropoutGetStatesSize(DnnHandle* handle, std::size_t* bytes) {
  if (handle == nullptr || bytes == nullptr) return DnnStatus::bad_param_null_pointer;
  *bytes = random_state_bytes;
  return DnnStatus::success;
}

DnnStatus cudnnRestoreDropoutDescriptor(DropoutDescriptor* dropout, DnnHandle* handle, float rate, void* states,
                                        std::size_t bytes, unsigned long long) {
  if (dropout == nullptr || handle == nullptr) return DnnStatus::bad_param_null_pointer;
  if (!(rate >= 0 && rate <= 1)) return DnnStatus::bad_param;
  if (states != nullptr && bytes < random_state_bytes) return DnnStatus::bad_param_size_insufficient;
  *dropout = {rate, states, bytes};
  return DnnStatus::success;
}

DnnStatus cudnnSetDropoutDescriptor(DropoutDescriptor* dropout, DnnHandle* handle, float rate, void* states,
                                    std::size_t bytes, unsigned long long seed) {
  const DnnStatus status = cudnnRestoreDropoutDescriptor(dropout, handle, rate, states, bytes, seed);
  if (status != DnnStatus::success || states == nullptr) return status;
  return dnn_status(launch("rnn_support", "seed_random", LaunchShape{}, handle->stream, states, seed));
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
