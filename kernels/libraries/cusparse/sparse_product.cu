// The product of two sparse matrices: all products of a row are written down, sorted by column, and those of a column
// are summed up. The sums are added in the order of the entries of a, so results do not vary.

#include "rows.cuh"

namespace stand_in::cusparse {

/// The number of products of each row: the entries of those rows of b that the row's entries select. A thread per row.
__global__ void count_products(Sparse a, Sparse b, long long rows, long long* counts) {
  const long long row = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const Range entries = entries_of(a, row, 0);
  long long count = 0;
#pragma unroll 1
  for (long long entry = entries.begin; entry < entries.end; ++entry) {
    const Range selected = entries_of(b, index_at(a.columns, entry, a.wide_columns) - a.base, 0);
    count += selected.end - selected.begin;
  }
  counts[row] = count;
}

/// Writes the products of a row from starts[row] on, a warp per row. The key of a product has its column in the upper
/// half and its number within the row in the lower one.
template <class Value>
__global__ void write_products(Sparse a, Sparse b, long long rows, const long long* starts, unsigned long long* keys,
                               Wide<Value>* products) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  const Range entries = entries_of(a, row, 0);
  long long number = 0;
#pragma unroll 1
  for (long long entry = entries.begin; entry < entries.end; ++entry) {
    const Range selected = entries_of(b, index_at(a.columns, entry, a.wide_columns) - a.base, 0);
    const Wide<Value> factor = widened(static_cast<const Value*>(a.values)[entry]);
    const long long count = selected.end - selected.begin;
#pragma unroll 1
    for (long long i = lane; i < count; i += warpSize) {
      const long long column = index_at(b.columns, selected.begin + i, b.wide_columns) - b.base;
      keys[starts[row] + number + i] =
          static_cast<unsigned long long>(column) << 32 | static_cast<unsigned>(number + i);
      products[starts[row] + number + i] = factor * widened(static_cast<const Value*>(b.values)[selected.begin + i]);
    }
    number += count;
  }
}

/// Sorts the keys of each row, a warp per row, by a bitonic network for any number of keys: a pair's smaller key always
/// goes to the lower place, so missing keys at the end count as larger than all.
__global__ void sort_products(long long rows, const long long* starts, unsigned long long* keys) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  unsigned long long* const of_row = keys + starts[row];
  const long long count = starts[row + 1] - starts[row];
  const auto order_pairs = [&](long long mask, long long distance) {
#pragma unroll 1
    for (long long i = lane; i < count; i += warpSize) {
      const long long other = i ^ mask;
      if ((i & distance) != 0 || other >= count) continue;
      const unsigned long long lower = of_row[i], upper = of_row[other];
      if (lower > upper) of_row[i] = upper, of_row[other] = lower;
    }
    __syncwarp();
  };
#pragma unroll 1
  for (long long size = 2; size / 2 < count; size *= 2) {
    order_pairs(size - 1, size / 2);  // merges two sorted halves: the second one from its end
#pragma unroll 1
    for (long long distance = size / 4; distance > 0; distance /= 2) order_pairs(distance, distance);
  }
}

/// Adds up the products of each column of a row, a warp per row: the first lane of a column does so. `columns` and
/// `sums` get the row's results from starts[row] on, `counts` their number.
template <class Number>
__global__ void sum_products(long long rows, const long long* starts, const unsigned long long* keys,
                             const Number* products, int* columns, Number* sums, long long* counts) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  const long long start = starts[row], count = starts[row + 1] - start;
  const auto column_at = [&](long long i) { return static_cast<unsigned>(keys[start + i] >> 32); };
  long long found = 0;
