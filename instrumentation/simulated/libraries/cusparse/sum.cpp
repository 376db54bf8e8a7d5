// Sums of sparse matrices: cusparse[SDCZ]csrgeam2.
#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {
namespace {

/// A matrix that the functions take as arrays.
struct CompressedArrays {
  const SparseMatDescr* descr;
  int entries;
  const void* values;
  const int *offsets, *columns;
};

Sparse rows_of_arrays(const CompressedArrays& of) {
  return rows_of(*of.descr, of.offsets, of.columns, of.values, of.entries);
}

SparseStatus check_sum(const SparseHandle* handle, int rows, int columns, const CompressedArrays& a,
                       const CompressedArrays& b, const SparseMatDescr* c) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (rows < 0 || columns < 0 || a.descr == nullptr || b.descr == nullptr || c == nullptr || a.entries < 0 ||
      b.entries < 0)
    return SparseStatus::invalid_value;
  if (a.descr->type != 0 || b.descr->type != 0 || c->type != 0) return SparseStatus::matrix_type_not_supported;
  return SparseStatus::success;
}

SparseStatus sum_bytes(const SparseHandle* handle, int rows, std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (rows < 0 || bytes == nullptr) return SparseStatus::invalid_value;
  SparseWork work(nullptr);
  work.take<long long>(rows);
  *bytes = work.bytes();
  return SparseStatus::success;
}

SparseStatus add_matrices(const char* function, const SparseHandle* handle, SparseData data, int rows, int columns,
                          const void* alpha, const CompressedArrays& a, const void* beta, const CompressedArrays& b,
                          const CompressedArrays& c) {
  return guarded<SparseStatus>(function, SparseStatus::internal_error, [&] {
    if (const auto wrong = check_sum(handle, rows, columns, a, b, c.descr); wrong != SparseStatus::success)
      return wrong;
    if (alpha == nullptr || beta == nullptr) return SparseStatus::invalid_value;
    if (rows == 0) return SparseStatus::success;
    return with_computed(data, [&](auto number) {
      using Value = decltype(number);
      return sparse_status(launch("sum", kernel_name("add_rows", {data}), threads_over(rows), handle->stream,
                                  rows_of_arrays(a), rows_of_arrays(b), rows_of_arrays(c), rows,
                                  scalar_of<Value>(*handle, alpha, data), scalar_of<Value>(*handle, beta, data)));
    });
  });
}

/// Counts the entries of the sum and writes the offsets of its rows. `entries` is where the pointer mode says.
SparseStatus count_sum(const SparseHandle& handle, int rows, const CompressedArrays& a, const CompressedArrays& b,
                       const SparseMatDescr& c, int* offsets, int* entries, void* buffer) {
  auto* const counts = SparseWork(buffer).take<long long>(rows);
  Error error = launch("sum", "count_union", threads_over(rows), handle.stream, rows_of_arrays(a), rows_of_arrays(b),
                       rows, counts);
  LaunchShape block;
  block.block[0] = 256;
  if (error == Error::success)
    error = launch("scan", "scan_counts", block, handle.stream, static_cast<const long long*>(counts),
                   static_cast<long long>(rows), static_cast<void*>(offsets), 0, c.base);
  if (error != Error::success || entries == nullptr) return sparse_status(error);
  if (handle.scalars_on_device)
    return sparse_status(launch("convert", "take_total", LaunchShape{}, handle.stream, static_cast<const int*>(offsets),
                                rows, c.base, entries));
  int end = 0;
  error = read_back(handle, &end, offsets + rows, sizeof end);
  *entries = end - c.base;
  return sparse_status(error);
}

}  // namespace

