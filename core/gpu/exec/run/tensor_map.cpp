#include "core/gpu/exec/run/tensor_map.h"

#include <cstring>

namespace warpwalk::gpu {

namespace {

struct ElementType {
  ptx::Type type;
  std::uint32_t bytes;
  bool flushes = false;
};

ElementType element_type(std::uint64_t number) {
  switch (number) {
    case 0: return {ptx::Type::u8, 1};
    case 1: return {ptx::Type::u16, 2};
    case 2: return {ptx::Type::u32, 4};
    case 3: return {ptx::Type::s32, 4};
    case 4: return {ptx::Type::u64, 8};
    case 5: return {ptx::Type::s64, 8};
    case 6: return {ptx::Type::f16, 2};
    case 7: return {ptx::Type::f32, 4};
    case 8: return {ptx::Type::f32, 4, true};
    case 9: return {ptx::Type::f64, 8};
    case 10: return {ptx::Type::bf16, 2};
    default: return {ptx::Type::none, 1};
  }
}

std::int32_t signed_field(std::uint64_t bits, unsigned first, unsigned count) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits >> first) << (32 - count)) >> (32 - count);
}

}  // namespace

TensorMap TensorMap::of(const std::uint8_t* bytes_of_map) {
  std::array<std::uint64_t, 8> words;
  std::memcpy(words.data(), bytes_of_map, sizeof words);
  const auto field = [&](std::size_t word, unsigned first, unsigned count) {
    return words[word] >> first & ((std::uint64_t{1} << count) - 1);
  };
  TensorMap map;
  map.address = words[0];
  map.rank = static_cast<unsigned>(field(1, 4, 3)) + 1;
  if (map.rank > max_rank) map.rank = max_rank;
  const ElementType element = element_type(field(1, 7, 4));
  map.type = element.type;
  map.flushes = element.flushes;
  map.interleave = static_cast<unsigned>(field(1, 11, 2));
  map.swizzle_bits = static_cast<unsigned>(field(1, 13, 2));
  map.fills_with_nan = field(1, 15, 1) != 0;
  map.rounds_to_tf32 = field(1, 16, 1) != 0;
  map.strides[0] = element.bytes;
  for (unsigned d = 0; d < max_rank; ++d) {
    map.sizes[d] = field(4 + d / 2, 32 * (d % 2), 32) + 1;
    map.steps[d] = static_cast<std::uint32_t>(field(6, 32 + 3 * d, 3)) + 1;
    map.box[d] = static_cast<std::uint32_t>(d == 0 ? field(6, 56, 8) : field(7, 8 * (d - 1), 8)) + 1;
    if (d == 0) continue;
    // Strides are multiples of 16 bytes; the upper four of their 40 bits are kept apart.
    const std::uint64_t low = field(1 + d / 2, 32 * (d % 2), 32), high = field(3, 28 + 4 * d, 4);
    map.strides[d] = (high << 32 | low) << 4;
  }
  map.is_image = field(1, 0, 1) != 0 && map.rank >= 3;
  if (!map.is_image) return map;
  map.pixels = static_cast<std::uint32_t>(field(7, 32, 10)) + 1;
  const unsigned bits = image_coordinate_bits(map.rank - 2);
  for (unsigned d = 0; d + 2 < map.rank; ++d) {
    map.first_pixel[d] = signed_field(words[7], d * bits, bits);
    map.last_pixel[d] = static_cast<std::int32_t>(map.sizes[d + 1]) - 1 + signed_field(words[7], 16 + d * bits, bits);
  }
  return map;
}

std::uint64_t TensorMap::rows() const {
  if (is_image) return pixels;
  std::uint64_t product = 1;
  for (unsigned d = 1; d < rank; ++d) product *= count(d);
  return product;
}

bool TensorMap::row_at(const Coordinates& at, std::uint32_t row, std::uint64_t& first) const {
  first = address + static_cast<std::uint64_t>(std::int64_t{at[0]}) * element_bytes();
  bool inside = true;
  for (unsigned d = 1; d < rank; ++d) {
    const std::int64_t coordinate = at[d] + std::int64_t{row % count(d)} * steps[d];
    row /= count(d);
    inside = inside && coordinate >= 0 && static_cast<std::uint64_t>(coordinate) < sizes[d];
    first += static_cast<std::uint64_t>(coordinate) * strides[d];
  }
  return inside;
}

bool TensorMap::pixel_at(const Coordinates& at, const std::array<std::int32_t, max_image_rank>& offsets,
                         std::uint64_t& first) const {
  first = address + static_cast<std::uint64_t>(std::int64_t{at[0]}) * element_bytes();
  bool inside = true;
  for (unsigned d = 1; d < rank; ++d) {
    const std::int64_t coordinate = std::int64_t{at[d]} + (d + 1 < rank ? offsets[d - 1] : 0);
    inside = inside && coordinate >= 0 && static_cast<std::uint64_t>(coordinate) < sizes[d];
    first += static_cast<std::uint64_t>(coordinate) * strides[d];
  }
  return inside;
}

void TensorMap::to_next_pixel(Coordinates& at) const {
  for (unsigned d = 1; d + 1 < rank; ++d) {
    at[d] += static_cast<std::int32_t>(steps[d]);
    if (at[d] <= last_pixel[d - 1]) return;
    at[d] = first_pixel[d - 1];
  }
  at[rank - 1] += static_cast<std::int32_t>(steps[rank - 1]);
}

bool TensorMap::is_in_pixel_box(const Coordinates& at) const {
  for (unsigned d = 1; d + 1 < rank; ++d)
    if (at[d] < first_pixel[d - 1] || at[d] > last_pixel[d - 1]) return false;
  return true;
}

std::array<std::int32_t, TensorMap::max_image_rank> TensorMap::offsets_of(std::uint32_t packed) const {
  std::array<std::int32_t, max_image_rank> offsets{};
  const unsigned bits = image_coordinate_bits(rank - 2);
  for (unsigned d = 0; d + 2 < rank; ++d)
    offsets[d] = static_cast<std::int32_t>(packed >> d * bits & ((1U << bits) - 1));
  return offsets;
}

std::uint64_t TensorMap::fill() const {
  // The same NaN of 16 bits in every type, as read on an H200.
  return fills_with_nan ? 0x7ff77ff77ff77ff7 : 0;
}

}  // namespace warpwalk::gpu
