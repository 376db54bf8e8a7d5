// Products of dense matrices at the entries of a sparse one: cusparseSDDMM.
#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {
namespace {

SparseStatus sample_product(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha, const DenseMatrix* a,
                            const DenseMatrix* b, const void* beta, SparseMatrix* c, SparseData computed) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (alpha == nullptr || a == nullptr || b == nullptr || beta == nullptr || c == nullptr)
    return SparseStatus::invalid_value;
  if (c->format != SparseFormat::csr) return sparse_not_supported("cusparseSDDMM", "a format other than CSR");
  const bool plain_a = op_a == SparseOp::none, plain_b = op_b == SparseOp::none;
  const std::int64_t inner = plain_a ? a->columns : a->rows;
  if ((plain_a ? a->rows : a->columns) != c->rows || (plain_b ? b->rows : b->columns) != inner ||
      (plain_b ? b->columns : b->rows) != c->columns)
    return SparseStatus::invalid_value;
  if (!is_known(c->data) || a->data != c->data || b->data != c->data || computed_in(computed) != computed_in(c->data))
    return sparse_not_supported("cusparseSDDMM", "this combination of data types");
  if (c->rows == 0 || c->entries == 0) return SparseStatus::success;
  return with_computed(c->data, [&](auto number) {
    using Wide = decltype(number);
    return sparse_status(launch("sampled", kernel_name("sampled_product", {c->data}), warps_over(c->rows, c->batches),
                                handle->stream, dense_of(*a, op_a), dense_of(*b, op_b), rows_of(*c), c->rows, inner,
                                scalar_of<Wide>(*handle, alpha, computed), scalar_of<Wide>(*handle, beta, computed),
                                op_a == SparseOp::conjugate_transpose ? 1 : 0,
                                op_b == SparseOp::conjugate_transpose ? 1 : 0));
  });
}

}  // namespace

extern "C" {

SparseStatus cusparseSDDMM_bufferSize(SparseHandle* handle, SparseOp, SparseOp, const void*, const DenseMatrix*,
                                      const DenseMatrix*, const void*, SparseMatrix*, SparseData, int,
                                      std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (bytes == nullptr) return SparseStatus::invalid_value;
  *bytes = 0;
  return SparseStatus::success;
}
SparseStatus cusparseSDDMM_preprocess(SparseHandle* handle, SparseOp, SparseOp, const void*, const DenseMatrix*,
                                      const DenseMatrix*, const void*, SparseMatrix*, SparseData, int, void*) {
  return handle == nullptr ? SparseStatus::not_initialized : SparseStatus::success;
}
SparseStatus cusparseSDDMM(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha, const DenseMatrix* a,
                           const DenseMatrix* b, const void* beta, SparseMatrix* c, SparseData computed, int, void*) {
  return guarded<SparseStatus>("cusparseSDDMM", SparseStatus::internal_error,
                               [&] { return sample_product(handle, op_a, op_b, alpha, a, b, beta, c, computed); });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