extern "C" {

SparseStatus cusparseXcsrgeam2Nnz(SparseHandle* handle, int rows, int columns, const SparseMatDescr* a_descr,
                                  int a_entries, const int* a_offsets, const int* a_columns,
                                  const SparseMatDescr* b_descr, int b_entries, const int* b_offsets,
                                  const int* b_columns, const SparseMatDescr* c_descr, int* c_offsets, int* entries,
                                  void* buffer) {
  return guarded<SparseStatus>("cusparseXcsrgeam2Nnz", SparseStatus::internal_error, [&] {
    const CompressedArrays a{a_descr, a_entries, nullptr, a_offsets, a_columns},
        b{b_descr, b_entries, nullptr, b_offsets, b_columns};
    if (const auto wrong = check_sum(handle, rows, columns, a, b, c_descr); wrong != SparseStatus::success)
      return wrong;
    if (c_offsets == nullptr || buffer == nullptr) return SparseStatus::invalid_value;
    return count_sum(*handle, rows, a, b, *c_descr, c_offsets, entries, buffer);
  });
}

SparseStatus cusparseScsrgeam2_bufferSizeExt(SparseHandle* handle, int rows, int, const void*, const SparseMatDescr*,
                                             int, const void*, const int*, const int*, const void*,
                                             const SparseMatDescr*, int, const void*, const int*, const int*,
                                             const SparseMatDescr*, const void*, const int*, const int*,
                                             std::size_t* bytes) {
  return sum_bytes(handle, rows, bytes);
}
SparseStatus cusparseScsrgeam2(SparseHandle* handle, int rows, int columns, const void* alpha,
                               const SparseMatDescr* a_descr, int a_entries, const void* a_values, const int* a_offsets,
                               const int* a_columns, const void* beta, const SparseMatDescr* b_descr, int b_entries,
                               const void* b_values, const int* b_offsets, const int* b_columns,
                               const SparseMatDescr* c_descr, void* c_values, int* c_offsets, int* c_columns, void*) {
  return add_matrices("cusparseScsrgeam2", handle, SparseData::r32, rows, columns, alpha,
                      {a_descr, a_entries, a_values, a_offsets, a_columns}, beta,
                      {b_descr, b_entries, b_values, b_offsets, b_columns},
                      {c_descr, 0, c_values, c_offsets, c_columns});
}
SparseStatus cusparseDcsrgeam2_bufferSizeExt(SparseHandle* handle, int rows, int, const void*, const SparseMatDescr*,
                                             int, const void*, const int*, const int*, const void*,
                                             const SparseMatDescr*, int, const void*, const int*, const int*,
                                             const SparseMatDescr*, const void*, const int*, const int*,
                                             std::size_t* bytes) {
  return sum_bytes(handle, rows, bytes);
}
SparseStatus cusparseDcsrgeam2(SparseHandle* handle, int rows, int columns, const void* alpha,
                               const SparseMatDescr* a_descr, int a_entries, const void* a_values, const int* a_offsets,
                               const int* a_columns, const void* beta, const SparseMatDescr* b_descr, int b_entries,
                               const void* b_values, const int* b_offsets, const int* b_columns,
                               const SparseMatDescr* c_descr, void* c_values, int* c_offsets, int* c_columns, void*) {
  return add_matrices("cusparseDcsrgeam2", handle, SparseData::r64, rows, columns, alpha,
                      {a_descr, a_entries, a_values, a_offsets, a_columns}, beta,
                      {b_descr, b_entries, b_values, b_offsets, b_columns},
                      {c_descr, 0, c_values, c_offsets, c_columns});
}
SparseStatus cusparseCcsrgeam2_bufferSizeExt(SparseHandle* handle, int rows, int, const void*, const SparseMatDescr*,
                                             int, const void*, const int*, const int*, const void*,
                                             const SparseMatDescr*, int, const void*, const int*, const int*,
                                             const SparseMatDescr*, const void*, const int*, const int*,
                                             std::size_t* bytes) {
  return sum_bytes(handle, rows, bytes);
}
SparseStatus cusparseCcsrgeam2(SparseHandle* handle, int rows, int columns, const void* alpha,
                               const SparseMatDescr* a_descr, int a_entries, const void* a_values, const int* a_offsets,
                               const int* a_columns, const void* beta, const SparseMatDescr* b_descr, int b_entries,
                               const void* b_values, const int* b_offsets, const int* b_columns,
                               const SparseMatDescr* c_descr, void* c_values, int* c_offsets, int* c_columns, void*) {
  return add_matrices("cusparseCcsrgeam2", handle, SparseData::c32, rows, columns, alpha,
                      {a_descr, a_entries, a_values, a_offsets, a_columns}, beta,
                      {b_descr, b_entries, b_values, b_offsets, b_columns},
                      {c_descr, 0, c_values, c_offsets, c_columns});
}
SparseStatus cusparseZcsrgeam2_bufferSizeExt(SparseHandle* handle, int rows, int, const void*, const SparseMatDescr*,
                                             int, const void*, const int*, const int*, const void*,
                                             const SparseMatDescr*, int, const void*, const int*, const int*,
                                             const SparseMatDescr*, const void*, const int*, const int*,
                                             std::size_t* bytes) {
  return sum_bytes(handle, rows, bytes);
}
SparseStatus cusparseZcsrgeam2(SparseHandle* handle, int rows, int columns, const void* alpha,
                               const SparseMatDescr* a_descr, int a_entries, const void* a_values, const int* a_offsets,
                               const int* a_columns, const void* beta, const SparseMatDescr* b_descr, int b_entries,
                               const void* b_values, const int* b_offsets, const int* b_columns,
                               const SparseMatDescr* c_descr, void* c_values, int* c_offsets, int* c_columns, void*) {
  return add_matrices("cusparseZcsrgeam2", handle, SparseData::c64, rows, columns, alpha,
                      {a_descr, a_entries, a_values, a_offsets, a_columns}, beta,
                      {b_descr, b_entries, b_values, b_offsets, b_columns},
                      {c_descr, 0, c_values, c_offsets, c_columns});
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
