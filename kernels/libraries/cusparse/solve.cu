// Systems of equations with a sparse triangular matrix: op(a) * x = alpha * b.

#include "rows.cuh"

namespace stand_in::cusparse {

/// A warp per right-hand side, row after row. The matrix as it is: the warp's lanes share the products of a row with
/// the unknowns that are known. Transposed: once an unknown is known, they subtract its products from the equations
/// that have it. `zero_pivot`, if it is not null, gets the first row (of blocks) whose diagonal has a 0.
template <class Value>
__global__ void solve_triangular(Sparse a, Dense b, Dense x, long long rows, long long columns, Scalar<Value> alpha,
                                 Triangle triangle, int conjugate_b, int* zero_pivot) {
  const long long column = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize, batch = blockIdx.y;
  if (column >= columns) return;
  if (triangle.transposed)
    for (long long row = lane; row < rows; row += warpSize)
      element_at<Value>(x, row, column, batch) =
          value_of(alpha) * conjugated(element_at<const Value>(b, row, column, batch), conjugate_b);
  __syncwarp();

  const bool from_last = (triangle.upper != 0) != (triangle.transposed != 0);
  for (long long step = 0; step < rows; ++step) {
    const long long row = from_last ? rows - 1 - step : step;
    const Range blocks = entries_of(a, row / a.block, batch);
    const long long elements = (blocks.end - blocks.begin) * a.block;
    Value sum{}, diagonal{};
#pragma unroll 1
    for (long long k = lane; k < elements; k += warpSize) {
      const Element<Value> element = element_of<Value>(a, blocks, row, k, batch);
      const Value value = conjugated(element.value, triangle.conjugate);
      if (element.column == row) {
        diagonal = value;
      } else if (!triangle.transposed && (element.column > row) == (triangle.upper != 0)) {
        sum = sum + value * element_at<Value>(x, element.column, column, batch);
      }
    }
    diagonal = sum_of_warp(diagonal);
    if (!triangle.unit && zero_pivot != nullptr && lane == 0 && is_zero(diagonal))
      atomicMin(zero_pivot, static_cast<int>(row / a.block) + a.base);

    Value& unknown = element_at<Value>(x, row, column, batch);
    Value solution;
    if (triangle.transposed) {
      solution = unknown;
    } else {
      solution =
          value_of(alpha) * conjugated(element_at<const Value>(b, row, column, batch), conjugate_b) - sum_of_warp(sum);
    }
    if (!triangle.unit) solution = solution / diagonal;
    __syncwarp();
    if (lane == 0) unknown = solution;
    if (triangle.transposed)
#pragma unroll 1
      for (long long k = lane; k < elements; k += warpSize) {
        const Element<Value> element = element_of<Value>(a, blocks, row, k, batch);
        if (element.column == row || (element.column > row) != (triangle.upper != 0)) continue;
        Value& other = element_at<Value>(x, element.column, column, batch);
        other = other - conjugated(element.value, triangle.conjugate) * solution;
      }
    __syncwarp();
  }
}

template __global__ void solve_triangular<float>(Sparse, Dense, Dense, long long, long long, Scalar<float>, Triangle,
                                                 int, int*);
template __global__ void solve_triangular<double>(Sparse, Dense, Dense, long long, long long, Scalar<double>, Triangle,
                                                  int, int*);
template __global__ void solve_triangular<Complex<float>>(Sparse, Dense, Dense, long long, long long,
                                                          Scalar<Complex<float>>, Triangle, int, int*);
template __global__ void solve_triangular<Complex<double>>(Sparse, Dense, Dense, long long, long long,
                                                           Scalar<Complex<double>>, Triangle, int, int*);

}  // namespace stand_in::cusparse
