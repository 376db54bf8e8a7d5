// Memory between launches.
#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/libraries/lapack/steps.h"

namespace warpwalk::simulated::libraries {

Error clear(const void* stream, void* at, std::size_t bytes) {
  if (at == nullptr || bytes == 0) return Error::success;
  return api_call(Api::runtime, "cudaMemsetAsync", [&](Gpu& gpu) {
    Stream* const found = gpu.streams.find(stream);
    if (found == nullptr) return Error::invalid_resource_handle;
    Fill fill;
    fill.address = reinterpret_cast<std::uint64_t>(at);
    fill.pitch = fill.width = bytes;
    fill.height = 1;
    return gpu.fill(fill, *found, false);
  });
}

Error copy_to_host(const void* stream, void* to, const void* from, std::size_t bytes) {
  return api_call(Api::runtime, "cudaMemcpyAsync", [&](Gpu& gpu) {
    Stream* const found = gpu.streams.find(stream);
    if (found == nullptr) return Error::invalid_resource_handle;
    Copy copy;
    copy.from.address = reinterpret_cast<std::uint64_t>(from);
    copy.to.address = reinterpret_cast<std::uint64_t>(to);
    copy.from.pitch = copy.to.pitch = bytes;
    copy.from.height = copy.to.height = 1;
    copy.extent = {bytes, 1, 1};
    copy.kind = CopyKind::device_to_host;
    return gpu.copy(copy, *found, true);
  });
}

}  // namespace warpwalk::simulated::libraries
