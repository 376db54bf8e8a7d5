#include "instrumentation/simulated/device/array.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpwalk::simulated {
namespace {

constexpr std::uint64_t longest_line = 131072, longest_layered_line = 32768, widest_plane = 131072,
                        highest_plane = 65536, widest_layered_plane = 32768, largest_volume = 16384,
                        largest_cube = 32768, most_layers = 2048, most_cube_layers = 2046;

bool within(const std::array<std::uint64_t, 3>& extent, const std::array<std::uint64_t, 3>& limit) {
  for (std::size_t i = 0; i < 3; ++i)
    if (extent[i] > limit[i]) return false;
  return extent[0] != 0;
}

/// Extents as cudaMalloc3DArray describes them; the limits are those of compute capability 9.0.
bool is_array_shape(const Array& array) {
  const auto [width, height, depth] = array.extent;
  if ((array.flags & Array::cubemap) != 0) {
    const bool layered = (array.flags & Array::layered) != 0;
    return width == height && within(array.extent, {largest_cube, largest_cube, most_cube_layers}) &&
           (layered ? depth != 0 && depth % 6 == 0 : depth == 6);
  }
  if ((array.flags & Array::layered) != 0)
    return depth != 0 &&
           within(array.extent, height == 0 ? std::array{longest_layered_line, std::uint64_t{0}, most_layers}
                                            : std::array{widest_layered_plane, widest_layered_plane, most_layers});
  if (depth != 0) return height != 0 && within(array.extent, {largest_volume, largest_volume, largest_volume});
  if (height != 0) return within(array.extent, {widest_plane, highest_plane, 0});
  return within(array.extent, {longest_line, 0, 0});
}

/// The extent of a mipmap level. Layers and faces are the same on all levels.
std::array<std::uint64_t, 3> level_extent(const Array& array, unsigned level) {
  std::array<std::uint64_t, 3> extent = array.extent;
  const bool keeps_slices = (array.flags & (Array::layered | Array::cubemap)) != 0;
  for (std::size_t i = 0; i < (keeps_slices ? 2u : 3u); ++i)
    if (extent[i] != 0) extent[i] = std::max<std::uint64_t>(extent[i] >> level, 1);
  return extent;
}

unsigned deepest_level(const Array& array) {
  const bool keeps_slices = (array.flags & (Array::layered | Array::cubemap)) != 0;
  const std::uint64_t longest =
      std::max({array.extent[0], array.extent[1], keeps_slices ? std::uint64_t{1} : array.extent[2]});
  return static_cast<unsigned>(std::bit_width(longest));
}

}  // namespace

std::optional<gpu::TexelFormat> ChannelFormat::texel() const {
  const auto channels = static_cast<std::uint8_t>(4 - std::ranges::count(bits, 0));
  if (channels != 1 && channels != 2 && channels != 4) return {};
  for (std::size_t i = 0; i < 4; ++i)
    if (bits[i] != (i < channels ? bits[0] : 0)) return {};
  const bool is_float = kind == 2, is_signed = kind == 0 || (kind >= 11 && kind <= 16);
  if (!is_float && kind != 0 && kind != 1 && !is_normalized()) return {};
  using gpu::TexelType;
  switch (bits[0]) {
    case 8:
      if (is_float) return {};
      return gpu::TexelFormat{is_signed ? TexelType::s8 : TexelType::u8, channels};
    case 16: return gpu::TexelFormat{is_float ? TexelType::f16 : is_signed ? TexelType::s16 : TexelType::u16, channels};
    case 32:
      if (is_normalized()) return {};
      return gpu::TexelFormat{is_float ? TexelType::f32 : is_signed ? TexelType::s32 : TexelType::u32, channels};
    default: return {};
  }
}

std::uint8_t* row(const Array& array, std::uint64_t y, std::uint64_t z) {
  return array.memory->data + array.offset + (z * array.rows() + y) * array.row_bytes();
}

std::optional<ChannelFormat> view_format(int format) {
  struct Family {
    int kind, bits;
  };
  constexpr Family families[] = {{1, 8}, {0, 8}, {1, 16}, {0, 16}, {1, 32}, {0, 32}, {2, 16}, {2, 32}};
  if (format < 1 || format > 24) return {};
  const Family& family = families[(format - 1) / 3];
  ChannelFormat result;
  result.kind = family.kind;
  const int channels = 1 << ((format - 1) % 3);
  for (int i = 0; i < channels; ++i) result.bits[static_cast<std::size_t>(i)] = family.bits;
  return result;
}

Error Textures::create(Array shape, Array*& array) {
  if (shape.format.kind > 16) return Error::not_supported;
  if (!shape.format.texel()) return Error::invalid_channel_descriptor;
  if (!is_array_shape(shape)) return Error::invalid_value;
  shape.levels = shape.mipmapped ? std::clamp(shape.levels, 1u, deepest_level(shape)) : 1;

  std::vector<std::unique_ptr<Array>> levels;
  std::uint64_t bytes = 0;
  for (unsigned level = 0; level < shape.levels; ++level) {
    auto& one = *levels.emplace_back(std::make_unique<Array>());
    one.extent = level_extent(shape, level);
    one.flags = shape.flags;
    one.format = shape.format;
    one.offset = bytes;
    bytes += one.bytes();
  }
  shape.memory =
      memory_.allocate(MemoryKind::array, bytes, shape.mipmapped ? "cudaMallocMipmappedArray" : "cudaMallocArray");
  if (shape.memory == nullptr) return Error::out_of_memory;

  const std::lock_guard lock(mutex_);
  auto made = std::make_unique<Array>(std::move(shape));
  array = made.get();
  if (array->mipmapped)
    for (auto& level : levels) {
      level->memory = array->memory;
      level->mipmap = array;
      array->level_arrays.push_back(level.get());
      arrays_[level.get()] = std::move(level);
    }
  arrays_[array] = std::move(made);
  return Error::success;
}

Array* Textures::find(const void* handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : found->second.get();
}

Error Textures::destroy(Array* array) {
  const std::lock_guard lock(mutex_);
  const auto found = arrays_.find(array);
  if (found == arrays_.end() || array->mipmap != nullptr) return Error::invalid_resource_handle;
  const Error freed = memory_.free(array->memory->address);
  const std::vector<Array*> levels = array->level_arrays;
  for (const Array* const level : levels) arrays_.erase(level);
  arrays_.erase(found);
  return freed;
}

void Textures::reset() {
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, array] : arrays_)
    if (array->mipmap == nullptr) memory_.free(array->memory->address);
  arrays_.clear();
  objects_.clear();
}

}  // namespace warpwalk::simulated
