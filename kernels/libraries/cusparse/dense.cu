// Conversions between sparse and dense matrices.

#include "rows.cuh"

namespace stand_in::cusparse {

/// Writes the entries of a sparse matrix into a dense one, which is 0 elsewhere. A warp per row.
template <class Value>
__global__ void write_entries(Sparse a, Dense b, long long rows) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  if (row >= rows) return;
  const Range blocks = entries_of(a, row / a.block, 0);
#pragma unroll 1
  for (long long k = threadIdx.x % warpSize; k < (blocks.end - blocks.begin) * a.block; k += warpSize) {
    const Element<Value> element = element_of<Value>(a, blocks, row, k, 0);
    element_at<Value>(b, row, element.column, 0) = narrowed<Value>(element.value);
  }
}

/// The number of elements of each row that are not 0. A warp per row.
template <class Value>
__global__ void count_entries(Dense a, long long rows, long long columns, long long* counts) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  long long count = 0;
#pragma unroll 1
  for (long long first = 0; first < columns; first += warpSize) {
    const bool is_entry = first + lane < columns && !is_zero(widened(element_at<const Value>(a, row, first + lane, 0)));
    count += __popc(__ballot_sync(all_lanes, is_entry));
  }
  if (lane == 0) counts[row] = count;
}

/// Takes the elements that are not 0, with their columns, in the order of columns. A warp per row. The entries of a row
/// begin at its offset; those of COO get the number of their row.
template <class Value>
__global__ void take_entries(Dense a, Sparse b, const long long* offsets, long long rows, long long columns) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  long long target = offsets[row];
  if (!b.coordinates && lane == 0) {
    put_index(const_cast<void*>(b.rows), row, b.wide_rows, target + b.base);
    if (row == rows - 1) put_index(const_cast<void*>(b.rows), rows, b.wide_rows, offsets[rows] + b.base);
  }
#pragma unroll 1
  for (long long first = 0; first < columns; first += warpSize) {
    const long long column = first + lane;
    const Value value = column < columns ? element_at<const Value>(a, row, column, 0) : Value{};
    const bool is_entry = column < columns && !is_zero(widened(value));
    const unsigned entries = __ballot_sync(all_lanes, is_entry);
    if (is_entry) {
      const long long place = target + __popc(entries & ((1U << lane) - 1));
      put_index(const_cast<void*>(b.columns), place, b.wide_columns, column + b.base);
      if (b.coordinates) put_index(const_cast<void*>(b.rows), place, b.wide_rows, row + b.base);
      static_cast<Value*>(b.values)[place] = value;
    }
    target += __popc(entries);
  }
}

template __global__ void write_entries<float>(Sparse, Dense, long long);
template __global__ void write_entries<double>(Sparse, Dense, long long);
template __global__ void write_entries<Complex<float>>(Sparse, Dense, long long);
template __global__ void write_entries<Complex<double>>(Sparse, Dense, long long);
template __global__ void write_entries<__half>(Sparse, Dense, long long);
template __global__ void write_entries<__nv_bfloat16>(Sparse, Dense, long long);
template __global__ void count_entries<float>(Dense, long long, long long, long long*);
template __global__ void count_entries<double>(Dense, long long, long long, long long*);
template __global__ void count_entries<Complex<float>>(Dense, long long, long long, long long*);
template __global__ void count_entries<Complex<double>>(Dense, long long, long long, long long*);
template __global__ void count_entries<__half>(Dense, long long, long long, long long*);
template __global__ void count_entries<__nv_bfloat16>(Dense, long long, long long, long long*);
template __global__ void take_entries<float>(Dense, Sparse, const long long*, long long, long long);
template __global__ void take_entries<double>(Dense, Sparse, const long long*, long long, long long);
template __global__ void take_entries<Complex<float>>(Dense, Sparse, const long long*, long long, long long);
template __global__ void take_entries<Complex<double>>(Dense, Sparse, const long long*, long long, long long);
template __global__ void take_entries<__half>(Dense, Sparse, const long long*, long long, long long);
template __global__ void take_entries<__nv_bfloat16>(Dense, Sparse, const long long*, long long, long long);

}  // namespace stand_in::cusparse