#pragma unroll 1
  for (long long first = 0; first < count; first += warpSize) {
    const long long i = first + lane;
    const bool is_first = i < count && (i == 0 || column_at(i) != column_at(i - 1));
    const unsigned firsts = __ballot_sync(all_lanes, is_first);
    if (is_first) {
      const unsigned column = column_at(i);
      Number sum = products[start + static_cast<unsigned>(keys[start + i])];
#pragma unroll 1
      for (long long next = i + 1; next < count && column_at(next) == column; ++next)
        sum = sum + products[start + static_cast<unsigned>(keys[start + next])];
      const long long target = start + found + __popc(firsts & ((1U << lane) - 1));
      columns[target] = static_cast<int>(column);
      sums[target] = sum;
    }
    found += __popc(firsts);
  }
  if (lane == 0) counts[row] = found;
}

/// c = alpha * sums + beta * c for the entries of c, whose offsets are `offsets`. A warp per row; it also writes the
/// offsets and columns of c.
template <class Value>
__global__ void take_products(Sparse c, long long rows, const long long* starts, const long long* offsets,
                              const int* columns, const Wide<Value>* sums, Scalar<Wide<Value>> alpha,
                              Scalar<Wide<Value>> beta) {
  const long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  const long long first = offsets[row], end = offsets[row + 1];
  if (lane == 0) {
    put_index(const_cast<void*>(c.rows), row, c.wide_rows, first + c.base);
    if (row == rows - 1) put_index(const_cast<void*>(c.rows), rows, c.wide_rows, end + c.base);
  }
#pragma unroll 1
  for (long long entry = first + lane; entry < end; entry += warpSize) {
    const long long source = starts[row] + entry - first;
    put_index(const_cast<void*>(c.columns), entry, c.wide_columns, columns[source] + c.base);
    update(static_cast<Value*>(c.values)[entry], sums[source], value_of(alpha), value_of(beta));
  }
}

template __global__ void write_products<float>(Sparse, Sparse, long long, const long long*, unsigned long long*,
                                               float*);
template __global__ void write_products<double>(Sparse, Sparse, long long, const long long*, unsigned long long*,
                                                double*);
template __global__ void write_products<Complex<float>>(Sparse, Sparse, long long, const long long*,
                                                        unsigned long long*, Complex<float>*);
template __global__ void write_products<Complex<double>>(Sparse, Sparse, long long, const long long*,
                                                         unsigned long long*, Complex<double>*);
template __global__ void write_products<__half>(Sparse, Sparse, long long, const long long*, unsigned long long*,
                                                float*);
template __global__ void write_products<__nv_bfloat16>(Sparse, Sparse, long long, const long long*, unsigned long long*,
                                                       float*);
template __global__ void sum_products<float>(long long, const long long*, const unsigned long long*, const float*, int*,
                                             float*, long long*);
template __global__ void sum_products<double>(long long, const long long*, const unsigned long long*, const double*,
                                              int*, double*, long long*);
template __global__ void sum_products<Complex<float>>(long long, const long long*, const unsigned long long*,
                                                      const Complex<float>*, int*, Complex<float>*, long long*);
template __global__ void sum_products<Complex<double>>(long long, const long long*, const unsigned long long*,
                                                       const Complex<double>*, int*, Complex<double>*, long long*);
template __global__ void take_products<float>(Sparse, long long, const long long*, const long long*, const int*,
                                              const float*, Scalar<float>, Scalar<float>);
template __global__ void take_products<double>(Sparse, long long, const long long*, const long long*, const int*,
                                               const double*, Scalar<double>, Scalar<double>);
template __global__ void take_products<Complex<float>>(Sparse, long long, const long long*, const long long*,
                                                       const int*, const Complex<float>*, Scalar<Complex<float>>,
                                                       Scalar<Complex<float>>);
template __global__ void take_products<Complex<double>>(Sparse, long long, const long long*, const long long*,
                                                        const int*, const Complex<double>*, Scalar<Complex<double>>,
                                                        Scalar<Complex<double>>);
template __global__ void take_products<__half>(Sparse, long long, const long long*, const long long*, const int*,
                                               const float*, Scalar<float>, Scalar<float>);
template __global__ void take_products<__nv_bfloat16>(Sparse, long long, const long long*, const long long*, const int*,
                                                      const float*, Scalar<float>, Scalar<float>);

}  // namespace stand_in::cusparse
