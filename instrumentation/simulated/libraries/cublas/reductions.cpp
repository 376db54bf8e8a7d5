// Numbers computed of vectors: dot, asum, nrm2, amax, amin.
#include "instrumentation/simulated/libraries/cublas/vectors.h"
#include "kernels/libraries/cublas_products/product.h"

namespace warpwalk::simulated::libraries {
namespace {

/// One block of the kernels in reductions.cu.
LaunchShape reduction_shape() {
  LaunchShape shape;
  shape.block[0] = 1024;
  return shape;
}

template <class Number>
BlasStatus dot_vectors(const BlasHandle* handle, std::int64_t n, const Number* x, std::int64_t x_step, const Number* y,
                       std::int64_t y_step, bool conjugates, Number* result) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  return with_result(*handle, result, sizeof(Number), [&](void* to) {
    return launch("reductions", kernel_of<Number>("dot"), reduction_shape(), handle->stream, static_cast<long long>(n),
                  first_element(x, n, x_step), static_cast<long long>(x_step), first_element(y, n, y_step),
                  static_cast<long long>(y_step), static_cast<int>(conjugates), static_cast<Number*>(to));
  });
}

/// `kernel`: "absolute_sum" or "norm". A step that is not positive: no elements.
template <class Number, class Real>
BlasStatus reduce_vector(const char* kernel, const BlasHandle* handle, std::int64_t n, const Number* x,
                         std::int64_t step, Real* result) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  return with_result(*handle, result, sizeof(Real), [&](void* to) {
    return launch("reductions", kernel_of<Number>(kernel), reduction_shape(), handle->stream,
                  static_cast<long long>(step > 0 ? n : 0), x, static_cast<long long>(step), static_cast<Real*>(to));
  });
}

template <class Number>
BlasStatus find_extreme(const BlasHandle* handle, std::int64_t n, const Number* x, std::int64_t step, bool smallest,
                        int* result) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  return with_result(*handle, result, sizeof(int), [&](void* to) {
    return launch("reductions", kernel_of<Number>("find_extreme"), reduction_shape(), handle->stream,
                  static_cast<long long>(step > 0 ? n : 0), x, static_cast<long long>(step), static_cast<int>(smallest),
                  static_cast<int*>(to));
  });
}

/// dot of vectors whose types are arguments.
BlasStatus dot_ex(const char* function, const BlasHandle* handle, int n, const void* x, int x_type, int x_step,
                  const void* y, int y_type, int y_step, void* result, int result_type, bool conjugates) {
  using namespace stand_in::cublas;
  if (handle == nullptr) return BlasStatus::not_initialized;
  const auto same = [&]<class Number>(Number* to) {
    return dot_vectors(handle, n, static_cast<const Number*>(x), x_step, static_cast<const Number*>(y), y_step,
                       conjugates, to);
  };
  if (x_type == y_type && x_type == result_type) {
    switch (x_type) {
      case type_f32: return same(static_cast<float*>(result));
      case type_f64: return same(static_cast<double*>(result));
      case type_c32: return same(static_cast<ComplexFloat*>(result));
      case type_c64: return same(static_cast<ComplexDouble*>(result));
      case type_f16:
      case type_bf16: {
        const std::int64_t bytes = 2;
        const auto first = [&](const void* at, std::int64_t step) {
          return static_cast<const void*>(step < 0 && n > 0 ? static_cast<const char*>(at) - (n - 1) * step * bytes
                                                            : static_cast<const char*>(at));
        };
        return with_result(*handle, result, static_cast<std::size_t>(bytes), [&](void* to) {
          return launch("reductions", "dot_typed", reduction_shape(), handle->stream, static_cast<long long>(n),
                        first(x, x_step), x_type, static_cast<long long>(x_step), first(y, y_step), y_type,
                        static_cast<long long>(y_step), to, result_type);
        });
      }
      default: break;
    }
  }
  tell_not_supported("cuBLAS", function, "these types of vectors");
  return BlasStatus::not_supported;
}

}  // namespace

