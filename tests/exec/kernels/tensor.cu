// nvcc: -arch=sm_80
// nvcuda::wmma in every shape, with integer values, which tensor cores multiply exactly.
#include <mma.h>
using namespace nvcuda;

template <int M, int N, class Input, class Sum>
__device__ void multiply(const Input* a, const Input* b, Sum* d) {
  wmma::fragment<wmma::matrix_a, M, N, 16, Input, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, M, N, 16, Input, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, M, N, 16, Sum> sum;
  wmma::fill_fragment(sum, Sum(1));
  wmma::load_matrix_sync(x, a, 16);
  wmma::load_matrix_sync(y, b, 16);
  wmma::mma_sync(sum, x, y, sum);
  wmma::store_matrix_sync(d, sum, N, wmma::mem_row_major);
}

extern "C" __global__ void square_halves(const __half* a, const __half* b, float* d) { multiply<16, 16>(a, b, d); }
extern "C" __global__ void tall_halves(const __half* a, const __half* b, float* d) { multiply<32, 8>(a, b, d); }
extern "C" __global__ void wide_halves(const __half* a, const __half* b, float* d) { multiply<8, 32>(a, b, d); }
extern "C" __global__ void square_bytes(const signed char* a, const signed char* b, int* d) {
  multiply<16, 16>(a, b, d);
}
extern "C" __global__ void tall_bytes(const signed char* a, const signed char* b, int* d) { multiply<32, 8>(a, b, d); }
extern "C" __global__ void wide_bytes(const signed char* a, const signed char* b, int* d) { multiply<8, 32>(a, b, d); }

extern "C" __global__ void square_singles(const float* a, const float* b, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 1.0F);
  for (int k = 0; k < 16; k += 8) {
    wmma::load_matrix_sync(x, a + k, 16);
    wmma::load_matrix_sync(y, b + k, 16);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

extern "C" __global__ void square_doubles(const double* a, const double* b, double* d) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::fill_fragment(sum, 1.0);
  for (int k = 0; k < 16; k += 4) {
    wmma::load_matrix_sync(x, a + k, 16);
    wmma::load_matrix_sync(y, b + k, 16);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}
