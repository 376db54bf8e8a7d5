// Conversions between sparse and dense matrices: cusparseSparseToDense and cusparseDenseToSparse.
#include <utility>

#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The rows of a sparse matrix as kernels read it, and the dense matrix with the same rows. For CSC both are
/// transposed.
struct ConvertedRows {
  Sparse sparse;
  Dense dense;
  long long rows, columns;
  ConvertedRows(const SparseMatrix& sparse_matrix, const DenseMatrix& dense_matrix)
      : sparse(rows_of(sparse_matrix)),
        dense(dense_of(dense_matrix, sparse_matrix.format == SparseFormat::csc ? SparseOp::transpose : SparseOp::none)),
        rows(sparse_matrix.rows),
        columns(sparse_matrix.columns) {
    if (sparse_matrix.format == SparseFormat::csc) std::swap(rows, columns);
  }
};

SparseStatus check_conversion(const char* function, const SparseHandle* handle, const SparseMatrix* sparse,
                              const DenseMatrix* dense) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (sparse == nullptr || dense == nullptr || sparse->rows != dense->rows || sparse->columns != dense->columns)
    return SparseStatus::invalid_value;
  if (!is_known(sparse->data) || sparse->data != dense->data) return sparse_not_supported(function, "these data types");
  return SparseStatus::success;
}

SparseStatus to_dense(const SparseHandle* handle, const SparseMatrix* sparse, const DenseMatrix* dense) {
  constexpr const char* function = "cusparseSparseToDense";
  if (const auto wrong = check_conversion(function, handle, sparse, dense); wrong != SparseStatus::success)
    return wrong;
  const ConvertedRows of(*sparse, *dense);
  if (of.rows == 0 || of.columns == 0) return SparseStatus::success;
  return with_computed(sparse->data, [&](auto number) {
    using Wide = decltype(number);
    const Error cleared =
        launch("transposed", kernel_name("scale_dense", {sparse->data}), threads_over(of.rows * of.columns),
               handle->stream, of.dense, of.rows, of.columns, Scalar<Wide>{});
    if (cleared != Error::success) return sparse_status(cleared);
    return sparse_status(launch("dense", kernel_name("write_entries", {sparse->data}), warps_over(of.rows),
                                handle->stream, of.sparse, of.dense, of.rows));
  });
}

/// The program's buffer: the numbers of entries of rows, and their offsets.
struct ConversionWork {
  long long *counts, *offsets;
  std::size_t bytes;
  ConversionWork(void* buffer, long long rows) {
    SparseWork work(buffer);
    counts = work.take<long long>(rows), offsets = work.take<long long>(rows + 1);
    bytes = work.bytes();
  }
};

SparseStatus count_nonzeros(const SparseHandle* handle, const DenseMatrix* dense, SparseMatrix* sparse, void* buffer) {
  constexpr const char* function = "cusparseDenseToSparse_analysis";
  if (const auto wrong = check_conversion(function, handle, sparse, dense); wrong != SparseStatus::success)
    return wrong;
  if (sparse->block != 1) return sparse_not_supported(function, "a format with blocks");
  const ConvertedRows of(*sparse, *dense);
  sparse->entries = 0;
  if (of.rows == 0) return SparseStatus::success;
  const ConversionWork work(buffer, of.rows);
  Error error = launch("dense", kernel_name("count_entries", {dense->data}), warps_over(of.rows), handle->stream,
                       of.dense, of.rows, of.columns, work.counts);
  LaunchShape block;
  block.block[0] = 256;
  if (error == Error::success)
    error = launch("scan", "scan_counts", block, handle->stream, static_cast<const long long*>(work.counts), of.rows,
                   static_cast<void*>(work.offsets), 1, 0);
  if (error == Error::success)
    error = read_back(*handle, &sparse->entries, work.offsets + of.rows, sizeof(std::int64_t));
  return sparse_status(error);
}

SparseStatus take_nonzeros(const SparseHandle* handle, const DenseMatrix* dense, SparseMatrix* sparse, void* buffer) {
  constexpr const char* function = "cusparseDenseToSparse_convert";
  if (const auto wrong = check_conversion(function, handle, sparse, dense); wrong != SparseStatus::success)
    return wrong;
  const ConvertedRows of(*sparse, *dense);
  if (of.rows == 0) return SparseStatus::success;
  return sparse_status(
      launch("dense", kernel_name("take_entries", {dense->data}), warps_over(of.rows), handle->stream, of.dense,
             of.sparse, static_cast<const long long*>(ConversionWork(buffer, of.rows).offsets), of.rows, of.columns));
}

}  // namespace

extern "C" {

SparseStatus cusparseSparseToDense_bufferSize(SparseHandle* handle, const SparseMatrix*, DenseMatrix*, int,
                                              std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (bytes == nullptr) return SparseStatus::invalid_value;
  *bytes = 0;
  return SparseStatus::success;
}
SparseStatus cusparseSparseToDense(SparseHandle* handle, const SparseMatrix* sparse, DenseMatrix* dense, int, void*) {
  return guarded<SparseStatus>("cusparseSparseToDense", SparseStatus::internal_error,
                               [&] { return to_dense(handle, sparse, dense); });
}

SparseStatus cusparseDenseToSparse_bufferSize(SparseHandle* handle, const DenseMatrix* dense, SparseMatrix* sparse, int,
                                              std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (bytes == nullptr || dense == nullptr || sparse == nullptr) return SparseStatus::invalid_value;
  *bytes = ConversionWork(nullptr, ConvertedRows(*sparse, *dense).rows).bytes;
  return SparseStatus::success;
}
SparseStatus cusparseDenseToSparse_analysis(SparseHandle* handle, const DenseMatrix* dense, SparseMatrix* sparse, int,
                                            void* buffer) {
  return guarded<SparseStatus>("cusparseDenseToSparse_analysis", SparseStatus::internal_error,
                               [&] { return count_nonzeros(handle, dense, sparse, buffer); });
}
SparseStatus cusparseDenseToSparse_convert(SparseHandle* handle, const DenseMatrix* dense, SparseMatrix* sparse, int,
                                           void* buffer) {
  return guarded<SparseStatus>("cusparseDenseToSparse_convert", SparseStatus::internal_error,
                               [&] { return take_nonzeros(handle, dense, sparse, buffer); });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
