#pragma once

// store_tile for sums of double precision, complex sums and integers, one element at a time.

#include "complex.cuh"
#include "store_tile.cuh"

namespace stand_in::cublas {

template <int rows, int columns, int threads>
__device__ void store_tile(const Product& p, const double* tile, TilePlace place) {
  const double factor = p.alpha_at != nullptr ? *static_cast<const double*>(p.alpha_at) : p.alpha;
  const double beta = p.beta_at != nullptr ? *static_cast<const double*>(p.beta_at) : p.beta;
  const double* c = static_cast<const double*>(c_of(p, place.batch, sizeof(double)));
  double* d = static_cast<double*>(d_of(p, place.batch, sizeof(double)));
  for (int element = threadIdx.x; element < rows * columns; element += threads) {
    const int i = place.row + element % rows, j = place.column + element / rows;
    if (i >= p.m || j >= p.n) continue;
    double value = factor * tile[element / rows * sum_pitch<double, rows> + element % rows];
    if (beta != 0) value += beta * c[j * p.c_column + i];
    if (p.epilogue != 0) value = with_epilogue(p, value, i, j, place.batch);
    d[j * p.d_column + i] = value;
  }
}

template <class Complex, int rows, int columns, int threads>
__device__ void store_complex_tile(const Product& p, const Complex* tile, TilePlace place) {
  Complex factor, beta;
  factor.x = p.alpha, factor.y = p.alpha_imaginary, beta.x = p.beta, beta.y = p.beta_imaginary;
  if (p.alpha_at != nullptr) factor = *static_cast<const Complex*>(p.alpha_at);
  if (p.beta_at != nullptr) beta = *static_cast<const Complex*>(p.beta_at);
  const Complex* c = static_cast<const Complex*>(c_of(p, place.batch, sizeof(Complex)));
  Complex* d = static_cast<Complex*>(d_of(p, place.batch, sizeof(Complex)));
  for (int element = threadIdx.x; element < rows * columns; element += threads) {
    const int i = place.row + element % rows, j = place.column + element / rows;
    if (i >= p.m || j >= p.n) continue;
    Complex value{};
    multiply_add(value, factor, tile[element / rows * sum_pitch<Complex, rows> + element % rows]);
    if (beta.x != 0 || beta.y != 0) multiply_add(value, beta, c[j * p.c_column + i]);
    d[j * p.d_column + i] = value;
  }
}
template <int rows, int columns, int threads>
__device__ void store_tile(const Product& p, const float2* tile, TilePlace place) {
  store_complex_tile<float2, rows, columns, threads>(p, tile, place);
}
template <int rows, int columns, int threads>
__device__ void store_tile(const Product& p, const double2* tile, TilePlace place) {
  store_complex_tile<double2, rows, columns, threads>(p, tile, place);
}

/// Integers are scaled as such if alpha and beta are integers, else as floats.
template <int rows, int columns, int threads>
__device__ void store_tile(const Product& p, const int* tile, TilePlace place) {
  const bool as_integer = p.scale_type == type_s32;
  const int whole_factor = p.alpha_at != nullptr && as_integer ? *static_cast<const int*>(p.alpha_at) : int(p.alpha);
  const int whole_beta = p.beta_at != nullptr && as_integer ? *static_cast<const int*>(p.beta_at) : int(p.beta);
  float factor = p.alpha, beta = p.beta;
  if (p.alpha_at != nullptr && p.alpha_step == 0 && !as_integer) factor = *static_cast<const float*>(p.alpha_at);
  if (p.beta_at != nullptr && !as_integer) beta = *static_cast<const float*>(p.beta_at);
  const void* c = c_of(p, place.batch, size_of(p.c_type));
  void* d = d_of(p, place.batch, size_of(p.d_type));
  for (int element = threadIdx.x; element < rows * columns; element += threads) {
    const int i = place.row + element % rows, j = place.column + element / rows;
    if (i >= p.m || j >= p.n) continue;
    const int sum = tile[element / rows * sum_pitch<int, rows> + element % rows];
    const long long to = j * p.d_column + i;
    if (as_integer) {
      int value = whole_factor * sum;
      if (whole_beta != 0) value += whole_beta * static_cast<const int*>(c)[j * p.c_column + i];
      static_cast<int*>(d)[to] = value;
    } else {
      const float factor_here = p.alpha_step != 0 ? static_cast<const float*>(p.alpha_at)[i] : factor;
      float value = factor_here * static_cast<float>(sum);
      if (beta != 0) value += beta * load_element(c, p.c_type, j * p.c_column + i);
      if (p.epilogue != 0) value = with_epilogue(p, value, i, j, place.batch);
      store_element(d, p.d_type, to, value);
    }
  }
}

}  // namespace stand_in::cublas
