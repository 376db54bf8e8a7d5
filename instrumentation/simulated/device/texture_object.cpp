// Texture and surface objects: from what the program gave to what the simulator reads.

#include <algorithm>
#include <cstring>
#include <string>

#include "instrumentation/simulated/device/array.h"

namespace warpwalk::simulated {
namespace {

constexpr std::uint64_t texture_alignment = 512, texture_pitch_alignment = 32, longest_linear = std::uint64_t{1} << 28,
                        widest_pitched = 131072, highest_pitched = 65000, largest_pitch = 2097120;

gpu::TextureShape shape_of(const Array& array) {
  const bool layered = (array.flags & Array::layered) != 0;
  if ((array.flags & Array::cubemap) != 0) return layered ? gpu::TextureShape::cube_array : gpu::TextureShape::cube;
  if (layered) return array.extent[1] == 0 ? gpu::TextureShape::line_array : gpu::TextureShape::plane_array;
  if (array.extent[2] != 0) return gpu::TextureShape::volume;
  return array.extent[1] != 0 ? gpu::TextureShape::plane : gpu::TextureShape::line;
}

void describe_array(const Array& array, gpu::TextureObject& object) {
  gpu::TextureDescriptor& texture = object.descriptor;
  texture.shape = shape_of(array);
  texture.width = static_cast<std::uint32_t>(array.extent[0]);
  texture.height = static_cast<std::uint32_t>(array.rows());
  const auto slices = static_cast<std::uint32_t>(array.slices());
  if (texture.shape == gpu::TextureShape::volume) texture.depth = slices;
  if (gpu::is_array(texture.shape)) texture.layers = gpu::is_cube(texture.shape) ? slices / 6 : slices;
  texture.levels = array.levels;
  object.address = array.address();
}

/// Narrows a texture to a view. Its texels must be contiguous, so layers can be left out only on a single level.
Error apply_view(const TextureView& view, const Array& array, gpu::TextureObject& object) {
  gpu::TextureDescriptor& texture = object.descriptor;
  if (view.format != 0) {
    const auto format = view_format(view.format);
    if (!format) return Error::not_supported;
    if (format->bytes() != array.format.bytes()) return Error::invalid_value;
    texture.format = *format->texel();
  }
  if (view.extent[0] != array.extent[0] || view.extent[1] != array.extent[1]) return Error::invalid_value;
  if (view.last_level >= texture.levels || view.first_level > view.last_level) return Error::invalid_value;
  for (unsigned level = 0; level < view.first_level; ++level) object.address += texture.level_bytes(level);
  const std::uint32_t width = texture.width_at(view.first_level), height = texture.height_at(view.first_level);
  if (texture.shape == gpu::TextureShape::volume) texture.depth = texture.slices(view.first_level);
  texture.width = width;
  texture.height = height;
  texture.levels = view.last_level - view.first_level + 1;
  if (!gpu::is_array(texture.shape)) return Error::success;

  if (view.first_layer > view.last_layer || view.last_layer >= array.slices()) return Error::invalid_value;
  const unsigned faces = gpu::is_cube(texture.shape) ? 6 : 1, layers = view.last_layer - view.first_layer + 1;
  if (layers % faces != 0 || view.first_layer % faces != 0) return Error::invalid_value;
  if (layers == array.slices()) return Error::success;
  if (texture.levels > 1) return Error::not_supported;
  object.address += texture.level_bytes(0) / texture.slices(0) * view.first_layer;
  texture.layers = layers / faces;
  return Error::success;
}

/// Linear memory as a texture; `pitched`: rows with gaps.
Error describe_memory(const TextureSource& source, gpu::TextureObject& object) {
  gpu::TextureDescriptor& texture = object.descriptor;
  if (source.address == 0 || source.address % texture_alignment != 0) return Error::invalid_value;
  object.address = source.address;
  const std::uint64_t element = source.format.bytes();
  if (source.kind == TextureSource::Kind::linear) {
    const std::uint64_t width = source.bytes / element;
    if (width == 0 || width > longest_linear) return Error::invalid_value;
    texture.width = static_cast<std::uint32_t>(width);
    texture.linear_memory = true;
    return Error::success;
  }
  if (source.width == 0 || source.height == 0 || source.width > widest_pitched || source.height > highest_pitched ||
      source.pitch > largest_pitch || source.pitch % texture_pitch_alignment != 0 ||
      source.pitch < source.width * element)
    return Error::invalid_value;
  texture.shape = gpu::TextureShape::plane;
  texture.width = static_cast<std::uint32_t>(source.width);
  texture.height = static_cast<std::uint32_t>(source.height);
  return Error::success;
}

Error set_sampler(const TextureSettings& settings, const ChannelFormat& format, gpu::TextureDescriptor& texture) {
  gpu::Sampler& sampler = texture.sampler;
  for (std::size_t i = 0; i < 3; ++i) {
    if (settings.address[i] < 0 || settings.address[i] > 3) return Error::invalid_value;
    sampler.address[i] = static_cast<gpu::AddressMode>(settings.address[i]);
  }
  if ((settings.filter & ~1) != 0 || (settings.level_filter & ~1) != 0) return Error::invalid_value;
  sampler.filter = static_cast<gpu::FilterMode>(settings.filter);
  sampler.level_filter = static_cast<gpu::FilterMode>(settings.level_filter);
  sampler.normalized = settings.normalized != 0;
  sampler.seamless = settings.seamless != 0;
  sampler.border = settings.border;
  sampler.level_bias = settings.level_bias;
  sampler.lowest_level = settings.lowest_level;
  sampler.highest_level = settings.highest_level;

  const bool is_float = texture.format.is_float(), is_wide = texture.format.channel_bytes() == 4;
  sampler.normalized_float = !is_float && (settings.read_mode != 0 || format.is_normalized());
  if (sampler.normalized_float && is_wide) return Error::invalid_norm_setting;
  const bool reads_floats = is_float || sampler.normalized_float;
  const bool filters = sampler.filter == gpu::FilterMode::linear && !texture.linear_memory;
  if (filters && !reads_floats) return Error::invalid_filter_setting;
  if (texture.levels > 1 && !sampler.normalized) return Error::invalid_value;
  if (settings.srgb != 0 && sampler.normalized_float) return Error::not_supported;
  return Error::success;
}

/// The rows of pitched memory without the gaps.
std::vector<std::uint8_t> packed_rows(const TextureSource& source, const Allocation& memory) {
  const std::uint64_t bytes = source.width * source.format.bytes();
  std::vector<std::uint8_t> rows(bytes * source.height);
  const std::uint8_t* const from = memory.data + (source.address - memory.address);
  for (std::uint64_t y = 0; y < source.height; ++y)
    std::memcpy(rows.data() + y * bytes, from + y * source.pitch, bytes);
  return rows;
}

bool has_gaps(const TextureSource& source) {
  return source.kind == TextureSource::Kind::pitched && source.pitch != source.width * source.format.bytes();
}

/// Bytes from the first texel to the last.
std::uint64_t span_of(const TextureSource& source, const gpu::TextureDescriptor& texture) {
  return has_gaps(source) ? source.pitch * (source.height - 1) + source.width * source.format.bytes() : texture.bytes();
}

}  // namespace

Error Textures::place(const TextureDescription& description, gpu::TextureObject& object) const {
  const TextureSource& source = description.source;
  const bool is_array = source.kind == TextureSource::Kind::array;
  ChannelFormat format = source.format;
  if (is_array || source.kind == TextureSource::Kind::mipmapped_array) {
    if (!arrays_.contains(source.array) || source.array->mipmapped == is_array) return Error::invalid_value;
    format = source.array->format;
  } else if (description.surface || description.view) {
    return Error::invalid_value;
  }
  const auto texel = format.texel();
  if (!texel) return Error::invalid_channel_descriptor;
  object.descriptor.format = *texel;
  object.surface = description.surface;
  if (source.array == nullptr) {
    if (const Error error = describe_memory(source, object); error != Error::success) return error;
  } else {
    describe_array(*source.array, object);
  }
  if (description.surface) {
    const bool can_store = (source.array->flags & Array::surface) != 0;
    return is_array && can_store ? Error::success : Error::invalid_value;
  }
  if (description.view)
    if (const Error error = apply_view(*description.view, *source.array, object); error != Error::success) return error;
  return set_sampler(description.settings, format, object.descriptor);
}

Error Textures::create(const TextureDescription& description, std::uint64_t& handle) {
  const std::lock_guard lock(mutex_);
  Object made{description, {}};
  TextureSource& source = made.description.source;
  const bool has_array =
      source.kind == TextureSource::Kind::array || source.kind == TextureSource::Kind::mipmapped_array;
  if (!has_array) source.array = nullptr;
  if (const Error error = place(made.description, made.object); error != Error::success) return error;
  handle = ++last_;
  made.object.handle = handle;
  made.object.name = (description.surface ? "surface object " : "texture object ") + std::to_string(handle);
  objects_[handle] = std::move(made);
  return Error::success;
}

Error Textures::destroy(std::uint64_t handle, bool surface) {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  if (found == objects_.end() || found->second.object.surface != surface) return Error::invalid_value;
  objects_.erase(found);
  return Error::success;
}

std::optional<TextureDescription> Textures::describe(std::uint64_t handle, bool surface) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  if (found == objects_.end() || found->second.object.surface != surface) return {};
  return found->second.description;
}

void Textures::add_to(gpu::Launch& launch) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, one] : objects_) {
    const TextureSource& source = one.description.source;
    const DeviceMemory::Place memory = memory_.find(one.object.address);
    if (memory == nullptr ||
        memory->address + memory->bytes - one.object.address < span_of(source, one.object.descriptor))
      continue;
    gpu::TextureObject object = one.object;
    if (has_gaps(source)) {
      gpu::Buffer buffer;
      buffer.name = object.name;
      buffer.bytes = packed_rows(source, *memory);
      object.buffer = launch.buffers.size();
      object.address = 0;
      launch.buffers.push_back(std::move(buffer));
    }
    launch.textures.push_back(std::move(object));
  }
}

}  // namespace warpwalk::simulated
