// Sparse times dense: cusparseSpMM and cusparseSpMV.
#include "instrumentation/simulated/libraries/cusparse/products.h"

namespace warpwalk::simulated::libraries {
namespace {

SparseStatus check_product(const char* function, const SparseHandle* handle, const SparseProduct& product) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (product.alpha == nullptr || product.beta == nullptr) return SparseStatus::invalid_value;
  const auto is_half = [](SparseData data) { return data == SparseData::r16 || data == SparseData::r16b; };
  const bool same = product.in == product.out, widens = is_half(product.in) && product.out == SparseData::r32;
  if (!is_known(product.in) || !is_known(product.out) || (!same && !widens) || product.in_dense != product.in)
    return sparse_not_supported(function, "this combination of data types");
  if (computed_in(product.computed) != computed_in(product.out))
    return sparse_not_supported(function, "this data type of the computation");
  return SparseStatus::success;
}

}  // namespace

SparseStatus multiply(const char* function, const SparseHandle* handle, const SparseProduct& product) {
  if (const SparseStatus wrong = check_product(function, handle, product); wrong != SparseStatus::success) return wrong;
  const SparseProduct& of = product;
  const std::int64_t results = of.rows * of.columns;
  if (results == 0) return SparseStatus::success;
  return with_computed(of.out, [&](auto number) {
    using Wide = decltype(number);
    const auto alpha = scalar_of<Wide>(*handle, of.alpha, of.computed),
               beta = scalar_of<Wide>(*handle, of.beta, of.computed);
    if (of.transposed) {
      const Error scaled = launch("transposed", kernel_name("scale_dense", {of.out}), threads_over(results, of.batches),
                                  handle->stream, of.c, of.rows, of.columns, beta);
      if (scaled != Error::success || of.sparse_rows == 0) return sparse_status(scaled);
      return sparse_status(launch("transposed", kernel_name("add_transposed", {of.in, of.out}),
                                  threads_over(of.sparse_rows * of.columns, of.batches), handle->stream, of.a, of.b,
                                  of.c, of.sparse_rows, of.columns, alpha, of.conjugate));
    }
    if (of.columns == 1)
      return sparse_status(launch("vector_products", kernel_name("row_times_vector", {of.in, of.out}),
                                  warps_over(of.rows, of.batches), handle->stream, of.a, of.b, of.c, of.rows, alpha,
                                  beta, of.conjugate));
    return sparse_status(launch("products", kernel_name("row_times_dense", {of.in, of.out}),
                                threads_over(results, of.batches), handle->stream, of.a, of.b, of.c, of.rows,
                                of.columns, alpha, beta, of.conjugate));
  });
}

namespace {

/// The part of a product that the sparse matrix and its operation decide.
SparseProduct product_with(const SparseMatrix& a, SparseOp op) {
  SparseProduct product;
  product.a = rows_of(a);
  product.transposed = (a.format == SparseFormat::csc) != (op != SparseOp::none);
  product.sparse_rows = a.format == SparseFormat::csc ? a.columns : a.rows;
  product.rows = op == SparseOp::none ? a.rows : a.columns;
  product.in = a.data;
  product.conjugate = op == SparseOp::conjugate_transpose ? stand_in::cusparse::conjugate_sparse : 0;
  return product;
}

std::int64_t inner_of(const SparseMatrix& a, SparseOp op) { return op == SparseOp::none ? a.columns : a.rows; }

SparseStatus multiply_matrices(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha,
                               const SparseMatrix* a, const DenseMatrix* b, const void* beta, DenseMatrix* c,
                               SparseData computed) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (a == nullptr || b == nullptr || c == nullptr) return SparseStatus::invalid_value;
  const bool plain = op_b == SparseOp::none;
  const std::int64_t b_rows = plain ? b->rows : b->columns, b_columns = plain ? b->columns : b->rows;
  SparseProduct product = product_with(*a, op_a);
  if (inner_of(*a, op_a) != b_rows || product.rows != c->rows || b_columns != c->columns)
    return SparseStatus::invalid_value;
  if ((a->batches != 1 && a->batches != c->batches) || (b->batches != 1 && b->batches != c->batches))
    return SparseStatus::invalid_value;
  product.b = dense_of(*b, op_b), product.c = dense_of(*c, SparseOp::none);
  product.columns = c->columns, product.batches = c->batches;
  product.alpha = alpha, product.beta = beta, product.computed = computed;
  product.in_dense = b->data, product.out = c->data;
  if (op_b == SparseOp::conjugate_transpose) product.conjugate |= stand_in::cusparse::conjugate_dense;
  return multiply("cusparseSpMM", handle, product);
}

SparseStatus multiply_vector(SparseHandle* handle, SparseOp op, const void* alpha, const SparseMatrix* a,
                             const DenseVector* x, const void* beta, DenseVector* y, SparseData computed) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (a == nullptr || x == nullptr || y == nullptr) return SparseStatus::invalid_value;
  SparseProduct product = product_with(*a, op);
  if (inner_of(*a, op) != x->size || product.rows != y->size) return SparseStatus::invalid_value;
  product.b = dense_of(*x), product.c = dense_of(*y);
  product.alpha = alpha, product.beta = beta, product.computed = computed;
  product.in_dense = x->data, product.out = y->data;
  return multiply("cusparseSpMV", handle, product);
}

/// The products need no work area.
SparseStatus no_buffer(const SparseHandle* handle, std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (bytes == nullptr) return SparseStatus::invalid_value;
  *bytes = 0;
  return SparseStatus::success;
}

}  // namespace

extern "C" {

SparseStatus cusparseSpMM_bufferSize(SparseHandle* handle, SparseOp, SparseOp, const void*, const SparseMatrix*,
                                     const DenseMatrix*, const void*, DenseMatrix*, SparseData, int,
                                     std::size_t* bytes) {
  return no_buffer(handle, bytes);
}
SparseStatus cusparseSpMM_preprocess(SparseHandle* handle, SparseOp, SparseOp, const void*, const SparseMatrix*,
                                     const DenseMatrix*, const void*, DenseMatrix*, SparseData, int, void*) {
  return handle == nullptr ? SparseStatus::not_initialized : SparseStatus::success;
}
SparseStatus cusparseSpMM(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha, const SparseMatrix* a,
                          const DenseMatrix* b, const void* beta, DenseMatrix* c, SparseData computed, int, void*) {
  return guarded<SparseStatus>("cusparseSpMM", SparseStatus::internal_error,
                               [&] { return multiply_matrices(handle, op_a, op_b, alpha, a, b, beta, c, computed); });
}

SparseStatus cusparseSpMV_bufferSize(SparseHandle* handle, SparseOp, const void*, const SparseMatrix*,
                                     const DenseVector*, const void*, DenseVector*, SparseData, int,
                                     std::size_t* bytes) {
  return no_buffer(handle, bytes);
}
SparseStatus cusparseSpMV_preprocess(SparseHandle* handle, SparseOp, const void*, const SparseMatrix*,
                                     const DenseVector*, const void*, DenseVector*, SparseData, int, void*) {
  return handle == nullptr ? SparseStatus::not_initialized : SparseStatus::success;
}
SparseStatus cusparseSpMV(SparseHandle* handle, SparseOp op, const void* alpha, const SparseMatrix* a,
                          const DenseVector* x, const void* beta, DenseVector* y, SparseData computed, int, void*) {
  return guarded<SparseStatus>("cusparseSpMV", SparseStatus::internal_error,
                               [&] { return multiply_vector(handle, op, alpha, a, x, beta, y, computed); });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
