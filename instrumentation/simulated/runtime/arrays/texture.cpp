// Texture and surface objects.

#include "instrumentation/simulated/runtime/arrays/texture.h"

#include <cstring>

#include "instrumentation/simulated/runtime/arrays/array.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/version.h"

namespace warpwalk::simulated {
namespace {

Error source_of(Gpu& gpu, const ResourceParameters* resource, TextureSource& source) {
  if (resource == nullptr || resource->type < 0 || resource->type > 3) return Error::invalid_value;
  source.kind = static_cast<TextureSource::Kind>(resource->type);
  switch (source.kind) {
    case TextureSource::Kind::array:
    case TextureSource::Kind::mipmapped_array:
      source.array = gpu.textures.find(resource->array);
      return source.array == nullptr ? Error::invalid_value : Error::success;
    case TextureSource::Kind::linear:
      source.address = reinterpret_cast<std::uint64_t>(resource->linear.at);
      source.format = format_of(resource->linear.format);
      source.bytes = resource->linear.bytes;
      return Error::success;
    case TextureSource::Kind::pitched:
      source.address = reinterpret_cast<std::uint64_t>(resource->pitched.at);
      source.format = format_of(resource->pitched.format);
      source.width = resource->pitched.width;
      source.height = resource->pitched.height;
      source.pitch = resource->pitched.pitch;
      return Error::success;
  }
  return Error::invalid_value;
}

ResourceParameters parameters_of(const TextureSource& source) {
  ResourceParameters resource{};
  resource.type = static_cast<int>(source.kind);
  void* const at = reinterpret_cast<void*>(source.address);
  if (source.kind == TextureSource::Kind::linear)
    resource.linear = {at, description_of(source.format), source.bytes};
  else if (source.kind == TextureSource::Kind::pitched)
    resource.pitched = {at, description_of(source.format), source.width, source.height, source.pitch};
  else
    resource.array = source.array;
  return resource;
}

TextureSettings settings_of(const TextureParameters& texture) {
  TextureSettings settings;
  settings.address = texture.address;
  settings.filter = texture.filter;
  settings.read_mode = texture.read_mode;
  settings.srgb = texture.srgb;
  settings.border = texture.border;
  settings.normalized = texture.normalized;
  settings.anisotropy = texture.anisotropy;
  settings.level_filter = texture.level_filter;
  settings.level_bias = texture.level_bias;
  settings.lowest_level = texture.lowest_level;
  settings.highest_level = texture.highest_level;
  settings.plain_trilinear = texture.plain_trilinear;
  settings.seamless = texture.seamless;
  return settings;
}

TextureParameters parameters_of(const TextureSettings& settings) {
  return {settings.address,    settings.filter,       settings.read_mode,     settings.srgb,
          settings.border,     settings.normalized,   settings.anisotropy,    settings.level_filter,
          settings.level_bias, settings.lowest_level, settings.highest_level, settings.plain_trilinear,
          settings.seamless};
}

TextureView view_of(const ViewParameters& view) {
  return {view.format,    {view.width, view.height, view.depth}, view.first_level, view.last_level, view.first_layer,
          view.last_layer};
}

ViewParameters parameters_of(const TextureView& view) {
  return {view.format,      view.extent[0],   view.extent[1],
          view.extent[2],   view.first_level, view.last_level,
          view.first_layer, view.last_layer,  {}};
}

/// Stores a structure that has become longer with CUDA 13.
template <typename Parameters>
void store_parameters(Parameters* result, const Parameters& parameters) {
  std::memcpy(static_cast<void*>(result), &parameters, runtime_major >= 13 ? sizeof(Parameters) : Parameters::bytes_12);
}

Error make_object(Gpu& gpu, const char* name, const TextureDescription& description, std::uint64_t* object) {
  const Error error = gpu.textures.create(description, *object);
  return error == Error::not_supported ? not_supported(gpu, name) : error;
}

template <typename Body>
Error with_description(const char* name, std::uint64_t object, bool surface, const void* result, Body body) {
  return runtime_call(name, [&](Gpu& gpu) {
    const auto description = gpu.textures.describe(object, surface);
    if (!description || result == nullptr) return Error::invalid_value;
    return body(*description);
  });
}

}  // namespace

extern "C" {

Error cudaCreateTextureObject(std::uint64_t* object, const ResourceParameters* resource,
                              const TextureParameters* texture, const ViewParameters* view) {
  return runtime_call("cudaCreateTextureObject", [&](Gpu& gpu) {
    if (object == nullptr || texture == nullptr) return Error::invalid_value;
    TextureDescription description;
    if (const Error error = source_of(gpu, resource, description.source); error != Error::success) return error;
    description.settings = settings_of(*texture);
    if (view != nullptr) description.view = view_of(*view);
    return make_object(gpu, "cudaCreateTextureObject", description, object);
  });
}

Error cudaDestroyTextureObject(std::uint64_t object) {
  return runtime_call("cudaDestroyTextureObject", [&](Gpu& gpu) {
    if (object == 0) return Error::success;
    gpu.queue.wait_all();  // kernels in progress may use it
    return gpu.textures.destroy(object, false);
  });
}

Error cudaGetTextureObjectResourceDesc(ResourceParameters* resource, std::uint64_t object) {
  return with_description("cudaGetTextureObjectResourceDesc", object, false, resource, [&](const auto& description) {
    store_parameters(resource, parameters_of(description.source));
    return Error::success;
  });
}

Error cudaGetTextureObjectTextureDesc(TextureParameters* texture, std::uint64_t object) {
  return with_description("cudaGetTextureObjectTextureDesc", object, false, texture, [&](const auto& description) {
    *texture = parameters_of(description.settings);
    return Error::success;
  });
}

Error cudaGetTextureObjectResourceViewDesc(ViewParameters* view, std::uint64_t object) {
  return with_description("cudaGetTextureObjectResourceViewDesc", object, false, view, [&](const auto& description) {
    if (!description.view) return Error::invalid_value;
    store_parameters(view, parameters_of(*description.view));
    return Error::success;
  });
}

Error cudaCreateSurfaceObject(std::uint64_t* object, const ResourceParameters* resource) {
  return runtime_call("cudaCreateSurfaceObject", [&](Gpu& gpu) {
    if (object == nullptr) return Error::invalid_value;
    TextureDescription description;
    description.surface = true;
    if (const Error error = source_of(gpu, resource, description.source); error != Error::success) return error;
    return make_object(gpu, "cudaCreateSurfaceObject", description, object);
  });
}

Error cudaDestroySurfaceObject(std::uint64_t object) {
  return runtime_call("cudaDestroySurfaceObject", [&](Gpu& gpu) {
    if (object == 0) return Error::success;
    gpu.queue.wait_all();
    return gpu.textures.destroy(object, true);
  });
}

Error cudaGetSurfaceObjectResourceDesc(ResourceParameters* resource, std::uint64_t object) {
  return with_description("cudaGetSurfaceObjectResourceDesc", object, true, resource, [&](const auto& description) {
    store_parameters(resource, parameters_of(description.source));
    return Error::success;
  });
}

Error cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width, const ChannelDescription* format, int device) {
  return runtime_call("cudaDeviceGetTexture1DLinearMaxWidth", [&](Gpu&) {
    constexpr std::size_t longest = std::size_t{1} << 28;
    if (width == nullptr || format == nullptr || !format_of(*format).texel()) return Error::invalid_value;
    *width = longest;
    return check_device(device);
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated
