#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <string>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas/abi.h"

namespace warpwalk::simulated::libraries {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

/// The name of a number type in the names of kernels.
template <class Number>
constexpr const char* number_name = "float";
template <>
inline constexpr const char* number_name<double> = "double";
template <>
inline constexpr const char* number_name<ComplexFloat> = "float2";
template <>
inline constexpr const char* number_name<ComplexDouble> = "double2";

/// "dot<float2>"
template <class Number>
std::string kernel_of(const char* name) {
  return std::string(name) + "<" + number_name<Number> + ">";
}
/// "scale<float2, float>"
template <class Number, class Second>
std::string kernel_of(const char* name) {
  return std::string(name) + "<" + number_name<Number> + ", " + number_name<Second> + ">";
}

/// Element 0 of a vector. With a negative step it is the last one in memory.
template <class Number>
Number* first_element(Number* x, std::int64_t n, std::int64_t step) {
  return step < 0 && n > 0 ? x - (n - 1) * step : x;
}

/// A scalar for a kernel: its value if it is on the host, else its address.
template <class Number>
struct ScalarArgument {
  Number value{};
  const Number* at = nullptr;

  ScalarArgument(const BlasHandle& handle, const Number* scalar) {
    if (handle.scalars_on_device())
      at = scalar;
    else
      value = *scalar;
  }
};

/// Copies between the host and device memory in the handle's stream, and waits.
Error copy_and_wait(const BlasHandle& handle, void* to, const void* from, std::size_t bytes);

/// Runs `compute` with the address in device memory where its result belongs. If the program has the result on the
/// host, this is the handle's own memory; the result is copied and the call waits.
BlasStatus with_result(const BlasHandle& handle, void* result, std::size_t bytes,
                       const std::function<Error(void* on_device)>& compute);

}  // namespace warpwalk::simulated::libraries
