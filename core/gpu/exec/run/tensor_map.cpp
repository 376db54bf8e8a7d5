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
  return map;
}

std::uint64_t TensorMap::rows() const {
  std::uint64_t product = 1;
  for (unsigned d = 1; d < rank; ++d) product *= count(d);
  return product;
}

bool TensorMap::row_at(const std::array<std::int32_t, max_rank>& at, std::uint32_t row, std::uint64_t& first) const {
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

std::uint64_t TensorMap::fill() const {
  // The same NaN of 16 bits in every type, as read on an H200.
  return fills_with_nan ? 0x7ff77ff77ff77ff7 : 0;
}

}  // namespace warpwalk::gpu
