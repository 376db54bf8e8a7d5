#pragma once

// The end of a matrix product: sums go through shared memory, so that threads with consecutive numbers store consecutive
// rows of D, with alpha, beta and the epilogue applied on the way.

#include "elements.cuh"

namespace stand_in::cublas {

/// The place of a tile in D.
struct TilePlace {
  int row, column, batch;
};

/// Elements from column to column of a tile of sums in shared memory.
template <class Sum, int rows>
constexpr int sum_pitch = rows + (sizeof(Sum) > 8 ? 1 : 16 / sizeof(Sum));

__device__ inline float gelu(float x) {
  const float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1 + tanhf(inner));
}
__device__ inline double gelu(double x) {
  return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
}
/// The derivative of gelu().
template <class Number>
__device__ Number gelu_gradient(Number x) {
  const Number slope = static_cast<Number>(0.79788456080286535588), cubic = static_cast<Number>(0.044715);
  const Number t = tanh(slope * (x + cubic * x * x * x));
  return Number(0.5) * (1 + t) + Number(0.5) * x * (1 - t * t) * slope * (1 + 3 * cubic * x * x);
}

/// The addresses of C and D of one matrix of the batch.
__device__ inline const void* c_of(const Product& p, int batch, int size) {
  return p.d_list != nullptr ? p.d_list[batch] : static_cast<const char*>(p.c) + p.c_batch * batch * size;
}
__device__ inline void* d_of(const Product& p, int batch, int size) {
  return p.d_list != nullptr ? p.d_list[batch] : static_cast<char*>(p.d) + p.d_batch * batch * size;
}
__device__ inline int size_of(int type) {
  switch (type) {
    case type_f16:
    case type_bf16: return 2;
    case type_s8:
    case type_e4m3:
    case type_e5m2: return 1;
    case type_f64:
    case type_c32: return 8;
    case type_c64: return 16;
    default: return 4;
  }
}

/// The epilogue of one value in row `i` and column `j`.
template <class Number>
__device__ Number with_epilogue(const Product& p, Number value, int i, int j, int batch) {
  if (p.epilogue & epilogue_bias) {
    const long long at = p.bias_batch * batch + i;
    value += sizeof(Number) == 8 ? static_cast<Number>(static_cast<const double*>(p.bias)[at])
                                 : static_cast<Number>(load_element(p.bias, p.bias_type, at));
  }
  const long long in_auxiliary = p.auxiliary_batch * batch + p.auxiliary_column * j + i;
  if ((p.epilogue & epilogue_gelu) && (p.epilogue & epilogue_auxiliary)) {
    if (sizeof(Number) == 8) static_cast<double*>(p.auxiliary)[in_auxiliary] = value;
    else store_element(p.auxiliary, p.auxiliary_type, in_auxiliary, static_cast<float>(value));
  }
  if (p.epilogue & epilogue_relu) value = value > 0 ? value : Number(0);
  if (p.epilogue & epilogue_gelu) value = gelu(value);
  // Bit i of the mask is in byte i / 8.
  if (p.epilogue & epilogue_relu_gradient)
    value = static_cast<const unsigned char*>(p.auxiliary)[in_auxiliary / 8] >> (in_auxiliary % 8) & 1 ? value : Number(0);
  if (p.epilogue & epilogue_gelu_gradient)
    value *= gelu_gradient(sizeof(Number) == 8
                               ? static_cast<Number>(static_cast<const double*>(p.auxiliary)[in_auxiliary])
                               : static_cast<Number>(load_element(p.auxiliary, p.auxiliary_type, in_auxiliary)));
  return value;
}

/// Stores the mask of ReLU: a bit per element that is positive, and so passes gradients on. Runs before store_tile.
template <int rows, int columns, int threads>
__device__ void store_relu_mask(const Product& p, const float* tile, float factor, TilePlace place) {
  const long long column_bytes = p.auxiliary_column / 8;
  unsigned char* mask = static_cast<unsigned char*>(p.auxiliary) + p.auxiliary_batch / 8 * place.batch;
  for (int byte = threadIdx.x; byte < rows / 8 * columns; byte += threads) {
    const int i = byte % (rows / 8) * 8, j = byte / (rows / 8);
    if (place.row + i >= p.m || place.column + j >= p.n) continue;
    unsigned bits = 0;
    for (int bit = 0; bit < 8 && place.row + i + bit < p.m; ++bit) {
      float value = factor * tile[j * sum_pitch<float, rows> + i + bit];
      if (p.epilogue & epilogue_bias)
        value += load_element(p.bias, p.bias_type, p.bias_batch * place.batch + place.row + i + bit);
      bits |= (value > 0) << bit;
    }
    mask[(place.column + j) * column_bytes + (place.row + i) / 8] = bits;
  }
}

