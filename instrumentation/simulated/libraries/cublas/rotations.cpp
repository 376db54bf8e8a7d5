// Givens rotations: rotg, rotmg.
#include <array>
#include <cstring>

#include "instrumentation/simulated/libraries/cublas/vectors.h"

namespace warpwalk::simulated::libraries {
namespace {

/// Arguments that a kernel reads and writes: where the program has them, and their sizes.
struct RotationArgument {
  void* at;
  std::size_t bytes;
};

/// Launches one thread with the addresses of the arguments in device memory. What the program has on the host goes
/// there and back through the handle's own memory.
template <std::size_t count>
BlasStatus launch_rotation(const BlasHandle* handle, const std::string& kernel,
                           const std::array<RotationArgument, count>& arguments) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  for (const RotationArgument& argument : arguments)
    if (argument.at == nullptr) return BlasStatus::invalid_value;
  constexpr std::size_t place_bytes = 16 * 5;
  std::array<std::uint8_t, place_bytes * count> host{};
  std::array<void*, count> addresses{};
  std::array<void*, count> parameters{};
  std::size_t used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    addresses[i] =
        handle->scalars_on_device() ? arguments[i].at : reinterpret_cast<void*>(handle->scratch->address + used);
    parameters[i] = &addresses[i];
    if (!handle->scalars_on_device()) std::memcpy(host.data() + used, arguments[i].at, arguments[i].bytes);
    used += (arguments[i].bytes + 15) / 16 * 16;
  }
  void* const own = reinterpret_cast<void*>(handle->scratch->address);
  if (!handle->scalars_on_device()) {
    const Error error = copy_and_wait(*handle, own, host.data(), used);
    if (error != Error::success) return blas_status(error);
  }
  Error error = launch_kernel("rotations", kernel, LaunchShape{}, handle->stream, parameters);
  if (error != Error::success || handle->scalars_on_device()) return blas_status(error);
  error = copy_and_wait(*handle, host.data(), own, used);
  used = 0;
  for (const RotationArgument& argument : arguments) {
    if (error == Error::success) std::memcpy(argument.at, host.data() + used, argument.bytes);
    used += (argument.bytes + 15) / 16 * 16;
  }
  return blas_status(error);
}

template <class Number>
BlasStatus make_rotation(const BlasHandle* handle, Number* a, Number* b, Number* c, Number* s) {
  constexpr std::size_t bytes = sizeof(Number);
  return launch_rotation(handle, kernel_of<Number>("make_rotation"),
                         std::array<RotationArgument, 4>{{{a, bytes}, {b, bytes}, {c, bytes}, {s, bytes}}});
}

template <class Complex, class Number>
BlasStatus make_complex_rotation(const BlasHandle* handle, Complex* a, Complex* b, Number* c, Complex* s) {
  constexpr std::size_t bytes = sizeof(Complex);
  return launch_rotation(handle, kernel_of<Complex, Number>("make_complex_rotation"),
                         std::array<RotationArgument, 4>{{{a, bytes}, {b, bytes}, {c, sizeof(Number)}, {s, bytes}}});
}

template <class Number>
BlasStatus make_modified_rotation(const BlasHandle* handle, Number* d1, Number* d2, Number* x1, const Number* y1,
                                  Number* form) {
  constexpr std::size_t bytes = sizeof(Number);
  Number y = 0;
  void* y_at = const_cast<Number*>(y1);
  if (handle != nullptr && !handle->scalars_on_device() && y1 != nullptr) {
    y = *y1;
    y_at = &y;  // The program's own value is constant.
  }
  return launch_rotation(
      handle, kernel_of<Number>("make_modified_rotation"),
      std::array<RotationArgument, 5>{{{d1, bytes}, {d2, bytes}, {x1, bytes}, {y_at, bytes}, {form, 5 * bytes}}});
}

}  // namespace

extern "C" {

BlasStatus cublasSrotg_v2(BlasHandle* handle, float* a, float* b, float* c, float* s) {
  return make_rotation(handle, a, b, c, s);
}
BlasStatus cublasDrotg_v2(BlasHandle* handle, double* a, double* b, double* c, double* s) {
  return make_rotation(handle, a, b, c, s);
}
BlasStatus cublasCrotg_v2(BlasHandle* handle, ComplexFloat* a, ComplexFloat* b, float* c, ComplexFloat* s) {
  return make_complex_rotation(handle, a, b, c, s);
}
BlasStatus cublasZrotg_v2(BlasHandle* handle, ComplexDouble* a, ComplexDouble* b, double* c, ComplexDouble* s) {
  return make_complex_rotation(handle, a, b, c, s);
}
BlasStatus cublasSrotmg_v2(BlasHandle* handle, float* d1, float* d2, float* x1, const float* y1, float* form) {
  return make_modified_rotation(handle, d1, d2, x1, y1, form);
}
BlasStatus cublasDrotmg_v2(BlasHandle* handle, double* d1, double* d2, double* x1, const double* y1, double* form) {
  return make_modified_rotation(handle, d1, d2, x1, y1, form);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
