// Descriptors of the generic functions.
#include <memory>

#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {
namespace {

bool is_index(SparseIndex type) { return type == SparseIndex::i32 || type == SparseIndex::i64; }

/// Keeps a new matrix, if its description is valid.
SparseStatus keep_matrix(SparseMatrix** descr, const SparseMatrix& matrix) {
  if (descr == nullptr || matrix.rows < 0 || matrix.columns < 0 || matrix.entries < 0 || matrix.block < 1 ||
      !is_index(matrix.offset_type) || !is_index(matrix.index_type) || (matrix.base != 0 && matrix.base != 1))
    return SparseStatus::invalid_value;
  *descr = std::make_unique<SparseMatrix>(matrix).release();
  return SparseStatus::success;
}

template <class Target, class Value>
void give(Target* target, Value value) {
  if (target != nullptr) *target = static_cast<Target>(value);
}

/// The arrays and types of a matrix, as cusparseCsrGet and its kin return them.
SparseStatus get_matrix(const SparseMatrix* matrix, SparseFormat format, std::int64_t* rows, std::int64_t* columns,
                        std::int64_t* entries, const void** offsets, const void** indices, void** values,
                        SparseIndex* offset_type, SparseIndex* index_type, int* base, SparseData* data) {
  if (matrix == nullptr || matrix->format != format) return SparseStatus::invalid_value;
  give(rows, matrix->rows), give(columns, matrix->columns), give(entries, matrix->entries);
  give(offsets, matrix->offsets), give(indices, matrix->indices), give(values, matrix->values);
  give(offset_type, matrix->offset_type), give(index_type, matrix->index_type);
  give(base, matrix->base), give(data, matrix->data);
  return SparseStatus::success;
}

SparseStatus set_pointers(SparseMatrix* matrix, const void* offsets, const void* indices, void* values) {
  if (matrix == nullptr) return SparseStatus::invalid_value;
  matrix->offsets = offsets, matrix->indices = indices, matrix->values = values;
  return SparseStatus::success;
}

SparseStatus set_batch(SparseMatrix* matrix, int batches, std::int64_t offsets, std::int64_t indices,
                       std::int64_t values) {
  if (matrix == nullptr || batches < 1) return SparseStatus::invalid_value;
  matrix->batches = batches;
  matrix->offsets_step = offsets, matrix->indices_step = indices, matrix->values_step = values;
  return SparseStatus::success;
}

enum : int { fill_attribute = 0, diagonal_attribute = 1 };

}  // namespace

