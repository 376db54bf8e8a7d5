// The heap of malloc() and free() in kernels, which lasts from the first launch that needs it until the device is
// reset.
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

Error Gpu::set_heap_bytes(std::size_t bytes) {
  const std::lock_guard lock(heap_mutex_);
  if (heap_ != nullptr) return Error::invalid_value;
  if (bytes > memory.capacity()) return Error::out_of_memory;
  heap_bytes_ = bytes;
  return Error::success;
}

void Gpu::drop_heap() {
  const std::lock_guard lock(heap_mutex_);
  heap_ = nullptr;
  heap_bytes_ = gpu::DeviceHeap::default_bytes;
}

std::shared_ptr<gpu::DeviceHeap> Gpu::heap() {
  const std::lock_guard lock(heap_mutex_);
  return heap_;
}

void Gpu::need_heap() {
  const std::lock_guard lock(heap_mutex_);
  if (heap_ == nullptr) heap_ = std::make_shared<gpu::DeviceHeap>(heap_bytes_);
}

}  // namespace warpwalk::simulated
