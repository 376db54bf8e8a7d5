#include "instrumentation/simulated/runtime/arrays/array.h"

#include <algorithm>

#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {
namespace {

/// Flags of arrays that graphics interfaces use, of sparse arrays and of arrays without memory.
constexpr unsigned foreign_array_flags = 0x20 | 0x40 | 0x80, all_array_flags = 0xff;

Error make_array(Gpu& gpu, const char* name, Array shape, const ChannelDescription* description, void** result) {
  if (result == nullptr || description == nullptr || (shape.flags & ~all_array_flags) != 0) return Error::invalid_value;
  if ((shape.flags & foreign_array_flags) != 0) return not_supported(gpu, name);
  if (const Error wrong = gpu.graphs.check_unsafe(); wrong != Error::success) return wrong;
  shape.format = format_of(*description);
  Array* array = nullptr;
  const Error error = gpu.textures.create(std::move(shape), array);
  *result = array;
  return error == Error::not_supported ? not_supported(gpu, name) : error;
}

Error free_array(Gpu& gpu, void* handle, bool mipmapped) {
  if (handle == nullptr) return Error::success;
  Array* const array = gpu.textures.find(handle);
  if (array == nullptr || array->mipmapped != mipmapped) return Error::invalid_resource_handle;
  if (const Error wrong = gpu.graphs.check_unsafe(); wrong != Error::success) return wrong;
  gpu.queue.wait_all();  // work in progress may use it
  return gpu.textures.destroy(array);
}

Error array_has_no(const char* name, const void* result, const void* handle) {
  return runtime_call(name, [&](Gpu& gpu) {
    if (result == nullptr) return Error::invalid_value;
    return gpu.textures.find(handle) == nullptr ? Error::invalid_resource_handle : Error::invalid_value;
  });
}

}  // namespace

ChannelFormat format_of(const ChannelDescription& description) {
  return {{description.x, description.y, description.z, description.w}, description.kind};
}

ChannelDescription description_of(const ChannelFormat& format) {
  return {format.bits[0], format.bits[1], format.bits[2], format.bits[3], format.kind};
}

CopySide array_side(Gpu& gpu, const void* array, std::size_t x_bytes, std::size_t y, std::size_t z) {
  CopySide side;
  side.array = gpu.textures.find(array);
  if (side.array != nullptr && side.array->mipmapped) side.array = nullptr;
  side.at = {x_bytes, y, z};
  return side;
}

Copy3D parameters_of(const Copy& copy) {
  Copy3D parameters{};
  std::uint64_t element = 1;
  const auto put = [&](const CopySide& side, const void*& array, Position& at, PitchedPointer& memory) {
    array = side.array;
    at = {side.at[0], side.at[1], side.at[2]};
    if (side.array != nullptr) {
      element = side.array->element_bytes();
      at.x /= element;
      return;
    }
    const std::uint64_t pitch = side.pitch != 0 ? side.pitch : copy.extent[0];
    memory = {reinterpret_cast<void*>(side.address), pitch, copy.extent[0],
              side.height != 0 ? side.height : copy.extent[1]};
  };
  put(copy.from, parameters.from_array, parameters.from_position, parameters.from);
  put(copy.to, parameters.to_array, parameters.to_position, parameters.to);
  parameters.extent = {copy.extent[0] / element, copy.extent[1], copy.extent[2]};
  parameters.kind = static_cast<int>(copy.kind);
  return parameters;
}

extern "C" {

ChannelDescription cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  description_call(Api::runtime, "cudaCreateChannelDesc", [] { return Error::success; });
  return {x, y, z, w, kind};
}

Error cudaMallocArray(void** array, const ChannelDescription* description, std::size_t width, std::size_t height,
                      unsigned flags) {
  return runtime_call("cudaMallocArray", [&](Gpu& gpu) {
    if ((flags & (Array::layered | Array::cubemap)) != 0) return Error::invalid_value;
    return make_array(gpu, "cudaMallocArray", {.extent = {width, height, 0}, .flags = flags}, description, array);
  });
}

Error cudaMalloc3DArray(void** array, const ChannelDescription* description, Extent extent, unsigned flags) {
  return runtime_call("cudaMalloc3DArray", [&](Gpu& gpu) {
    return make_array(gpu, "cudaMalloc3DArray", {.extent = {extent.width, extent.height, extent.depth}, .flags = flags},
                      description, array);
  });
}

Error cudaMallocMipmappedArray(void** array, const ChannelDescription* description, Extent extent, unsigned levels,
                               unsigned flags) {
  return runtime_call("cudaMallocMipmappedArray", [&](Gpu& gpu) {
    return make_array(
        gpu, "cudaMallocMipmappedArray",
        {.extent = {extent.width, extent.height, extent.depth}, .flags = flags, .levels = levels, .mipmapped = true},
        description, array);
  });
}

Error cudaFreeArray(void* array) {
  return runtime_call("cudaFreeArray", [&](Gpu& gpu) { return free_array(gpu, array, false); });
}

Error cudaFreeMipmappedArray(void* array) {
  return runtime_call("cudaFreeMipmappedArray", [&](Gpu& gpu) { return free_array(gpu, array, true); });
}

Error cudaGetMipmappedArrayLevel(void** level_array, const void* array, unsigned level) {
  return runtime_call("cudaGetMipmappedArrayLevel", [&](Gpu& gpu) {
    const Array* const found = gpu.textures.find(array);
    if (found == nullptr || !found->mipmapped) return Error::invalid_resource_handle;
    if (level_array == nullptr || level >= found->level_arrays.size()) return Error::invalid_value;
    *level_array = found->level_arrays[level];
    return Error::success;
  });
}

Error cudaArrayGetInfo(ChannelDescription* description, Extent* extent, unsigned* flags, const void* array) {
  return runtime_call("cudaArrayGetInfo", [&](Gpu& gpu) {
    const Array* const found = gpu.textures.find(array);
    if (found == nullptr) return Error::invalid_resource_handle;
    if (description != nullptr) *description = description_of(found->format);
    if (extent != nullptr) *extent = {found->extent[0], found->extent[1], found->extent[2]};
    if (flags != nullptr) *flags = found->flags;
    return Error::success;
  });
}

Error cudaGetChannelDesc(ChannelDescription* description, const void* array) {
  return runtime_call("cudaGetChannelDesc", [&](Gpu& gpu) {
    const Array* const found = gpu.textures.find(array);
    if (found == nullptr) return Error::invalid_resource_handle;
    if (description == nullptr) return Error::invalid_value;
    *description = description_of(found->format);
    return Error::success;
  });
}

// Arrays here have one plane, all their memory, and no sparse tiles.

Error cudaArrayGetPlane(void** plane, void* array, unsigned) { return array_has_no("cudaArrayGetPlane", plane, array); }

Error cudaArrayGetMemoryRequirements(void* requirements, void* array, int) {
  return array_has_no("cudaArrayGetMemoryRequirements", requirements, array);
}

Error cudaMipmappedArrayGetMemoryRequirements(void* requirements, void* array, int) {
  return array_has_no("cudaMipmappedArrayGetMemoryRequirements", requirements, array);
}

Error cudaArrayGetSparseProperties(void* properties, void* array) {
  return array_has_no("cudaArrayGetSparseProperties", properties, array);
}

Error cudaMipmappedArrayGetSparseProperties(void* properties, void* array) {
  return array_has_no("cudaMipmappedArrayGetSparseProperties", properties, array);
}

}  // extern "C"
}  // namespace warpwalk::simulated
