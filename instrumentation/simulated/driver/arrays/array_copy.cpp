// Copies of the first row of an array. cuMemcpy2D and cuMemcpy3D also take arrays.

#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// A side of a copy as these functions give it: a place in a row of an array, or an address.
CopySide place_in_array(CUarray array, std::size_t offset) {
  CopySide side;
  side.array = array;
  side.at[0] = offset;
  return side;
}

CopySide place_in_memory(std::uint64_t address) {
  CopySide side;
  side.address = address;
  return side;
}

CopySide place_on_host(const void* at) { return place_in_memory(reinterpret_cast<std::uint64_t>(at)); }

CUresult copy_array_row(const char* name, CUstream stream, const CopySide& to, const CopySide& from, std::size_t bytes,
                        bool waits) {
  return call_for_work(name, stream, [&](Gpu& gpu, Stream& found) {
    for (const CopySide* const side : {&to, &from})
      if (side->array != nullptr) {
        const Array* const array = gpu.textures.find(side->array);
        if (array == nullptr) return Error::invalid_resource_handle;
        if (array->mipmapped) return Error::invalid_value;
      }
    if (waits)
      if (const Error unsafe = gpu.graphs.check_unsafe(); unsafe != Error::success) return unsafe;
    return gpu.copy({from, to, {bytes, 1, 1}, CopyKind::automatic}, found, waits);
  });
}

}  // namespace

namespace [[gnu::visibility("default")]] exported {
extern "C" {

CUresult cuMemcpyDtoA_v2(CUarray to, std::size_t to_offset, CUdeviceptr from, std::size_t bytes) {
  return copy_array_row("cuMemcpyDtoA_v2", legacy_stream(), place_in_array(to, to_offset), place_in_memory(from), bytes,
                        true);
}

CUresult cuMemcpyDtoA_v2_ptds(CUarray to, std::size_t to_offset, CUdeviceptr from, std::size_t bytes) {
  return copy_array_row("cuMemcpyDtoA_v2", own_stream(), place_in_array(to, to_offset), place_in_memory(from), bytes,
                        true);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, std::size_t from_offset, std::size_t bytes) {
  return copy_array_row("cuMemcpyAtoD_v2", legacy_stream(), place_in_memory(to), place_in_array(from, from_offset),
                        bytes, true);
}

CUresult cuMemcpyAtoD_v2_ptds(CUdeviceptr to, CUarray from, std::size_t from_offset, std::size_t bytes) {
  return copy_array_row("cuMemcpyAtoD_v2", own_stream(), place_in_memory(to), place_in_array(from, from_offset), bytes,
                        true);
}

CUresult cuMemcpyHtoA_v2(CUarray to, std::size_t to_offset, const void* from, std::size_t bytes) {
  return copy_array_row("cuMemcpyHtoA_v2", legacy_stream(), place_in_array(to, to_offset), place_on_host(from), bytes,
                        true);
}

CUresult cuMemcpyHtoA_v2_ptds(CUarray to, std::size_t to_offset, const void* from, std::size_t bytes) {
  return copy_array_row("cuMemcpyHtoA_v2", own_stream(), place_in_array(to, to_offset), place_on_host(from), bytes,
                        true);
}

CUresult cuMemcpyAtoH_v2(void* to, CUarray from, std::size_t from_offset, std::size_t bytes) {
  return copy_array_row("cuMemcpyAtoH_v2", legacy_stream(), place_on_host(to), place_in_array(from, from_offset), bytes,
                        true);
}

CUresult cuMemcpyAtoH_v2_ptds(void* to, CUarray from, std::size_t from_offset, std::size_t bytes) {
  return copy_array_row("cuMemcpyAtoH_v2", own_stream(), place_on_host(to), place_in_array(from, from_offset), bytes,
                        true);
}

CUresult cuMemcpyAtoA_v2(CUarray to, std::size_t to_offset, CUarray from, std::size_t from_offset, std::size_t bytes) {
  return copy_array_row("cuMemcpyAtoA_v2", legacy_stream(), place_in_array(to, to_offset),
                        place_in_array(from, from_offset), bytes, true);
}

CUresult cuMemcpyAtoA_v2_ptds(CUarray to, std::size_t to_offset, CUarray from, std::size_t from_offset,
                              std::size_t bytes) {
  return copy_array_row("cuMemcpyAtoA_v2", own_stream(), place_in_array(to, to_offset),
                        place_in_array(from, from_offset), bytes, true);
}

CUresult cuMemcpyHtoAAsync_v2(CUarray to, std::size_t to_offset, const void* from, std::size_t bytes, CUstream stream) {
  return copy_array_row("cuMemcpyHtoAAsync_v2", stream, place_in_array(to, to_offset), place_on_host(from), bytes,
                        false);
}

CUresult cuMemcpyHtoAAsync_v2_ptsz(CUarray to, std::size_t to_offset, const void* from, std::size_t bytes,
                                   CUstream stream) {
  return cuMemcpyHtoAAsync_v2(to, to_offset, from, bytes, per_thread(stream));
}

CUresult cuMemcpyAtoHAsync_v2(void* to, CUarray from, std::size_t from_offset, std::size_t bytes, CUstream stream) {
  return copy_array_row("cuMemcpyAtoHAsync_v2", stream, place_on_host(to), place_in_array(from, from_offset), bytes,
                        false);
}

CUresult cuMemcpyAtoHAsync_v2_ptsz(void* to, CUarray from, std::size_t from_offset, std::size_t bytes,
                                   CUstream stream) {
  return cuMemcpyAtoHAsync_v2(to, from, from_offset, bytes, per_thread(stream));
}

}  // extern "C"
}  // namespace gnu::visibility("default")]]exported
}  // namespace warpwalk::simulated
