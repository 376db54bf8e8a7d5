// Conversions of indices, and sorting: cusparseXcoo2csr, cusparseXcoosort, cusparseXcsrsort, cusparseCsr2cscEx2.
#include <utility>

#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The arrays of a sort in the program's buffer.
struct SortWork {
  unsigned long long *keys, *merged_keys;
  int *places, *merged_places, *kept, *rows;
  std::size_t bytes;

  SortWork(void* buffer, int count) {
    SparseWork work(buffer);
    keys = work.take<unsigned long long>(count), merged_keys = work.take<unsigned long long>(count);
    places = work.take<int>(count), merged_places = work.take<int>(count);
    kept = work.take<int>(count), rows = work.take<int>(count);
    bytes = work.bytes();
  }
};

/// Sorts pairs of indices, the permutation with them; that may be null.
Error sort_pairs(const SparseHandle& handle, int count, int* first, int* second, int* permutation, SortWork work) {
  const LaunchShape shape = threads_over(count);
  Error error =
      launch("sort", "make_keys", shape, handle.stream, static_cast<const int*>(first), static_cast<const int*>(second),
             count, work.keys, work.places, static_cast<const int*>(permutation), work.kept);
  for (std::int64_t run = 1; run < count && error == Error::success; run *= 2) {
    error = launch("sort", "merge_runs", shape, handle.stream, static_cast<const unsigned long long*>(work.keys),
                   static_cast<const int*>(work.places), work.merged_keys, work.merged_places, count,
                   static_cast<int>(run));
    std::swap(work.keys, work.merged_keys);
    std::swap(work.places, work.merged_places);
  }
  if (error != Error::success) return error;
  return launch("sort", "take_sorted", shape, handle.stream, static_cast<const unsigned long long*>(work.keys),
                static_cast<const int*>(work.places), count, first, second, static_cast<const int*>(work.kept),
                permutation);
}

SparseStatus sort_bytes(const SparseHandle* handle, int count, std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (count < 0 || bytes == nullptr) return SparseStatus::invalid_value;
  *bytes = SortWork(nullptr, count).bytes;
  return SparseStatus::success;
}

/// Sorts coordinates; `buffer` has the size that sort_bytes() says.
SparseStatus sort_coordinates(const SparseHandle* handle, int count, int* first, int* second, int* permutation,
                              void* buffer) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (count < 0 || (count > 0 && (first == nullptr || second == nullptr || buffer == nullptr)))
    return SparseStatus::invalid_value;
  if (count == 0) return SparseStatus::success;
  return sparse_status(sort_pairs(*handle, count, first, second, permutation, SortWork(buffer, count)));
}

/// Sorts the indices of each row (or column) of a compressed matrix.
SparseStatus sort_compressed(const SparseHandle* handle, int rows, int count, const SparseMatDescr* descr,
                             const int* offsets, int* indices, int* permutation, void* buffer) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (count < 0 || rows < 0 || descr == nullptr) return SparseStatus::invalid_value;
  if (count == 0 || rows == 0) return SparseStatus::success;
  if (offsets == nullptr || indices == nullptr || buffer == nullptr) return SparseStatus::invalid_value;
  const SortWork work(buffer, count);
  const Error error =
      launch("convert", "expand_rows", warps_over(rows), handle->stream, offsets, rows, work.rows, descr->base);
  if (error != Error::success) return sparse_status(error);
  return sparse_status(sort_pairs(*handle, count, work.rows, indices, permutation, work));
}

/// What cusparseCsr2cscEx2 needs in the program's buffer.
struct TransposeWork {
  int *columns, *permutation;
  void* sort;
  std::size_t bytes;

  TransposeWork(void* buffer, int count) {
    SparseWork work(buffer);
    columns = work.take<int>(count), permutation = work.take<int>(count);
    sort = work.take<std::uint8_t>(static_cast<std::int64_t>(SortWork(nullptr, count).bytes));
    bytes = work.bytes();
  }
};

/// A compressed matrix and its transpose.
struct TransposedArrays {
  int rows, columns, count;
  const void* values;
  const int *offsets, *indices;
  void* transposed_values;
  int *transposed_offsets, *transposed_indices;
};

/// Sorts the entries by column and row. `bytes`: of a value; 0: without values.
SparseStatus transpose(const SparseHandle& handle, const TransposedArrays& of, int bytes, int base, void* buffer) {
  const TransposeWork work(buffer, of.count);
  const void* const stream = handle.stream;
  Error error = Error::success;
  if (of.count != 0) {
    const LaunchShape shape = threads_over(of.count);
    error =
        launch("convert", "expand_rows", warps_over(of.rows), stream, of.offsets, of.rows, of.transposed_indices, base);
    if (error == Error::success)
      error = launch("sort", "copy_indices", shape, stream, of.indices, work.columns, of.count);
    if (error == Error::success) error = launch("convert", "count_up", shape, stream, work.permutation, of.count);
    if (error == Error::success)
      error = sort_pairs(handle, of.count, work.columns, of.transposed_indices, work.permutation,
                         SortWork(work.sort, of.count));
    if (error == Error::success && bytes != 0)
      error = launch("sort", "permute_values", shape, stream, of.values, of.transposed_values,
                     static_cast<const int*>(work.permutation), of.count, bytes);
  }
  if (error == Error::success)
    error = launch("convert", "compress_rows", threads_over(std::int64_t{of.columns} + 1), stream,
                   static_cast<const int*>(work.columns), static_cast<long long>(of.count), of.columns,
                   of.transposed_offsets, base);
  return sparse_status(error);
}

}  // namespace

