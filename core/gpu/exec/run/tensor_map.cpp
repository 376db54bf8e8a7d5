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

std::uint64_t number_of(ptx::Type type, bool flushes) {
  for (std::uint64_t number = 0; number <= 10; ++number) {
    const ElementType element = element_type(number);
    if (element.type == type && element.flushes == flushes) return number;
  }
  return 15;
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
  map.l2_promotion = static_cast<unsigned>(field(1, 17, 2));
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

std::array<std::uint64_t, 16> TensorMap::words() const {
  std::array<std::uint64_t, 16> words{};
  const auto put = [&](std::size_t word, unsigned first, unsigned count, std::uint64_t value) {
    words[word] |= (value & ((std::uint64_t{1} << count) - 1)) << first;
  };
  words[0] = address;
  put(1, 0, 1, is_image ? 1 : 0);
  put(1, 4, 3, rank - 1);
  put(1, 7, 4, number_of(type, flushes));
  put(1, 11, 2, interleave);
  put(1, 13, 2, swizzle_bits);
  put(1, 15, 1, fills_with_nan ? 1 : 0);
  put(1, 16, 1, rounds_to_tf32 ? 1 : 0);
  put(1, 17, 2, l2_promotion);
  // The bytes that a copy writes to shared memory, and where they may begin, are for the driver alone.
  std::uint64_t bytes_of_copy = std::uint64_t{element_bytes()} * ((box[0] + steps[0] - 1) / steps[0]);
  for (unsigned d = 0; d < rank; ++d) {
    put(4 + d / 2, 32 * (d % 2), 32, sizes[d] - 1);
    put(6, 32 + 3 * d, 3, steps[d] - 1);
    if (d == 0) {
      put(6, 56, 8, box[0] - 1);
      continue;
    }
    put(1 + d / 2, 32 * (d % 2), 32, strides[d] >> 4);
    put(3, 28 + 4 * d, 4, strides[d] >> 36);
    if (is_image) continue;
    put(7, 8 * (d - 1), 8, box[d] - 1);
    bytes_of_copy *= count(d);
  }
  if (is_image) {
    put(7, 32, 10, pixels - 1);
    const unsigned bits = image_coordinate_bits(rank - 2);
    for (unsigned d = 0; d + 2 < rank; ++d) {
      put(7, d * bits, bits, static_cast<std::uint64_t>(std::int64_t{first_pixel[d]}));
      put(7, 16 + d * bits, bits,
          static_cast<std::uint64_t>(last_pixel[d] - static_cast<std::int64_t>(sizes[d + 1]) + 1));
    }
    bytes_of_copy *= pixels;
  }
  words[8] = bytes_of_copy;
  words[9] = swizzle_bits == 0 ? 16 : 128U << swizzle_bits;
  return words;
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