extern "C" {

BlasStatus cublasSdot_v2(BlasHandle* handle, int n, const float* x, int x_step, const float* y, int y_step,
                         float* result) {
  return dot_vectors(handle, n, x, x_step, y, y_step, false, result);
}
BlasStatus cublasDdot_v2(BlasHandle* handle, int n, const double* x, int x_step, const double* y, int y_step,
                         double* result) {
  return dot_vectors(handle, n, x, x_step, y, y_step, false, result);
}
BlasStatus cublasCdotu_v2(BlasHandle* handle, int n, const ComplexFloat* x, int x_step, const ComplexFloat* y,
                          int y_step, ComplexFloat* result) {
  return dot_vectors(handle, n, x, x_step, y, y_step, false, result);
}
BlasStatus cublasZdotu_v2(BlasHandle* handle, int n, const ComplexDouble* x, int x_step, const ComplexDouble* y,
                          int y_step, ComplexDouble* result) {
  return dot_vectors(handle, n, x, x_step, y, y_step, false, result);
}
BlasStatus cublasCdotc_v2(BlasHandle* handle, int n, const ComplexFloat* x, int x_step, const ComplexFloat* y,
                          int y_step, ComplexFloat* result) {
  return dot_vectors(handle, n, x, x_step, y, y_step, true, result);
}
BlasStatus cublasZdotc_v2(BlasHandle* handle, int n, const ComplexDouble* x, int x_step, const ComplexDouble* y,
                          int y_step, ComplexDouble* result) {
  return dot_vectors(handle, n, x, x_step, y, y_step, true, result);
}
BlasStatus cublasDotEx(BlasHandle* handle, int n, const void* x, int x_type, int x_step, const void* y, int y_type,
                       int y_step, void* result, int result_type, int) {
  return dot_ex("cublasDotEx", handle, n, x, x_type, x_step, y, y_type, y_step, result, result_type, false);
}
BlasStatus cublasDotcEx(BlasHandle* handle, int n, const void* x, int x_type, int x_step, const void* y, int y_type,
                        int y_step, void* result, int result_type, int) {
  return dot_ex("cublasDotcEx", handle, n, x, x_type, x_step, y, y_type, y_step, result, result_type, true);
}

BlasStatus cublasSasum_v2(BlasHandle* handle, int n, const float* x, int step, float* result) {
  return reduce_vector("absolute_sum", handle, n, x, step, result);
}
BlasStatus cublasDasum_v2(BlasHandle* handle, int n, const double* x, int step, double* result) {
  return reduce_vector("absolute_sum", handle, n, x, step, result);
}
BlasStatus cublasScasum_v2(BlasHandle* handle, int n, const ComplexFloat* x, int step, float* result) {
  return reduce_vector("absolute_sum", handle, n, x, step, result);
}
BlasStatus cublasDzasum_v2(BlasHandle* handle, int n, const ComplexDouble* x, int step, double* result) {
  return reduce_vector("absolute_sum", handle, n, x, step, result);
}
BlasStatus cublasSnrm2_v2(BlasHandle* handle, int n, const float* x, int step, float* result) {
  return reduce_vector("norm", handle, n, x, step, result);
}
BlasStatus cublasDnrm2_v2(BlasHandle* handle, int n, const double* x, int step, double* result) {
  return reduce_vector("norm", handle, n, x, step, result);
}
BlasStatus cublasScnrm2_v2(BlasHandle* handle, int n, const ComplexFloat* x, int step, float* result) {
  return reduce_vector("norm", handle, n, x, step, result);
}
BlasStatus cublasDznrm2_v2(BlasHandle* handle, int n, const ComplexDouble* x, int step, double* result) {
  return reduce_vector("norm", handle, n, x, step, result);
}

BlasStatus cublasIsamax_v2(BlasHandle* handle, int n, const float* x, int step, int* result) {
  return find_extreme(handle, n, x, step, false, result);
}
BlasStatus cublasIsamin_v2(BlasHandle* handle, int n, const float* x, int step, int* result) {
  return find_extreme(handle, n, x, step, true, result);
}
BlasStatus cublasIdamax_v2(BlasHandle* handle, int n, const double* x, int step, int* result) {
  return find_extreme(handle, n, x, step, false, result);
}
BlasStatus cublasIdamin_v2(BlasHandle* handle, int n, const double* x, int step, int* result) {
  return find_extreme(handle, n, x, step, true, result);
}
BlasStatus cublasIcamax_v2(BlasHandle* handle, int n, const ComplexFloat* x, int step, int* result) {
  return find_extreme(handle, n, x, step, false, result);
}
BlasStatus cublasIcamin_v2(BlasHandle* handle, int n, const ComplexFloat* x, int step, int* result) {
  return find_extreme(handle, n, x, step, true, result);
}
BlasStatus cublasIzamax_v2(BlasHandle* handle, int n, const ComplexDouble* x, int step, int* result) {
  return find_extreme(handle, n, x, step, false, result);
}
BlasStatus cublasIzamin_v2(BlasHandle* handle, int n, const ComplexDouble* x, int step, int* result) {
  return find_extreme(handle, n, x, step, true, result);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
