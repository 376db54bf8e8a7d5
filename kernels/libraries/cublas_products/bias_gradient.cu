// The gradient of a bias: sums over the rows of a matrix.
#include "elements.cuh"

namespace stand_in::cublas {

template <class Number>
__device__ Number load_number(const void* at, int type, long long index) {
  return sizeof(Number) == 8 ? static_cast<Number>(static_cast<const double*>(at)[index])
                             : static_cast<Number>(load_element(at, type, index));
}

/// sums[row] = the sum of `length` elements that are `step` apart. A warp takes a row.
template <class Number>
__global__ void sum_rows(const void* at, int type, int rows, int length, long long row_step, long long step, void* sums,
                         int sum_type) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  Number sum = 0;
  for (int i = lane; i < length; i += 32) sum += load_number<Number>(at, type, row * row_step + i * step);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (lane != 0) return;
  if (sizeof(Number) == 8) static_cast<double*>(sums)[row] = sum;
  else store_element(sums, sum_type, row, static_cast<float>(sum));
}

template __global__ void sum_rows<float>(const void*, int, int, int, long long, long long, void*, int);
template __global__ void sum_rows<double>(const void*, int, int, int, long long, long long, void*, int);

}  // namespace stand_in::cublas
