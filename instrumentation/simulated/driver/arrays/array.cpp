#include "instrumentation/simulated/driver/arrays/array.h"

#include <algorithm>
#include <utility>

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// Flags of arrays for depth, graphics and video, of sparse arrays and of arrays without memory.
constexpr unsigned foreign_flags = 0x10 | 0x20 | 0x40 | 0x80 | 0x100, known_array_flags = 0x1ff;
/// CUarray_format and cudaChannelFormatKind of the first normalized format; both go on in the same order.
constexpr int first_normalized = 0xc0, last_normalized = 0xcb, first_normalized_kind = 5;
/// The kind of a format that no texel has.
constexpr int no_kind = 3;

struct PlainFormat {
  int format, kind, bits;
};
constexpr PlainFormat plain_formats[] = {{0x01, 1, 8},  {0x02, 1, 16}, {0x03, 1, 32}, {0x08, 0, 8},
                                         {0x09, 0, 16}, {0x0a, 0, 32}, {0x10, 2, 16}, {0x20, 2, 32}};

CUDA_ARRAY3D_DESCRIPTOR descriptor_of(const Array& array) {
  return {array.extent[0], array.extent[1], array.extent[2], array_format(array.format), channel_count(array.format),
          array.flags};
}

Error make_array(Gpu& gpu, const char* name, CUarray* result, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                 unsigned levels) {
  if (result == nullptr || descriptor == nullptr || (descriptor->flags & ~known_array_flags) != 0)
    return Error::invalid_value;
  if ((descriptor->flags & foreign_flags) != 0) return not_supported(gpu, name);
  if (const Error unsafe = gpu.graphs.check_unsafe(); unsafe != Error::success) return unsafe;
  Array shape;
  shape.extent = {descriptor->width, descriptor->height, descriptor->depth};
  shape.flags = descriptor->flags;
  shape.format = format_of(descriptor->format, descriptor->channels);
  shape.mipmapped = levels != 0;
  shape.levels = levels;
  const Error error = gpu.textures.create(std::move(shape), *result);
  return error == Error::not_supported ? not_supported(gpu, name) : error;
}

Error destroy_array(Gpu& gpu, CUarray array, bool mipmapped) {
  const Array* const found = gpu.textures.find(array);
  if (found == nullptr || found->mipmapped != mipmapped) return Error::invalid_resource_handle;
  if (const Error unsafe = gpu.graphs.check_unsafe(); unsafe != Error::success) return unsafe;
  gpu.queue.wait_all();  // work in progress may use it
  return gpu.textures.destroy(array);
}

CUresult with_array(const char* name, CUarray array, const void* result,
                    const std::function<Error(const Array&)>& body) {
  return call_in_context(name, [&](Gpu& gpu) {
    const Array* const found = gpu.textures.find(array);
    if (found == nullptr) return Error::invalid_resource_handle;
    return result == nullptr ? Error::invalid_value : body(*found);
  });
}

/// For properties of arrays that are sparse, planar or without memory.
CUresult array_has_none(const char* name, CUarray array, const void* result) {
  return with_array(name, array, result, [](const Array&) { return Error::invalid_value; });
}

}  // namespace

ChannelFormat format_of(int format, unsigned channels) {
  ChannelFormat result;
  result.kind = no_kind;
  int bits = 0;
  if (format >= first_normalized && format <= last_normalized) {
    result.kind = first_normalized_kind + format - first_normalized;
    bits = (format - first_normalized) % 6 < 3 ? 8 : 16;
  } else if (const auto plain = std::ranges::find(plain_formats, format, &PlainFormat::format);
             plain != std::end(plain_formats)) {
    result.kind = plain->kind;
    bits = plain->bits;
  }
  for (unsigned i = 0; i < std::min(channels, 4u); ++i) result.bits[i] = bits;
  return result;
}

int array_format(const ChannelFormat& format) {
  if (format.is_normalized()) return first_normalized + format.kind - first_normalized_kind;
  for (const PlainFormat& plain : plain_formats)
    if (plain.kind == format.kind && plain.bits == format.bits[0]) return plain.format;
  return 0;
}

unsigned channel_count(const ChannelFormat& format) {
  return static_cast<unsigned>(format.bits.size() - static_cast<std::size_t>(std::ranges::count(format.bits, 0)));
}

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  return call_in_context("cuArrayCreate_v2", [&](Gpu& gpu) {
    if (descriptor == nullptr) return Error::invalid_value;
    const CUDA_ARRAY3D_DESCRIPTOR full{descriptor->width,  descriptor->height,   0,
                                       descriptor->format, descriptor->channels, 0};
    return make_array(gpu, "cuArrayCreate_v2", array, &full, 0);
  });
}

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return call_in_context("cuArray3DCreate_v2",
                         [&](Gpu& gpu) { return make_array(gpu, "cuArray3DCreate_v2", array, descriptor, 0); });
}

CUresult cuMipmappedArrayCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor, unsigned levels) {
  return call_in_context("cuMipmappedArrayCreate", [&](Gpu& gpu) {
    return make_array(gpu, "cuMipmappedArrayCreate", array, descriptor, std::max(levels, 1u));
  });
}

CUresult cuArrayDestroy(CUarray array) {
  return call_in_context("cuArrayDestroy", [&](Gpu& gpu) { return destroy_array(gpu, array, false); });
}

CUresult cuMipmappedArrayDestroy(CUarray array) {
  return call_in_context("cuMipmappedArrayDestroy", [&](Gpu& gpu) { return destroy_array(gpu, array, true); });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level_array, CUarray array, unsigned level) {
  return with_array("cuMipmappedArrayGetLevel", array, level_array, [&](const Array& found) {
    if (level >= found.level_arrays.size()) return Error::invalid_value;
    *level_array = found.level_arrays[level];
    return Error::success;
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
  return with_array("cuArrayGetDescriptor_v2", array, descriptor, [&](const Array& found) {
    const CUDA_ARRAY3D_DESCRIPTOR full = descriptor_of(found);
    *descriptor = {full.width, full.height, full.format, full.channels};
    return Error::success;
  });
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
  return with_array("cuArray3DGetDescriptor_v2", array, descriptor, [&](const Array& found) {
    *descriptor = descriptor_of(found);
    return Error::success;
  });
}

CUresult cuArrayGetPlane(CUarray* plane, CUarray array, unsigned) {
  return array_has_none("cuArrayGetPlane", array, plane);
}

CUresult cuArrayGetSparseProperties(void* properties, CUarray array) {
  return array_has_none("cuArrayGetSparseProperties", array, properties);
}

CUresult cuMipmappedArrayGetSparseProperties(void* properties, CUarray array) {
  return array_has_none("cuMipmappedArrayGetSparseProperties", array, properties);
}

CUresult cuArrayGetMemoryRequirements(void* requirements, CUarray array, CUdevice) {
  return array_has_none("cuArrayGetMemoryRequirements", array, requirements);
}

CUresult cuMipmappedArrayGetMemoryRequirements(void* requirements, CUarray array, CUdevice) {
  return array_has_none("cuMipmappedArrayGetMemoryRequirements", array, requirements);
}

CUresult cuMemMapArrayAsync(void*, unsigned, CUstream) { return refuse("cuMemMapArrayAsync"); }
CUresult cuMemMapArrayAsync_ptsz(void*, unsigned, CUstream) { return refuse("cuMemMapArrayAsync"); }

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
