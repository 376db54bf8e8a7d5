// Texture and surface objects.
#include "instrumentation/simulated/driver/arrays/texture.h"

#include "instrumentation/simulated/driver/arrays/array.h"
#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// Flags of CUDA_TEXTURE_DESC.
enum : unsigned {
  read_as_integer = 0x01,
  normalized_coordinates = 0x02,
  srgb = 0x10,
  plain_trilinear = 0x20,
  seamless_cubemap = 0x40,
};

Error source_of(Gpu& gpu, const CUDA_RESOURCE_DESC* resource, TextureSource& source) {
  if (resource == nullptr || resource->type < 0 || resource->type > 3 || resource->flags != 0)
    return Error::invalid_value;
  source.kind = static_cast<TextureSource::Kind>(resource->type);
  if (source.kind == TextureSource::Kind::linear) {
    source.address = resource->linear.address;
    source.format = format_of(resource->linear.format, resource->linear.channels);
    source.bytes = resource->linear.bytes;
    return Error::success;
  }
  if (source.kind == TextureSource::Kind::pitched) {
    source.address = resource->pitched.address;
    source.format = format_of(resource->pitched.format, resource->pitched.channels);
    source.width = resource->pitched.width;
    source.height = resource->pitched.height;
    source.pitch = resource->pitched.pitch;
    return Error::success;
  }
  source.array = gpu.textures.find(resource->array);
  return source.array == nullptr ? Error::invalid_value : Error::success;
}

CUDA_RESOURCE_DESC resource_of(const TextureSource& source) {
  CUDA_RESOURCE_DESC resource{};
  resource.type = static_cast<int>(source.kind);
  const int format = array_format(source.format);
  const unsigned channels = channel_count(source.format);
  if (source.kind == TextureSource::Kind::linear)
    resource.linear = {source.address, format, channels, source.bytes};
  else if (source.kind == TextureSource::Kind::pitched)
    resource.pitched = {source.address, format, channels, source.width, source.height, source.pitch};
  else
    resource.array = source.array;
  return resource;
}

/// 32-bit integers and floats are read as they are in any case.
bool can_be_normalized(const TextureSource& source) {
  const ChannelFormat& format = source.array != nullptr ? source.array->format : source.format;
  constexpr int float_kind = 2, widest = 16;
  return format.kind != float_kind && format.bits[0] <= widest;
}

TextureSettings settings_of(const CUDA_TEXTURE_DESC& texture, const TextureSource& source) {
  TextureSettings settings;
  settings.address = texture.address;
  settings.filter = texture.filter;
  settings.read_mode = (texture.flags & read_as_integer) == 0 && can_be_normalized(source) ? 1 : 0;
  settings.normalized = (texture.flags & normalized_coordinates) != 0 ? 1 : 0;
  settings.srgb = (texture.flags & srgb) != 0 ? 1 : 0;
  settings.plain_trilinear = (texture.flags & plain_trilinear) != 0 ? 1 : 0;
  settings.seamless = (texture.flags & seamless_cubemap) != 0 ? 1 : 0;
  settings.anisotropy = texture.anisotropy;
  settings.level_filter = texture.level_filter;
  settings.level_bias = texture.level_bias;
  settings.lowest_level = texture.lowest_level;
  settings.highest_level = texture.highest_level;
  settings.border = texture.border;
  return settings;
}

CUDA_TEXTURE_DESC texture_of(const TextureDescription& description) {
  const TextureSettings& settings = description.settings;
  CUDA_TEXTURE_DESC texture{};
  texture.address = settings.address;
  texture.filter = settings.filter;
  if (settings.read_mode == 0 && can_be_normalized(description.source)) texture.flags |= read_as_integer;
  if (settings.normalized != 0) texture.flags |= normalized_coordinates;
  if (settings.srgb != 0) texture.flags |= srgb;
  if (settings.plain_trilinear != 0) texture.flags |= plain_trilinear;
  if (settings.seamless != 0) texture.flags |= seamless_cubemap;
  texture.anisotropy = settings.anisotropy;
  texture.level_filter = settings.level_filter;
  texture.level_bias = settings.level_bias;
  texture.lowest_level = settings.lowest_level;
  texture.highest_level = settings.highest_level;
  texture.border = settings.border;
  return texture;
}