extern "C" {

SparseStatus cusparseCsr2cscEx2_bufferSize(SparseHandle* handle, int, int, int count, const void*, const int*,
                                           const int*, void*, int*, int*, SparseData, int, int, int,
                                           std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (count < 0 || bytes == nullptr) return SparseStatus::invalid_value;
  *bytes = TransposeWork(nullptr, count).bytes;
  return SparseStatus::success;
}
SparseStatus cusparseCsr2cscEx2(SparseHandle* handle, int rows, int columns, int count, const void* values,
                                const int* offsets, const int* indices, void* transposed_values,
                                int* transposed_offsets, int* transposed_indices, SparseData data, int with_values,
                                int base, int, void* buffer) {
  return guarded<SparseStatus>("cusparseCsr2cscEx2", SparseStatus::internal_error, [&] {
    if (handle == nullptr) return SparseStatus::not_initialized;
    if (rows < 0 || columns < 0 || count < 0 || (base != 0 && base != 1) || buffer == nullptr)
      return SparseStatus::invalid_value;
    if (!is_known(data)) return sparse_not_supported("cusparseCsr2cscEx2", "this data type");
    return transpose(
        *handle,
        {rows, columns, count, values, offsets, indices, transposed_values, transposed_offsets, transposed_indices},
        with_values == 1 ? static_cast<int>(bytes_of(data)) : 0, base, buffer);
  });
}

SparseStatus cusparseXcoo2csr(SparseHandle* handle, const int* rows, int entries, int count, int* offsets, int base) {
  return guarded<SparseStatus>("cusparseXcoo2csr", SparseStatus::internal_error, [&] {
    if (handle == nullptr) return SparseStatus::not_initialized;
    if (entries < 0 || count < 0 || offsets == nullptr || (base != 0 && base != 1)) return SparseStatus::invalid_value;
    return sparse_status(launch("convert", "compress_rows", threads_over(std::int64_t{count} + 1), handle->stream, rows,
                                static_cast<long long>(entries), count, offsets, base));
  });
}

SparseStatus cusparseXcsr2coo(SparseHandle* handle, const int* offsets, int entries, int count, int* rows, int base) {
  return guarded<SparseStatus>("cusparseXcsr2coo", SparseStatus::internal_error, [&] {
    if (handle == nullptr) return SparseStatus::not_initialized;
    if (entries < 0 || count < 0 || (base != 0 && base != 1)) return SparseStatus::invalid_value;
    if (entries == 0 || count == 0) return SparseStatus::success;
    return sparse_status(
        launch("convert", "expand_rows", warps_over(count), handle->stream, offsets, count, rows, base));
  });
}

SparseStatus cusparseCreateIdentityPermutation(SparseHandle* handle, int count, int* permutation) {
  return guarded<SparseStatus>("cusparseCreateIdentityPermutation", SparseStatus::internal_error, [&] {
    if (handle == nullptr) return SparseStatus::not_initialized;
    if (count < 0) return SparseStatus::invalid_value;
    if (count == 0) return SparseStatus::success;
    return sparse_status(launch("convert", "count_up", threads_over(count), handle->stream, permutation, count));
  });
}

SparseStatus cusparseXcoosort_bufferSizeExt(SparseHandle* handle, int, int, int entries, const int*, const int*,
                                            std::size_t* bytes) {
  return sort_bytes(handle, entries, bytes);
}
SparseStatus cusparseXcoosortByRow(SparseHandle* handle, int, int, int entries, int* rows, int* columns,
                                   int* permutation, void* buffer) {
  return guarded<SparseStatus>("cusparseXcoosortByRow", SparseStatus::internal_error,
                               [&] { return sort_coordinates(handle, entries, rows, columns, permutation, buffer); });
}
SparseStatus cusparseXcoosortByColumn(SparseHandle* handle, int, int, int entries, int* rows, int* columns,
                                      int* permutation, void* buffer) {
  return guarded<SparseStatus>("cusparseXcoosortByColumn", SparseStatus::internal_error,
                               [&] { return sort_coordinates(handle, entries, columns, rows, permutation, buffer); });
}

SparseStatus cusparseXcsrsort_bufferSizeExt(SparseHandle* handle, int, int, int entries, const int*, const int*,
                                            std::size_t* bytes) {
  return sort_bytes(handle, entries, bytes);
}
SparseStatus cusparseXcsrsort(SparseHandle* handle, int rows, int, int entries, const SparseMatDescr* descr,
                              const int* offsets, int* columns, int* permutation, void* buffer) {
  return guarded<SparseStatus>("cusparseXcsrsort", SparseStatus::internal_error, [&] {
    return sort_compressed(handle, rows, entries, descr, offsets, columns, permutation, buffer);
  });
}
SparseStatus cusparseXcscsort_bufferSizeExt(SparseHandle* handle, int, int, int entries, const int*, const int*,
                                            std::size_t* bytes) {
  return sort_bytes(handle, entries, bytes);
}
SparseStatus cusparseXcscsort(SparseHandle* handle, int, int columns, int entries, const SparseMatDescr* descr,
                              const int* offsets, int* rows, int* permutation, void* buffer) {
  return guarded<SparseStatus>("cusparseXcscsort", SparseStatus::internal_error, [&] {
    return sort_compressed(handle, columns, entries, descr, offsets, rows, permutation, buffer);
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
