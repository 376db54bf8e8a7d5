#include "instrumentation/inject/buffer_pool.h"

#include <cstdlib>
#include <cstring>

namespace warpwalk::instrumentation {

std::uint8_t* BufferPool::take() {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    std::uint8_t* const buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  if (allocated_ == max_buffers) return nullptr;
  // malloc aligns to 16 bytes; CUPTI requires 8.
  auto* const buffer = static_cast<std::uint8_t*>(std::malloc(buffer_bytes));
  if (buffer != nullptr) ++allocated_;
  return buffer;
}

void BufferPool::give_back(std::uint8_t* buffer) {
  const std::lock_guard lock(mutex_);
  free_.push_back(buffer);
}

void BufferPool::refill() {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (free_.size() >= ready_buffers || allocated_ == max_buffers) return;
      ++allocated_;
    }
    auto* const buffer = static_cast<std::uint8_t*>(std::malloc(buffer_bytes));
    if (buffer != nullptr) std::memset(buffer, 0, buffer_bytes);
    const std::lock_guard lock(mutex_);
    if (buffer == nullptr) {
      --allocated_;
      return;
    }
    free_.push_back(buffer);
  }
}

}  // namespace warpwalk::instrumentation
