#pragma once

// The argument of all kernels for matrix products, as the library's host code (instrumentation/simulated/libraries/
// cublas_products) fills it in and the kernels read it.

namespace stand_in::cublas {

/// Types of elements, with the numbers of cudaDataType.
enum ElementType : int {
  type_f32 = 0,
  type_f64 = 1,
  type_f16 = 2,
  type_s8 = 3,
  type_c32 = 4,
  type_c64 = 5,
  type_s32 = 10,
  type_bf16 = 14,
  type_e4m3 = 28,
  type_e5m2 = 29,
};

/// The bits of cublasLtEpilogue_t: what is computed of the results before they are stored.
enum EpilogueBit : int {
  epilogue_relu = 2,
  epilogue_bias = 4,
  epilogue_relu_gradient = 8,
  epilogue_bias_gradient = 16,
  epilogue_gelu = 32,
  epilogue_gelu_gradient = 64,
  epilogue_auxiliary = 128,
  epilogue_bias_gradient_a = 256,
  epilogue_bias_gradient_b = 512,
};

/// D = epilogue(alpha * A * B + beta * C) for each matrix of a batch. A has m rows and k columns, B k rows and n columns;
/// columns of C and D are contiguous. Distances are in elements.
struct Product {
  int m, n, k;
  int a_type, b_type, c_type, d_type;
  int scale_type;  ///< of alpha and beta in device memory, and whether integers are scaled as integers
  const void* a;   ///< A(i, l) is at a[i * a_row + l * a_depth]
  long long a_row, a_depth, a_batch;
  const void* b;  ///< B(l, j) is at b[j * b_column + l * b_depth]
  long long b_column, b_depth, b_batch;
  const void* c;
  long long c_column, c_batch;
  void* d;
  long long d_column, d_batch;
  /// If not null: addresses of the matrices of the batch, in device memory.
  const void* const* a_list;
  const void* const* b_list;
  void* const* d_list;  ///< of C, too
  double alpha, alpha_imaginary, beta, beta_imaginary;
  const void* alpha_at;  ///< if not null: alpha in device memory
  const void* beta_at;
  int alpha_step;  ///< 1: a vector with an alpha for each row
  int conjugate_a, conjugate_b;
  int epilogue;
  int bias_type;
  int auxiliary_type;
  const void* bias;  ///< an element for each row
  long long bias_batch;
  void* auxiliary;
  long long auxiliary_column, auxiliary_batch;
  const float* a_scale;  ///< factors of A, one or one for each row; null: 1
  const float* b_scale;
  const float* c_scale;
  const float* d_scale;
  int a_scale_step, b_scale_step;  ///< 0: one factor
  float* largest;                  ///< if not null: becomes the largest absolute value of D before it is scaled
};

}  // namespace stand_in::cublas
