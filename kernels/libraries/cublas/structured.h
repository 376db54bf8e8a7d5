#pragma once

// Arguments of the kernels for matrices with a structure, as the library's host code fills them in.

namespace stand_in::cublas {

/// What an operand is besides its elements.
enum Structure : int {
  general = 0,
  symmetric = 1,
  hermitian = 2,
};

/// A matrix whose element (i, j) is at at[i * row + j * column]. Of symmetric and Hermitian ones, one triangle is read.
struct StructuredMatrix {
  const void* at;
  long long row, column;
  int structure;
  int is_lower;
  int conjugates;  ///< elements are conjugated
};

/// C = alpha * A * B + beta * C, of C all elements or a triangle.
struct StructuredProduct {
  int m, n, k;
  StructuredMatrix a, b;
  void* c;
  long long c_row, c_column;
  int part;            ///< of C: 0 all, 1 the lower triangle, 2 the upper one
  int is_hermitian;    ///< the diagonal of C gets real values
  int conjugates_alpha;
  int real_alpha, real_beta;  ///< in device memory they are real
  double alpha, alpha_imaginary, beta, beta_imaginary;
  const void* alpha_at;
  const void* beta_at;
};

/// C = alpha * A * B with a triangular A of m rows. C can be B.
struct TriangularProduct {
  int m, n;
  StructuredMatrix a;
  int is_unit;  ///< the diagonal is 1 and not read
  const void* b;
  long long b_row, b_column;
  void* c;
  long long c_row, c_column;
  double alpha, alpha_imaginary;
  const void* alpha_at;
};

}  // namespace stand_in::cublas