Error make_object(Gpu& gpu, const char* name, const TextureDescription& description, std::uint64_t* object) {
  const Error error = gpu.textures.create(description, *object);
  // The driver has no numbers of its own for these two.
  if (error == Error::invalid_filter_setting || error == Error::invalid_norm_setting) return Error::invalid_value;
  return error == Error::not_supported ? not_supported(gpu, name) : error;
}

CUresult destroy_object(const char* name, std::uint64_t object, bool surface) {
  return call_in_context(name, [&](Gpu& gpu) {
    gpu.queue.wait_all();  // kernels in progress may use it
    return gpu.textures.destroy(object, surface);
  });
}

CUresult with_object(const char* name, std::uint64_t object, bool surface, const void* result,
                     const std::function<Error(const TextureDescription&)>& body) {
  return call_in_context(name, [&](Gpu& gpu) {
    const auto description = gpu.textures.describe(object, surface);
    return !description || result == nullptr ? Error::invalid_value : body(*description);
  });
}

}  // namespace

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuTexObjectCreate(std::uint64_t* object, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  return call_in_context("cuTexObjectCreate", [&](Gpu& gpu) {
    if (object == nullptr || texture == nullptr) return Error::invalid_value;
    TextureDescription description;
    if (const Error error = source_of(gpu, resource, description.source); error != Error::success) return error;
    description.settings = settings_of(*texture, description.source);
    if (view != nullptr)
      description.view = TextureView{view->format,      {view->width, view->height, view->depth},
                                     view->first_level, view->last_level,
                                     view->first_layer, view->last_layer};
    return make_object(gpu, "cuTexObjectCreate", description, object);
  });
}

CUresult cuTexObjectDestroy(std::uint64_t object) { return destroy_object("cuTexObjectDestroy", object, false); }

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, std::uint64_t object) {
  return with_object("cuTexObjectGetResourceDesc", object, false, resource, [&](const TextureDescription& found) {
    *resource = resource_of(found.source);
    return Error::success;
  });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, std::uint64_t object) {
  return with_object("cuTexObjectGetTextureDesc", object, false, texture, [&](const TextureDescription& found) {
    *texture = texture_of(found);
    return Error::success;
  });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, std::uint64_t object) {
  return with_object("cuTexObjectGetResourceViewDesc", object, false, view, [&](const TextureDescription& found) {
    if (!found.view) return Error::invalid_value;
    const TextureView& own = *found.view;
    *view = {own.format,      own.extent[0],   own.extent[1],
             own.extent[2],   own.first_level, own.last_level,
             own.first_layer, own.last_layer,  {}};
    return Error::success;
  });
}

CUresult cuSurfObjectCreate(std::uint64_t* object, const CUDA_RESOURCE_DESC* resource) {
  return call_in_context("cuSurfObjectCreate", [&](Gpu& gpu) {
    if (object == nullptr) return Error::invalid_value;
    TextureDescription description;
    description.surface = true;
    if (const Error error = source_of(gpu, resource, description.source); error != Error::success) return error;
    return make_object(gpu, "cuSurfObjectCreate", description, object);
  });
}

CUresult cuSurfObjectDestroy(std::uint64_t object) { return destroy_object("cuSurfObjectDestroy", object, true); }

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, std::uint64_t object) {
  return with_object("cuSurfObjectGetResourceDesc", object, true, resource, [&](const TextureDescription& found) {
    *resource = resource_of(found.source);
    return Error::success;
  });
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t* width, int format, unsigned channels, CUdevice device) {
  return call_after_init("cuDeviceGetTexture1DLinearMaxWidth", [&](Gpu&) {
    constexpr std::size_t longest = std::size_t{1} << 28;
    if (width == nullptr || !format_of(format, channels).texel()) return Error::invalid_value;
    *width = longest;
    return check_device(device);
  });
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
