// Products of a triangular matrix: trmm, trmv.
#include "instrumentation/simulated/libraries/cublas/structured_call.h"

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

/// The triangle that op(A) has.
StructuredMatrix triangular_operand(const void* a, std::int64_t leading, FillMode fill, Operation operation) {
  StructuredMatrix matrix = plain_matrix(a, leading);
  matrix.is_lower = static_cast<int>(fill == FillMode::lower);
  return operation == Operation::none ? matrix : transposed(matrix, operation == Operation::conjugate_transpose);
}

template <class Number>
BlasStatus launch_triangular(const BlasHandle& handle, const TriangularProduct& product) {
  if (product.m <= 0 || product.n <= 0) return BlasStatus::success;
  constexpr int side = 16;
  LaunchShape shape;
  shape.block[0] = side * side;
  shape.grid[0] = static_cast<std::uint32_t>((product.n + side - 1) / side);
  return blas_status(launch("structured", kernel_of<Number>("triangular_product"), shape, handle.stream, product));
}

/// C = alpha * op(A) * B, or B * op(A)
template <class Number>
BlasStatus multiply_triangular(const BlasHandle* handle, SideMode side, FillMode fill, Operation operation,
                               DiagonalType diagonal, int m, int n, const Number* alpha, const Number* a, int lda,
                               const Number* b, int ldb, Number* c, int ldc) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  const bool left = side == SideMode::left;
  if (m < 0 || n < 0 || !is_triangle(fill) || lda < std::max(1, left ? m : n) || ldb < std::max(1, m) ||
      ldc < std::max(1, m) || alpha == nullptr)
    return BlasStatus::invalid_value;
  TriangularProduct p{};
  p.m = left ? m : n, p.n = left ? n : m;
  p.a = triangular_operand(a, lda, fill, operation);
  // B * op(A) is the transpose of op(A)^T * B^T.
  if (!left) p.a = transposed(p.a);
  p.is_unit = static_cast<int>(diagonal == DiagonalType::unit);
  p.b = b, p.b_row = left ? 1 : ldb, p.b_column = left ? ldb : 1;
  p.c = c, p.c_row = left ? 1 : ldc, p.c_column = left ? ldc : 1;
  set_scalar(*handle, alpha, p.alpha, p.alpha_imaginary, p.alpha_at);
  return launch_triangular<Number>(*handle, p);
}

/// x = op(A) * x
template <class Number>
BlasStatus multiply_triangular_vector(const BlasHandle* handle, FillMode fill, Operation operation,
                                      DiagonalType diagonal, int n, const Number* a, int lda, Number* x, int x_step) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (n < 0 || !is_triangle(fill) || lda < std::max(1, n) || x_step == 0) return BlasStatus::invalid_value;
  TriangularProduct p{};
  p.m = n, p.n = 1;
  p.a = triangular_operand(a, lda, fill, operation);
  p.is_unit = static_cast<int>(diagonal == DiagonalType::unit);
  p.c = first_element(x, n, x_step);
  p.b = p.c;
  p.b_row = p.c_row = x_step;
  p.alpha = 1;
  return launch_triangular<Number>(*handle, p);
}

}  // namespace

extern "C" {

BlasStatus cublasStrmm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const float* alpha, const float* a, int lda, const float* b, int ldb, float* c,
                          int ldc) {
  return multiply_triangular(handle, side, fill, operation, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
BlasStatus cublasStrmv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const float* a, int lda, float* x, int x_step) {
  return multiply_triangular_vector(handle, fill, operation, diagonal, n, a, lda, x, x_step);
}
BlasStatus cublasDtrmm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const double* alpha, const double* a, int lda, const double* b, int ldb,
                          double* c, int ldc) {
  return multiply_triangular(handle, side, fill, operation, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
BlasStatus cublasDtrmv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const double* a, int lda, double* x, int x_step) {
  return multiply_triangular_vector(handle, fill, operation, diagonal, n, a, lda, x, x_step);
}
BlasStatus cublasCtrmm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const ComplexFloat* alpha, const ComplexFloat* a, int lda,
                          const ComplexFloat* b, int ldb, ComplexFloat* c, int ldc) {
  return multiply_triangular(handle, side, fill, operation, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
BlasStatus cublasCtrmv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const ComplexFloat* a, int lda, ComplexFloat* x, int x_step) {
  return multiply_triangular_vector(handle, fill, operation, diagonal, n, a, lda, x, x_step);
}
BlasStatus cublasZtrmm_v2(BlasHandle* handle, SideMode side, FillMode fill, Operation operation, DiagonalType diagonal,
                          int m, int n, const ComplexDouble* alpha, const ComplexDouble* a, int lda,
                          const ComplexDouble* b, int ldb, ComplexDouble* c, int ldc) {
  return multiply_triangular(handle, side, fill, operation, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
BlasStatus cublasZtrmv_v2(BlasHandle* handle, FillMode fill, Operation operation, DiagonalType diagonal, int n,
                          const ComplexDouble* a, int lda, ComplexDouble* x, int x_step) {
  return multiply_triangular_vector(handle, fill, operation, diagonal, n, a, lda, x, x_step);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