extern "C" {

SparseStatus cusparseCreateCsr(SparseMatrix** descr, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                               void* offsets, void* indices, void* values, SparseIndex offset_type,
                               SparseIndex index_type, int base, SparseData data) {
  return keep_matrix(descr, {SparseFormat::csr, rows, columns, entries, offsets, indices, values, offset_type,
                             index_type, base, data});
}
SparseStatus cusparseCreateConstCsr(SparseMatrix** descr, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                                    const void* offsets, const void* indices, const void* values,
                                    SparseIndex offset_type, SparseIndex index_type, int base, SparseData data) {
  return keep_matrix(descr, {SparseFormat::csr, rows, columns, entries, offsets, indices, const_cast<void*>(values),
                             offset_type, index_type, base, data});
}
SparseStatus cusparseCreateCsc(SparseMatrix** descr, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                               void* offsets, void* indices, void* values, SparseIndex offset_type,
                               SparseIndex index_type, int base, SparseData data) {
  return keep_matrix(descr, {SparseFormat::csc, rows, columns, entries, offsets, indices, values, offset_type,
                             index_type, base, data});
}
SparseStatus cusparseCreateConstCsc(SparseMatrix** descr, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                                    const void* offsets, const void* indices, const void* values,
                                    SparseIndex offset_type, SparseIndex index_type, int base, SparseData data) {
  return keep_matrix(descr, {SparseFormat::csc, rows, columns, entries, offsets, indices, const_cast<void*>(values),
                             offset_type, index_type, base, data});
}
SparseStatus cusparseCreateCoo(SparseMatrix** descr, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                               void* row_indices, void* column_indices, void* values, SparseIndex index_type, int base,
                               SparseData data) {
  return keep_matrix(descr, {SparseFormat::coo, rows, columns, entries, row_indices, column_indices, values, index_type,
                             index_type, base, data});
}
SparseStatus cusparseCreateConstCoo(SparseMatrix** descr, std::int64_t rows, std::int64_t columns, std::int64_t entries,
                                    const void* row_indices, const void* column_indices, const void* values,
                                    SparseIndex index_type, int base, SparseData data) {
  return keep_matrix(descr, {SparseFormat::coo, rows, columns, entries, row_indices, column_indices,
                             const_cast<void*>(values), index_type, index_type, base, data});
}
SparseStatus cusparseCreateBsr(SparseMatrix** descr, std::int64_t block_rows, std::int64_t block_columns,
                               std::int64_t blocks, std::int64_t rows_of_block, std::int64_t columns_of_block,
                               void* offsets, void* indices, void* values, SparseIndex offset_type,
                               SparseIndex index_type, int base, SparseData data, DenseOrder order) {
  if (rows_of_block != columns_of_block) return sparse_not_supported("cusparseCreateBsr", "blocks that are not square");
  SparseMatrix matrix{SparseFormat::bsr,
                      block_rows * rows_of_block,
                      block_columns * columns_of_block,
                      blocks,
                      offsets,
                      indices,
                      values,
                      offset_type,
                      index_type,
                      base,
                      data};
  matrix.block = static_cast<int>(rows_of_block);
  matrix.columns_first = order == DenseOrder::column;
  return keep_matrix(descr, matrix);
}

SparseStatus cusparseDestroySpMat(const SparseMatrix* descr) {
  const std::unique_ptr<const SparseMatrix> owned(descr);
  return SparseStatus::success;
}

SparseStatus cusparseCsrSetPointers(SparseMatrix* descr, void* offsets, void* indices, void* values) {
  return set_pointers(descr, offsets, indices, values);
}
SparseStatus cusparseCscSetPointers(SparseMatrix* descr, void* offsets, void* indices, void* values) {
  return set_pointers(descr, offsets, indices, values);
}
SparseStatus cusparseCooSetPointers(SparseMatrix* descr, void* rows, void* columns, void* values) {
  return set_pointers(descr, rows, columns, values);
}

SparseStatus cusparseCsrSetStridedBatch(SparseMatrix* descr, int batches, std::int64_t offsets_step,
                                        std::int64_t entries_step) {
  return set_batch(descr, batches, offsets_step, entries_step, entries_step);
}
SparseStatus cusparseCooSetStridedBatch(SparseMatrix* descr, int batches, std::int64_t step) {
  return set_batch(descr, batches, step, step, step);
}
SparseStatus cusparseBsrSetStridedBatch(SparseMatrix* descr, int batches, std::int64_t offsets_step,
                                        std::int64_t indices_step, std::int64_t values_step) {
  return set_batch(descr, batches, offsets_step, indices_step, values_step);
}
SparseStatus cusparseSpMatGetStridedBatch(const SparseMatrix* descr, int* batches) {
  if (descr == nullptr || batches == nullptr) return SparseStatus::invalid_value;
  *batches = descr->batches;
  return SparseStatus::success;
}

SparseStatus cusparseCsrGet(const SparseMatrix* descr, std::int64_t* rows, std::int64_t* columns, std::int64_t* entries,
                            const void** offsets, const void** indices, void** values, SparseIndex* offset_type,
                            SparseIndex* index_type, int* base, SparseData* data) {
  return get_matrix(descr, SparseFormat::csr, rows, columns, entries, offsets, indices, values, offset_type, index_type,
                    base, data);
}
SparseStatus cusparseCscGet(const SparseMatrix* descr, std::int64_t* rows, std::int64_t* columns, std::int64_t* entries,
                            const void** offsets, const void** indices, void** values, SparseIndex* offset_type,
                            SparseIndex* index_type, int* base, SparseData* data) {
  return get_matrix(descr, SparseFormat::csc, rows, columns, entries, offsets, indices, values, offset_type, index_type,
                    base, data);
}
SparseStatus cusparseCooGet(const SparseMatrix* descr, std::int64_t* rows, std::int64_t* columns, std::int64_t* entries,
                            const void** row_indices, const void** column_indices, void** values,
                            SparseIndex* index_type, int* base, SparseData* data) {
  return get_matrix(descr, SparseFormat::coo, rows, columns, entries, row_indices, column_indices, values, index_type,
                    nullptr, base, data);
}
SparseStatus cusparseSpMatGetSize(const SparseMatrix* descr, std::int64_t* rows, std::int64_t* columns,
                                  std::int64_t* entries) {
  if (descr == nullptr) return SparseStatus::invalid_value;
  give(rows, descr->rows), give(columns, descr->columns), give(entries, descr->entries);
  return SparseStatus::success;
}
SparseStatus cusparseSpMatGetFormat(const SparseMatrix* descr, SparseFormat* format) {
  if (descr == nullptr || format == nullptr) return SparseStatus::invalid_value;
  *format = descr->format;
  return SparseStatus::success;
}
SparseStatus cusparseSpMatGetIndexBase(const SparseMatrix* descr, int* base) {
  if (descr == nullptr || base == nullptr) return SparseStatus::invalid_value;
  *base = descr->base;
  return SparseStatus::success;
}
SparseStatus cusparseSpMatGetValues(SparseMatrix* descr, void** values) {
  if (descr == nullptr || values == nullptr) return SparseStatus::invalid_value;
  *values = descr->values;
  return SparseStatus::success;
}
SparseStatus cusparseSpMatSetValues(SparseMatrix* descr, void* values) {
  if (descr == nullptr) return SparseStatus::invalid_value;
  descr->values = values;
  return SparseStatus::success;
}

SparseStatus cusparseSpMatSetAttribute(SparseMatrix* descr, int attribute, const void* data, std::size_t bytes) {
  int value = 0;
  if (descr == nullptr || data == nullptr || bytes != sizeof value) return SparseStatus::invalid_value;
  std::memcpy(&value, data, sizeof value);
  if ((attribute != fill_attribute && attribute != diagonal_attribute) || value < 0 || value > 1)
    return SparseStatus::invalid_value;
  (attribute == fill_attribute ? descr->fill : descr->diagonal) = value;
  return SparseStatus::success;
}
SparseStatus cusparseSpMatGetAttribute(const SparseMatrix* descr, int attribute, void* data, std::size_t bytes) {
  if (descr == nullptr || data == nullptr || bytes != sizeof(int) ||
      (attribute != fill_attribute && attribute != diagonal_attribute))
    return SparseStatus::invalid_value;
  std::memcpy(data, attribute == fill_attribute ? &descr->fill : &descr->diagonal, sizeof(int));
  return SparseStatus::success;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
