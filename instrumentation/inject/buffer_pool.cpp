#include "instrumentation/inject/buffer_pool.h"

#include <algorithm>
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
  if (known_.size() == max_buffers) return nullptr;
  // malloc aligns to 16 bytes; CUPTI requires 8.
  auto* const buffer = static_cast<std::uint8_t*>(std::malloc(buffer_bytes));
  if (buffer != nullptr) known_.push_back(buffer);
  return buffer;
}

void BufferPool::give_back(std::uint8_t* buffer) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(known_, buffer) != known_.end()) free_.push_back(buffer);
}

void BufferPool::refill() {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (free_.size() >= ready_buffers || known_.size() == max_buffers) return;
    }
    auto* const buffer = static_cast<std::uint8_t*>(std::malloc(buffer_bytes));
    if (buffer == nullptr) return;
    std::memset(buffer, 0, buffer_bytes);
    const std::lock_guard lock(mutex_);
    if (known_.size() == max_buffers) return std::free(buffer);
    known_.push_back(buffer);
    free_.push_back(buffer);
  }
}

void BufferPool::release() {
  const std::lock_guard lock(mutex_);
  for (std::uint8_t* const buffer : free_) {
    std::erase(known_, buffer);
    std::free(buffer);
  }
  free_.clear();
}

}  // namespace warpwalk::instrumentation
