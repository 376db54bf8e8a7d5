#include "instrumentation/simulated/libraries/cublas_products/product_launch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include <fmt/format.h>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas_products/half_floats.h"

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

/// A kernel of a family: its tile, and the warp instructions of a block for 64 bytes of k, counted in its loop.
struct ProductTile {
  int extent, threads;
  double cost;
};

/// The kernels for a type of A and B.
struct ProductFamily {
  const char* file;
  const char* kernel;  ///< without the tile
  int element_bytes, sum_bytes;
  std::span<const ProductTile> tiles;
};

constexpr std::array tensor_tiles = {ProductTile{128, 256, 600}, ProductTile{64, 128, 200}, ProductTile{32, 128, 112}};
constexpr std::array double_tiles = {ProductTile{64, 128, 240}, ProductTile{32, 128, 112}};
constexpr std::array float_tiles = {ProductTile{128, 256, 9000}, ProductTile{64, 256, 2500}};
constexpr std::array complex_tiles = {ProductTile{64, 256, 5000}};

ProductFamily family_of(const ProductLaunch& launch) {
  switch (launch.product.a_type) {
    case type_f16: return {"gemm_f16", "gemm_f16", 2, 4, tensor_tiles};
    case type_bf16: return {"gemm_bf16", "gemm_bf16", 2, 4, tensor_tiles};
    case type_s8: return {"gemm_s8", "gemm_s8", 1, 4, tensor_tiles};
    case type_e4m3:
    case type_e5m2: return {"gemm_f8", "gemm_f8", 1, 4, tensor_tiles};
    case type_f64: return {"gemm_f64", "gemm_f64", 8, 8, double_tiles};
    case type_c32: return {"gemm_complex", "gemm_c32", 8, 8, complex_tiles};
    case type_c64: return {"gemm_complex", "gemm_c64", 16, 16, complex_tiles};
    default:
      if (launch.tf32) return {"gemm_tf32", "gemm_tf32", 4, 4, tensor_tiles};
      return {"gemm_f32", "gemm_f32", 4, 4, float_tiles};
  }
}

std::int64_t tiles_along(std::int64_t length, int extent) { return (length + extent - 1) / extent; }

/// Shared memory of a block: the tiles of A and B (operand.cuh), and later the tile of sums (store_tile.cuh).
std::size_t product_shared_bytes(const ProductFamily& family, int extent) {
  const int size = family.element_bytes;
  const int by_rows = extent * (64 + (size == 8 ? 32 : 16)), by_depth = 64 / size * (extent * size + 16);
  const int pitch = extent + (family.sum_bytes > 8 ? 1 : 16 / family.sum_bytes);
  return static_cast<std::size_t>(std::max(2 * std::max(by_rows, by_depth), extent * pitch * family.sum_bytes));
}

/// The product without the first matrices of the batch and the first columns of D.
Product part_of_product(const Product& all, std::int64_t batch, std::int64_t column) {
  Product p = all;
  const auto moved = [](const void* at, std::int64_t elements, int type) -> const void* {
    return at == nullptr ? nullptr : static_cast<const char*>(at) + elements * element_bytes(type);
  };
  p.b = moved(p.b, column * p.b_column, p.b_type);
  p.c = moved(p.c, column * p.c_column, p.c_type);
  p.d = const_cast<void*>(moved(p.d, column * p.d_column, p.d_type));
  if (p.b_scale != nullptr) p.b_scale += column * p.b_scale_step;
  if (all.a_list != nullptr) {
    p.a_list += batch, p.b_list += batch, p.d_list += batch;
    return p;
  }
  p.a = moved(p.a, batch * p.a_batch, p.a_type);
  p.b = moved(p.b, batch * p.b_batch, p.b_type);
  p.c = moved(p.c, batch * p.c_batch, p.c_type);
  p.d = const_cast<void*>(moved(p.d, batch * p.d_batch, p.d_type));
  p.bias = moved(p.bias, batch * p.bias_batch, p.bias_type);
  const bool is_mask = (p.epilogue & (epilogue_relu | epilogue_relu_gradient)) != 0;
  const std::int64_t auxiliary = batch * p.auxiliary_batch + column * p.auxiliary_column;
  p.auxiliary = const_cast<void*>(is_mask ? moved(p.auxiliary, auxiliary / 8, type_s8)
                                          : moved(p.auxiliary, auxiliary, p.auxiliary_type));
  return p;
}

bool is_float8(int type) { return type == type_e4m3 || type == type_e5m2; }

}  // namespace

