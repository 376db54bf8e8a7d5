#pragma once

// The rows of a sparse matrix, and elements of dense ones.

#include "numbers.cuh"

namespace stand_in::cusparse {

__device__ inline long long index_at(const void* indices, long long i, int wide) {
  return wide ? static_cast<const long long*>(indices)[i] : static_cast<const int*>(indices)[i];
}

__device__ inline void put_index(void* indices, long long i, int wide, long long value) {
  if (wide) {
    static_cast<long long*>(indices)[i] = value;
  } else {
    static_cast<int*>(indices)[i] = static_cast<int>(value);
  }
}

/// The first of `count` ascending numbers from `first` on that is not less than `value`.
__device__ inline long long lower_bound(const void* indices, int wide, long long first, long long count,
                                        long long value) {
#pragma unroll 1
  while (count > 0) {
    const long long half = count / 2;
    if (index_at(indices, first + half, wide) < value) {
      first += half + 1, count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

/// The entries (or blocks) of a row (or row of blocks): numbers from `begin` to `end`, without the steps of batches.
struct Range {
  long long begin, end;
};

__device__ inline Range entries_of(const Sparse& a, long long row, unsigned batch) {
  const long long first = batch * a.rows_step;
  if (!a.coordinates)
    return {index_at(a.rows, first + row, a.wide_rows) - a.base,
            index_at(a.rows, first + row + 1, a.wide_rows) - a.base};
  const long long begin = lower_bound(a.rows, a.wide_rows, first, a.entries, row + a.base) - first;
  const long long end = lower_bound(a.rows, a.wide_rows, first + begin, a.entries - begin, row + a.base + 1) - first;
  return {begin, end};
}

/// An element of a row of a matrix, which may be made of blocks: `i` counts the row's elements.
template <class Value>
struct Element {
  long long column;
  Wide<Value> value;
};

template <class Value>
__device__ Element<Value> element_of(const Sparse& a, Range row_of_blocks, long long row, long long i, unsigned batch) {
  const long long entry = row_of_blocks.begin + i / a.block, across = i % a.block, down = row % a.block;
  const long long column = index_at(a.columns, batch * a.columns_step + entry, a.wide_columns) - a.base;
  const long long within = a.columns_first ? across * a.block + down : down * a.block + across;
  const Value value = static_cast<const Value*>(a.values)[batch * a.values_step + entry * a.block * a.block + within];
  return {column * a.block + across, widened(value)};
}

template <class Value>
__device__ Value& element_at(const Dense& dense, long long row, long long column, unsigned batch) {
  return static_cast<Value*>(dense.at)[batch * dense.batch + row * dense.row + column * dense.column];
}

/// c = alpha * product + beta * c. With beta = 0, c is not read.
template <class Value>
__device__ void update(Value& c, Wide<Value> product, Wide<Value> alpha, Wide<Value> beta) {
  Wide<Value> value = alpha * product;
  if (!is_zero(beta)) value = value + beta * widened(c);
  c = narrowed<Value>(value);
}

}  // namespace stand_in::cusparse
