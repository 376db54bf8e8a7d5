// Conversions of indices, and sorting: cusparseXcoo2csr, cusparseXcoosort, cusparseXcsrsort.
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

}  // namespace

extern "C" {

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
