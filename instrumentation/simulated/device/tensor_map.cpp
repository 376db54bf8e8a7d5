#include "instrumentation/simulated/device/tensor_map.h"

#include <algorithm>
#include <optional>

#include "core/gpu/exec/run/tensor_map.h"

namespace warpwalk::simulated {
namespace {

using gpu::TensorMap;

constexpr std::uint64_t copy_unit = 16;       ///< bytes: of addresses, strides, and rows of a box
constexpr std::uint64_t interleaved_32B = 2;  ///< CU_TENSOR_MAP_INTERLEAVE_32B

/// CUtensorMapDataType.
struct MappedType {
  ptx::Type type;
  std::uint32_t bytes;
  bool flushes = false, rounds_to_tf32 = false;
};
constexpr MappedType mapped_types[] = {
    {ptx::Type::u8, 1},
    {ptx::Type::u16, 2},
    {ptx::Type::u32, 4},
    {ptx::Type::s32, 4},
    {ptx::Type::u64, 8},
    {ptx::Type::s64, 8},
    {ptx::Type::f16, 2},
    {ptx::Type::f32, 4},
    {ptx::Type::f64, 8},
    {ptx::Type::bf16, 2},
    {ptx::Type::f32, 4, true},
    {ptx::Type::f32, 4, false, true},
    {ptx::Type::f32, 4, true, true},
};
bool is_float(const MappedType& type) {
  return type.type == ptx::Type::f16 || type.type == ptx::Type::bf16 || type.type == ptx::Type::f32 ||
         type.type == ptx::Type::f64;
}

bool is_between(std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  return value >= least && value <= most;
}

/// Takes the box of a tiled copy. Returns false if it is invalid.
bool take_box(const TensorMapRequest& request, TensorMap& map) {
  constexpr std::uint32_t box_limit = 256;
  constexpr std::uint64_t shared_memory = 227 * 1024;
  if (request.box == nullptr) return false;
  std::uint64_t bytes = map.element_bytes();
  for (unsigned d = 0; d < map.rank; ++d) {
    map.box[d] = request.box[d];
    if (!is_between(map.box[d], 1, box_limit)) return false;
    bytes *= map.count(d);
  }
  return bytes <= shared_memory;
}

/// Takes the channels and the box of pixels of an im2col copy.
bool take_pixels(const TensorMapRequest& request, TensorMap& map) {
  constexpr std::uint32_t channel_limit = 256, pixel_limit = 1024;
  if (map.rank < 3 || request.lower == nullptr || request.upper == nullptr) return false;
  map.is_image = true;
  map.box[0] = request.channels;
  map.pixels = request.pixels;
  if (!is_between(request.channels, 1, channel_limit) || !is_between(request.pixels, 1, pixel_limit)) return false;
  const std::int64_t limit = std::int64_t{1} << (gpu::image_coordinate_bits(map.rank - 2) - 1);
  const auto fits = [&](int corner) { return corner >= -limit && corner < limit; };
  for (unsigned d = 0; d + 2 < map.rank; ++d) {
    if (!fits(request.lower[d]) || !fits(request.upper[d])) return false;
    const std::int64_t last = static_cast<std::int64_t>(map.sizes[d + 1]) - 1 + request.upper[d];
    if (request.lower[d] > last) return false;
    map.first_pixel[d] = request.lower[d];
    map.last_pixel[d] = static_cast<std::int32_t>(last);
  }
  return true;
}

bool take_shape(const TensorMapRequest& request, TensorMap& map) {
  constexpr std::uint64_t size_limit = std::uint64_t{1} << 32, stride_limit = std::uint64_t{1} << 40;
  constexpr std::uint32_t step_limit = 8;
  if (request.sizes == nullptr || request.steps == nullptr) return false;
  if (request.rank > 1 && request.strides == nullptr) return false;
  const std::uint64_t unit = map.interleave == interleaved_32B ? 2 * copy_unit : copy_unit;
  if (map.address % unit != 0 || map.address >> 57 != 0) return false;
  for (unsigned d = 0; d < map.rank; ++d) {
    map.sizes[d] = request.sizes[d];
    map.steps[d] = request.steps[d];
    if (!is_between(map.sizes[d], 1, size_limit) || !is_between(map.steps[d], 1, step_limit)) return false;
    if (d == 0) continue;
    map.strides[d] = request.strides[d - 1];
    if (map.strides[d] % unit != 0 || map.strides[d] >= stride_limit) return false;
  }
  return true;
}

std::optional<TensorMap> tensor_map_of(const TensorMapRequest& request) {
  const auto is_number = [](int number, int count) { return number >= 0 && number < count; };
  if (!is_number(request.type, static_cast<int>(std::size(mapped_types)))) return {};
  const MappedType& type = mapped_types[request.type];
  if (!is_number(request.interleave, 3) || !is_number(request.swizzle, 4) || !is_number(request.l2_promotion, 4) ||
      !is_number(request.fill, is_float(type) ? 2 : 1))
    return {};
  const unsigned least_rank = request.interleave == 0 ? 1 : 3;
  if (!is_between(request.rank, least_rank, TensorMap::max_rank)) return {};
  TensorMap map;
  map.address = request.address;
  map.rank = request.rank;
  map.type = type.type;
  map.flushes = type.flushes;
  map.rounds_to_tf32 = type.rounds_to_tf32;
  map.interleave = static_cast<unsigned>(request.interleave);
  map.swizzle_bits = static_cast<unsigned>(request.swizzle);
  map.l2_promotion = static_cast<unsigned>(request.l2_promotion);
  map.fills_with_nan = request.fill != 0;
  map.strides[0] = type.bytes;
  if (!take_shape(request, map) || !(request.is_image ? take_pixels(request, map) : take_box(request, map))) return {};
  if (map.row_bytes() % copy_unit != 0) return {};
  const bool is_swizzled_row = map.interleave == 0 && map.swizzle_bits != 0;
  if (is_swizzled_row && map.row_bytes() > map.row_pitch()) return {};
  return map;
}

}  // namespace

Error encode_tensor_map(const TensorMapRequest& request, TensorMapWords& words) {
  const std::optional<TensorMap> map = tensor_map_of(request);
  if (!map) return Error::invalid_value;
  words = map->words();
  return Error::success;
}

}  // namespace warpwalk::simulated
