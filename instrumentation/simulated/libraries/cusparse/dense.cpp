// Descriptors of dense matrices and vectors.
#include <memory>

#include "instrumentation/simulated/libraries/cusparse/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

SparseStatus keep_dense(DenseMatrix** descr, const DenseMatrix& matrix) {
  const bool by_rows = matrix.order == DenseOrder::row;
  if (descr == nullptr || matrix.rows < 0 || matrix.columns < 0 || (!by_rows && matrix.order != DenseOrder::column) ||
      matrix.leading < (by_rows ? matrix.columns : matrix.rows))
    return SparseStatus::invalid_value;
  *descr = std::make_unique<DenseMatrix>(matrix).release();
  return SparseStatus::success;
}

SparseStatus keep_vector(DenseVector** descr, const DenseVector& vector) {
  if (descr == nullptr || vector.size < 0) return SparseStatus::invalid_value;
  *descr = std::make_unique<DenseVector>(vector).release();
  return SparseStatus::success;
}

}  // namespace

extern "C" {

SparseStatus cusparseCreateDnMat(DenseMatrix** descr, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                                 void* values, SparseData data, DenseOrder order) {
  return keep_dense(descr, {rows, columns, leading, values, data, order});
}
SparseStatus cusparseCreateConstDnMat(DenseMatrix** descr, std::int64_t rows, std::int64_t columns,
                                      std::int64_t leading, const void* values, SparseData data, DenseOrder order) {
  return keep_dense(descr, {rows, columns, leading, const_cast<void*>(values), data, order});
}
SparseStatus cusparseDestroyDnMat(const DenseMatrix* descr) {
  const std::unique_ptr<const DenseMatrix> owned(descr);
  return SparseStatus::success;
}
SparseStatus cusparseDnMatSetStridedBatch(DenseMatrix* descr, int batches, std::int64_t step) {
  if (descr == nullptr || batches < 1) return SparseStatus::invalid_value;
  descr->batches = batches, descr->step = step;
  return SparseStatus::success;
}
SparseStatus cusparseDnMatGetStridedBatch(const DenseMatrix* descr, int* batches, std::int64_t* step) {
  if (descr == nullptr || batches == nullptr || step == nullptr) return SparseStatus::invalid_value;
  *batches = descr->batches, *step = descr->step;
  return SparseStatus::success;
}
SparseStatus cusparseDnMatGet(const DenseMatrix* descr, std::int64_t* rows, std::int64_t* columns,
                              std::int64_t* leading, void** values, SparseData* data, DenseOrder* order) {
  if (descr == nullptr || rows == nullptr || columns == nullptr || leading == nullptr || values == nullptr ||
      data == nullptr || order == nullptr)
    return SparseStatus::invalid_value;
  *rows = descr->rows, *columns = descr->columns, *leading = descr->leading;
  *values = descr->values, *data = descr->data, *order = descr->order;
  return SparseStatus::success;
}
SparseStatus cusparseDnMatGetValues(const DenseMatrix* descr, void** values) {
  if (descr == nullptr || values == nullptr) return SparseStatus::invalid_value;
  *values = descr->values;
  return SparseStatus::success;
}
SparseStatus cusparseDnMatSetValues(DenseMatrix* descr, void* values) {
  if (descr == nullptr) return SparseStatus::invalid_value;
  descr->values = values;
  return SparseStatus::success;
}

SparseStatus cusparseCreateDnVec(DenseVector** descr, std::int64_t size, void* values, SparseData data) {
  return keep_vector(descr, {size, values, data});
}
SparseStatus cusparseCreateConstDnVec(DenseVector** descr, std::int64_t size, const void* values, SparseData data) {
  return keep_vector(descr, {size, const_cast<void*>(values), data});
}
SparseStatus cusparseDestroyDnVec(const DenseVector* descr) {
  const std::unique_ptr<const DenseVector> owned(descr);
  return SparseStatus::success;
}
SparseStatus cusparseDnVecGet(const DenseVector* descr, std::int64_t* size, void** values, SparseData* data) {
  if (descr == nullptr || size == nullptr || values == nullptr || data == nullptr) return SparseStatus::invalid_value;
  *size = descr->size, *values = descr->values, *data = descr->data;
  return SparseStatus::success;
}
SparseStatus cusparseDnVecGetValues(const DenseVector* descr, void** values) {
  if (descr == nullptr || values == nullptr) return SparseStatus::invalid_value;
  *values = descr->values;
  return SparseStatus::success;
}
SparseStatus cusparseDnVecSetValues(DenseVector* descr, void* values) {
  if (descr == nullptr) return SparseStatus::invalid_value;
  descr->values = values;
  return SparseStatus::success;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
