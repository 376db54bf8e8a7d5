#include "instrumentation/simulated/driver/copy_sides.h"

namespace warpwalk::simulated {
namespace {

bool is_device_type(MemoryType type) { return type == MemoryType::device || type == MemoryType::array; }

CopyKind kind_between(MemoryType from, MemoryType to) {
  if (from == MemoryType::unified || to == MemoryType::unified) return CopyKind::automatic;
  if (is_device_type(from)) return is_device_type(to) ? CopyKind::device_to_device : CopyKind::device_to_host;
  return is_device_type(to) ? CopyKind::host_to_device : CopyKind::host_to_host;
}

/// The memory of a side; its place in the memory is set already.
template <class Side>
Error set_memory(Gpu& gpu, const Side& given, CopySide& side) {
  switch (given.type) {
    case MemoryType::host: side.address = given.host; break;
    case MemoryType::device:
    case MemoryType::unified: side.address = given.device; break;
    case MemoryType::array:
      side.array = gpu.textures.find(given.array);
      return side.array == nullptr ? Error::invalid_resource_handle : Error::success;
    default: return Error::invalid_value;
  }
  side.pitch = given.pitch;
  return Error::success;
}

Error set_sides(Gpu& gpu, const auto& given, Copy& copy) {
  if (const Error wrong = set_memory(gpu, given.from, copy.from); wrong != Error::success) return wrong;
  if (const Error wrong = set_memory(gpu, given.to, copy.to); wrong != Error::success) return wrong;
  copy.kind = kind_between(given.from.type, given.to.type);
  return Error::success;
}

}  // namespace

Error make_copy(Gpu& gpu, const CUDA_MEMCPY2D& given, Copy& copy) {
  copy.from.at = {given.from.x_bytes, given.from.y, 0};
  copy.to.at = {given.to.x_bytes, given.to.y, 0};
  copy.extent = {given.width_bytes, given.height, 1};
  return set_sides(gpu, given, copy);
}

Error make_copy(Gpu& gpu, const CUDA_MEMCPY3D& given, Copy& copy) {
  // Levels of mipmapped arrays are arrays of their own: the fields must be 0.
  if (given.from.level != 0 || given.to.level != 0) return Error::invalid_value;
  copy.from.at = {given.from.x_bytes, given.from.y, given.from.z};
  copy.to.at = {given.to.x_bytes, given.to.y, given.to.z};
  copy.from.height = given.from.height;
  copy.to.height = given.to.height;
  copy.extent = {given.width_bytes, given.height, given.depth};
  return set_sides(gpu, given, copy);
}

Copy linear_copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CopyKind kind) {
  Copy copy;
  copy.from.address = from;
  copy.to.address = to;
  copy.extent = {bytes, 1, 1};
  copy.kind = kind;
  return copy;
}

}  // namespace warpwalk::simulated
