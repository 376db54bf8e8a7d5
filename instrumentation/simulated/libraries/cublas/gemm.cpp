// Products of matrices of one type: gemm, gemmStridedBatched, gemmBatched.
#include <complex>

#include "instrumentation/simulated/libraries/cublas/gemm_call.h"

namespace warpwalk::simulated::libraries {
namespace {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

/// The number in cudaDataType of a type of matrices.
template <class Number>
constexpr int blas_type_of = 0;
template <>
constexpr int blas_type_of<double> = 1;
template <>
constexpr int blas_type_of<ComplexFloat> = 4;
template <>
constexpr int blas_type_of<ComplexDouble> = 5;

/// The call of a function for products of matrices of one type.
template <class Number>
GemmCall gemm_of(const char* function, Operation a_operation, Operation b_operation, int m, int n, int k,
                 const Number* alpha, const Number* beta) {
  GemmCall call;
  call.function = function;
  call.a_operation = a_operation;
  call.b_operation = b_operation;
  call.m = m, call.n = n, call.k = k;
  call.alpha = alpha;
  call.beta = beta;
  call.scale_type = call.a.type = call.b.type = call.c.type = blas_type_of<Number>;
  return call;
}

template <class Number>
BlasStatus run_gemm(const BlasHandle* handle, GemmCall call, const Number* a, int lda, std::int64_t a_batch,
                    const Number* b, int ldb, std::int64_t b_batch, Number* c, int ldc, std::int64_t c_batch,
                    int batches) {
  call.tf32 = handle != nullptr && allows_tf32(*handle);
  call.a.at = a, call.a.leading = lda, call.a.batch = a_batch;
  call.b.at = b, call.b.leading = ldb, call.b.batch = b_batch;
  call.c.at = c, call.c.leading = ldc, call.c.batch = c_batch;
  call.batches = batches;
  return call_gemm(handle, call);
}

/// Addresses of the matrices, in device memory.
template <class Number>
BlasStatus run_listed_gemm(const BlasHandle* handle, GemmCall call, const Number* const* a, int lda,
                           const Number* const* b, int ldb, Number* const* c, int ldc, int batches) {
  call.tf32 = handle != nullptr && allows_tf32(*handle);
  call.a.list = reinterpret_cast<const void* const*>(a), call.a.leading = lda;
  call.b.list = reinterpret_cast<const void* const*>(b), call.b.leading = ldb;
  call.c.list = reinterpret_cast<const void* const*>(c), call.c.leading = ldc;
  call.batches = batches;
  return call_gemm(handle, call);
}

}  // namespace

extern "C" {

BlasStatus cublasSgemm_v2(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                          const float* alpha, const float* a, int lda, const float* b, int ldb, const float* beta,
                          float* c, int ldc) {
  return run_gemm(handle, gemm_of("cublasSgemm", a_operation, b_operation, m, n, k, alpha, beta), a, lda, 0, b, ldb, 0,
                  c, ldc, 0, 1);
}
BlasStatus cublasSgemmStridedBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n,
                                     int k, const float* alpha, const float* a, int lda, long long a_batch,
                                     const float* b, int ldb, long long b_batch, const float* beta, float* c, int ldc,
                                     long long c_batch, int batches) {
  return run_gemm(handle, gemm_of("cublasSgemmStridedBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                  a_batch, b, ldb, b_batch, c, ldc, c_batch, batches);
}
BlasStatus cublasSgemmBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                              const float* alpha, const float* const* a, int lda, const float* const* b, int ldb,
                              const float* beta, float* const* c, int ldc, int batches) {
  return run_listed_gemm(handle, gemm_of("cublasSgemmBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                         b, ldb, c, ldc, batches);
}

BlasStatus cublasDgemm_v2(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                          const double* alpha, const double* a, int lda, const double* b, int ldb, const double* beta,
                          double* c, int ldc) {
  return run_gemm(handle, gemm_of("cublasDgemm", a_operation, b_operation, m, n, k, alpha, beta), a, lda, 0, b, ldb, 0,
                  c, ldc, 0, 1);
}
BlasStatus cublasDgemmStridedBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n,
                                     int k, const double* alpha, const double* a, int lda, long long a_batch,
                                     const double* b, int ldb, long long b_batch, const double* beta, double* c,
                                     int ldc, long long c_batch, int batches) {
  return run_gemm(handle, gemm_of("cublasDgemmStridedBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                  a_batch, b, ldb, b_batch, c, ldc, c_batch, batches);
}
BlasStatus cublasDgemmBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                              const double* alpha, const double* const* a, int lda, const double* const* b, int ldb,
                              const double* beta, double* const* c, int ldc, int batches) {
  return run_listed_gemm(handle, gemm_of("cublasDgemmBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                         b, ldb, c, ldc, batches);
}

BlasStatus cublasCgemm_v2(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                          const ComplexFloat* alpha, const ComplexFloat* a, int lda, const ComplexFloat* b, int ldb,
                          const ComplexFloat* beta, ComplexFloat* c, int ldc) {
  return run_gemm(handle, gemm_of("cublasCgemm", a_operation, b_operation, m, n, k, alpha, beta), a, lda, 0, b, ldb, 0,
                  c, ldc, 0, 1);
}
BlasStatus cublasCgemmStridedBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n,
                                     int k, const ComplexFloat* alpha, const ComplexFloat* a, int lda,
                                     long long a_batch, const ComplexFloat* b, int ldb, long long b_batch,
                                     const ComplexFloat* beta, ComplexFloat* c, int ldc, long long c_batch,
                                     int batches) {
  return run_gemm(handle, gemm_of("cublasCgemmStridedBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                  a_batch, b, ldb, b_batch, c, ldc, c_batch, batches);
}
BlasStatus cublasCgemmBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                              const ComplexFloat* alpha, const ComplexFloat* const* a, int lda,
                              const ComplexFloat* const* b, int ldb, const ComplexFloat* beta, ComplexFloat* const* c,
                              int ldc, int batches) {
  return run_listed_gemm(handle, gemm_of("cublasCgemmBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                         b, ldb, c, ldc, batches);
}

BlasStatus cublasZgemm_v2(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                          const ComplexDouble* alpha, const ComplexDouble* a, int lda, const ComplexDouble* b, int ldb,
                          const ComplexDouble* beta, ComplexDouble* c, int ldc) {
  return run_gemm(handle, gemm_of("cublasZgemm", a_operation, b_operation, m, n, k, alpha, beta), a, lda, 0, b, ldb, 0,
                  c, ldc, 0, 1);
}
BlasStatus cublasZgemmStridedBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n,
                                     int k, const ComplexDouble* alpha, const ComplexDouble* a, int lda,
                                     long long a_batch, const ComplexDouble* b, int ldb, long long b_batch,
                                     const ComplexDouble* beta, ComplexDouble* c, int ldc, long long c_batch,
                                     int batches) {
  return run_gemm(handle, gemm_of("cublasZgemmStridedBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                  a_batch, b, ldb, b_batch, c, ldc, c_batch, batches);
}
BlasStatus cublasZgemmBatched(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                              const ComplexDouble* alpha, const ComplexDouble* const* a, int lda,
                              const ComplexDouble* const* b, int ldb, const ComplexDouble* beta,
                              ComplexDouble* const* c, int ldc, int batches) {
  return run_listed_gemm(handle, gemm_of("cublasZgemmBatched", a_operation, b_operation, m, n, k, alpha, beta), a, lda,
                         b, ldb, c, ldc, batches);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