int element_bytes(int type) {
  switch (type) {
    case type_s8:
    case type_e4m3:
    case type_e5m2: return 1;
    case type_f16:
    case type_bf16: return 2;
    case type_f32:
    case type_s32: return 4;
    case type_f64:
    case type_c32: return 8;
    case type_c64: return 16;
    default: return 0;
  }
}

void read_scalar(const void* at, int type, double& real, double& imaginary) {
  imaginary = 0;
  const auto number = [&]<class Number>(Number value, std::size_t index) {
    std::memcpy(&value, static_cast<const char*>(at) + index * sizeof value, sizeof value);
    return static_cast<double>(value);
  };
  switch (type) {
    case type_f16: {
      std::uint16_t bits = 0;
      std::memcpy(&bits, at, sizeof bits);
      real = f16_to_float(bits);
      break;
    }
    case type_s32: real = number(std::int32_t{}, 0); break;
    case type_f64: real = number(double{}, 0); break;
    case type_c32: real = number(float{}, 0), imaginary = number(float{}, 1); break;
    case type_c64: real = number(double{}, 0), imaginary = number(double{}, 1); break;
    default: real = number(float{}, 0);
  }
}

bool has_product_kernel(const Product& p) {
  if (is_float8(p.a_type) || is_float8(p.b_type)) {
    if (!is_float8(p.a_type) || !is_float8(p.b_type) || (p.a_type == type_e5m2 && p.b_type == type_e5m2)) return false;
  } else if (p.a_type != p.b_type) {
    return false;
  }
  const auto float_result = [](int type) {
    return type == type_f32 || type == type_f16 || type == type_bf16 || is_float8(type);
  };
  switch (p.a_type) {
    case type_s8:
      if (p.scale_type == type_s32) return p.c_type == type_s32 && p.d_type == type_s32;
      return p.scale_type == type_f32 && p.d_type != type_s32 && (float_result(p.d_type) || p.d_type == type_s8) &&
             (float_result(p.c_type) || p.c_type == type_s8);
    case type_f64:
    case type_c32:
    case type_c64: return p.c_type == p.a_type && p.d_type == p.a_type && p.scale_type == p.a_type;
    case type_f32: return p.c_type == type_f32 && p.d_type == type_f32 && p.scale_type == type_f32;
    case type_f16:
    case type_bf16:
    case type_e4m3:
    case type_e5m2:
      return float_result(p.c_type) && float_result(p.d_type) &&
             (p.scale_type == type_f32 || (p.scale_type == type_f16 && p.a_type == type_f16));
    default: return false;
  }
}

BlasStatus launch_product(const ProductLaunch& launch) {
  const Product& all = launch.product;
  if (all.m == 0 || all.n == 0 || launch.batches == 0) return BlasStatus::success;
  const ProductFamily family = family_of(launch);
  const ProductTile* best = nullptr;
  double least = 0;
  for (const ProductTile& tile : family.tiles) {
    const auto blocks = static_cast<double>(tiles_along(all.m, tile.extent) * tiles_along(all.n, tile.extent));
    if (best != nullptr && blocks * tile.cost >= least) continue;
    best = &tile;
    least = blocks * tile.cost;
  }
  const std::string kernel = fmt::format("{}_{}x{}", family.kernel, best->extent, best->extent);

  // A grid has at most 65,535 blocks in y and in z.
  constexpr std::int64_t most = 65535;
  for (std::int64_t batch = 0; batch < launch.batches; batch += most)
    for (std::int64_t column = 0; column < all.n; column += most * best->extent) {
      Product p = part_of_product(all, batch, column);
      p.n = static_cast<int>(std::min<std::int64_t>(all.n - column, most * best->extent));
      LaunchShape shape;
      shape.grid = {static_cast<std::uint32_t>(tiles_along(p.m, best->extent)),
                    static_cast<std::uint32_t>(tiles_along(p.n, best->extent)),
                    static_cast<std::uint32_t>(std::min<std::int64_t>(launch.batches - batch, most))};
      shape.block[0] = static_cast<std::uint32_t>(best->threads);
      shape.dynamic_shared_bytes = product_shared_bytes(family, best->extent);
      void* const argument = &p;
      std::array arguments{argument};
      const Error error = launch_kernel(family.file, kernel, shape, launch.stream, arguments);
      if (error != Error::success) return blas_status(error);
    }
  return BlasStatus::success;
}

}  // namespace warpwalk::simulated::libraries
