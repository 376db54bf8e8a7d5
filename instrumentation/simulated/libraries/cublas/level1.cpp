// Operations on vectors.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

BlasStatus blas_status(Error error) {
  return error == Error::success ? BlasStatus::success : BlasStatus::execution_failed;
}

template <class Number>
BlasStatus scale_vector(const char* kernel, BlasHandle* handle, std::int64_t n, const Number* alpha, Number* x,
                        std::int64_t stride) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n <= 0 || stride <= 0) return BlasStatus::success;
  const bool on_device = handle->pointer_mode == PointerMode::device;
  return blas_status(launch("level1", kernel, shape_over(static_cast<std::uint64_t>(n)), handle->stream,
                            static_cast<long long>(n), on_device ? Number{} : *alpha, on_device ? alpha : nullptr, x,
                            static_cast<long long>(stride)));
}

}  // namespace

extern "C" {

BlasStatus cublasSscal_v2(BlasHandle* handle, int n, const float* alpha, float* x, int stride) {
  return scale_vector("scale<float>", handle, n, alpha, x, stride);
}
BlasStatus cublasDscal_v2(BlasHandle* handle, int n, const double* alpha, double* x, int stride) {
  return scale_vector("scale<double>", handle, n, alpha, x, stride);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