/// Stores a tile of sums of single precision.
template <int rows, int columns, int threads>
__device__ void store_tile(const Product& p, const float* tile, TilePlace place) {
  const bool half_scale = p.scale_type == type_f16;
  float factor = p.alpha, beta = p.beta;
  if (p.alpha_at != nullptr && p.alpha_step == 0) factor = load_element(p.alpha_at, half_scale ? type_f16 : type_f32, 0);
  if (p.beta_at != nullptr) beta = load_element(p.beta_at, half_scale ? type_f16 : type_f32, 0);
  if (p.a_scale != nullptr && p.a_scale_step == 0) factor *= *p.a_scale;
  if (p.b_scale != nullptr && p.b_scale_step == 0) factor *= *p.b_scale;
  if (p.c_scale != nullptr) beta *= *p.c_scale;
  const float d_factor = p.d_scale != nullptr ? *p.d_scale : 1;
  const void* c = c_of(p, place.batch, size_of(p.c_type));
  void* d = d_of(p, place.batch, size_of(p.d_type));
  if ((p.epilogue & epilogue_relu) && (p.epilogue & epilogue_auxiliary))
    store_relu_mask<rows, columns, threads>(p, tile, factor, place);
  const bool scaled_by_place = p.alpha_step != 0 || p.a_scale_step != 0 || p.b_scale_step != 0;
  float largest = 0;

  // Each thread takes four rows at a time.
  for (int four = threadIdx.x; four < rows / 4 * columns; four += threads) {
    const int in_tile = four % (rows / 4) * 4, column_in_tile = four / (rows / 4);
    const int i = place.row + in_tile, j = place.column + column_in_tile;
    if (i >= p.m || j >= p.n) continue;
    const int count = min(4, p.m - i);
    const float4 sums = *reinterpret_cast<const float4*>(tile + column_in_tile * sum_pitch<float, rows> + in_tile);
    float values[4] = {factor * sums.x, factor * sums.y, factor * sums.z, factor * sums.w};
    if (scaled_by_place)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        if (e < count) {
          if (p.alpha_step != 0) values[e] *= static_cast<const float*>(p.alpha_at)[i + e];
          if (p.a_scale_step != 0) values[e] *= p.a_scale[i + e];
          if (p.b_scale_step != 0) values[e] *= p.b_scale[j];
        }
    if (beta != 0) {
      float before[4] = {};
      load_four(c, p.c_type, j * p.c_column + i, count, before);
#pragma unroll
      for (int e = 0; e < 4; ++e) values[e] += beta * before[e];
    }
    if (p.epilogue != 0)
#pragma unroll 1
      for (int e = 0; e < count; ++e) {
        const float value = e == 0 ? values[0] : e == 1 ? values[1] : e == 2 ? values[2] : values[3];
        const float after = with_epilogue(p, value, i + e, j, place.batch);
#pragma unroll
        for (int to = 0; to < 4; ++to)
          if (to == e) values[to] = after;
      }
    if (p.largest != nullptr)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        if (e < count) largest = fmaxf(largest, fabsf(values[e]));
    if (p.d_scale != nullptr)
#pragma unroll
      for (int e = 0; e < 4; ++e) values[e] *= d_factor;
    store_four(d, p.d_type, j * p.d_column + i, count, values);
  }
  // Floats that are not negative are ordered as their bits are.
  // red, not atom: nobody asks for the old value, so that blocks can run in any order.
  if (p.largest != nullptr)
    asm volatile("red.global.max.s32 [%0], %1;" ::"l"(p.largest), "r"(__float_as_int(largest)) : "memory");
}

}  // namespace stand_in::cublas
