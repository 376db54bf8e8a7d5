// Products with a matrix of blocks: cusparse[SDCZ]bsrmv and cusparse[SDCZ]bsrmm.
#include "instrumentation/simulated/libraries/cusparse/products.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The matrix of blocks that the functions take as arrays.
struct BlockMatrix {
  int direction;  ///< cusparseDirection_t: 1 by columns
  SparseOp op;
  int block_rows, block_columns, blocks;
  const SparseMatDescr* descr;
  const void* values;
  const int *offsets, *columns;
  int block;
};

SparseStatus multiply_blocks(const char* function, const SparseHandle* handle, SparseData data, const BlockMatrix& a,
                             SparseProduct product) {
  return guarded<SparseStatus>(function, SparseStatus::internal_error, [&] {
    if (handle == nullptr) return SparseStatus::not_initialized;
    if (a.block_rows < 0 || a.block_columns < 0 || a.blocks < 0 || a.block < 1 || product.columns < 0 ||
        a.descr == nullptr)
      return SparseStatus::invalid_value;
    if (a.op != SparseOp::none) return sparse_not_supported(function, "a transposed matrix of blocks");
    product.a = rows_of(*a.descr, a.offsets, a.columns, a.values, a.blocks, a.block, a.direction == 1);
    product.rows = product.sparse_rows = std::int64_t{a.block_rows} * a.block;
    product.in = product.in_dense = product.out = product.computed = data;
    return multiply(function, handle, product);
  });
}

SparseStatus multiply_blocks_by_vector(const char* function, const SparseHandle* handle, SparseData data,
                                       const BlockMatrix& a, const void* alpha, const void* x, const void* beta,
                                       void* y) {
  SparseProduct product;
  product.b = {const_cast<void*>(x), 1, 0, 0}, product.c = {y, 1, 0, 0};
  product.alpha = alpha, product.beta = beta;
  return multiply_blocks(function, handle, data, a, product);
}

/// All dense matrices are stored by columns.
SparseStatus multiply_blocks_by_matrix(const char* function, const SparseHandle* handle, SparseData data,
                                       const BlockMatrix& a, SparseOp op_b, int columns, const void* alpha,
                                       const void* b, int b_leading, const void* beta, void* c, int c_leading) {
  SparseProduct product;
  const bool plain = op_b == SparseOp::none;
  product.b = {const_cast<void*>(b), plain ? 1 : b_leading, plain ? b_leading : 1, 0};
  product.c = {c, 1, c_leading, 0};
  product.columns = columns;
  product.conjugate = op_b == SparseOp::conjugate_transpose ? stand_in::cusparse::conjugate_dense : 0;
  product.alpha = alpha, product.beta = beta;
  return multiply_blocks(function, handle, data, a, product);
}

}  // namespace

extern "C" {

SparseStatus cusparseSbsrmv(SparseHandle* handle, int direction, SparseOp op, int block_rows, int block_columns,
                            int blocks, const void* alpha, const SparseMatDescr* descr, const void* values,
                            const int* offsets, const int* columns, int block, const void* x, const void* beta,
                            void* y) {
  return multiply_blocks_by_vector(
      "cusparseSbsrmv", handle, SparseData::r32,
      {direction, op, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, alpha, x, beta, y);
}
SparseStatus cusparseDbsrmv(SparseHandle* handle, int direction, SparseOp op, int block_rows, int block_columns,
                            int blocks, const void* alpha, const SparseMatDescr* descr, const void* values,
                            const int* offsets, const int* columns, int block, const void* x, const void* beta,
                            void* y) {
  return multiply_blocks_by_vector(
      "cusparseDbsrmv", handle, SparseData::r64,
      {direction, op, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, alpha, x, beta, y);
}
SparseStatus cusparseCbsrmv(SparseHandle* handle, int direction, SparseOp op, int block_rows, int block_columns,
                            int blocks, const void* alpha, const SparseMatDescr* descr, const void* values,
                            const int* offsets, const int* columns, int block, const void* x, const void* beta,
                            void* y) {
  return multiply_blocks_by_vector(
      "cusparseCbsrmv", handle, SparseData::c32,
      {direction, op, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, alpha, x, beta, y);
}
SparseStatus cusparseZbsrmv(SparseHandle* handle, int direction, SparseOp op, int block_rows, int block_columns,
                            int blocks, const void* alpha, const SparseMatDescr* descr, const void* values,
                            const int* offsets, const int* columns, int block, const void* x, const void* beta,
                            void* y) {
  return multiply_blocks_by_vector(
      "cusparseZbsrmv", handle, SparseData::c64,
      {direction, op, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, alpha, x, beta, y);
}
SparseStatus cusparseSbsrmm(SparseHandle* handle, int direction, SparseOp op_a, SparseOp op_b, int block_rows, int n,
                            int block_columns, int blocks, const void* alpha, const SparseMatDescr* descr,
                            const void* values, const int* offsets, const int* columns, int block, const void* b,
                            int b_leading, const void* beta, void* c, int c_leading) {
  return multiply_blocks_by_matrix(
      "cusparseSbsrmm", handle, SparseData::r32,
      {direction, op_a, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, op_b, n, alpha, b,
      b_leading, beta, c, c_leading);
}
SparseStatus cusparseDbsrmm(SparseHandle* handle, int direction, SparseOp op_a, SparseOp op_b, int block_rows, int n,
                            int block_columns, int blocks, const void* alpha, const SparseMatDescr* descr,
                            const void* values, const int* offsets, const int* columns, int block, const void* b,
                            int b_leading, const void* beta, void* c, int c_leading) {
  return multiply_blocks_by_matrix(
      "cusparseDbsrmm", handle, SparseData::r64,
      {direction, op_a, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, op_b, n, alpha, b,
      b_leading, beta, c, c_leading);
}
SparseStatus cusparseCbsrmm(SparseHandle* handle, int direction, SparseOp op_a, SparseOp op_b, int block_rows, int n,
                            int block_columns, int blocks, const void* alpha, const SparseMatDescr* descr,
                            const void* values, const int* offsets, const int* columns, int block, const void* b,
                            int b_leading, const void* beta, void* c, int c_leading) {
  return multiply_blocks_by_matrix(
      "cusparseCbsrmm", handle, SparseData::c32,
      {direction, op_a, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, op_b, n, alpha, b,
      b_leading, beta, c, c_leading);
}
SparseStatus cusparseZbsrmm(SparseHandle* handle, int direction, SparseOp op_a, SparseOp op_b, int block_rows, int n,
                            int block_columns, int blocks, const void* alpha, const SparseMatDescr* descr,
                            const void* values, const int* offsets, const int* columns, int block, const void* b,
                            int b_leading, const void* beta, void* c, int c_leading) {
  return multiply_blocks_by_matrix(
      "cusparseZbsrmm", handle, SparseData::c64,
      {direction, op_a, block_rows, block_columns, blocks, descr, values, offsets, columns, block}, op_b, n, alpha, b,
      b_leading, beta, c, c_leading);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
