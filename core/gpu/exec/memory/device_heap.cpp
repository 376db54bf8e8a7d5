#include "core/gpu/exec/memory/device_heap.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/gpu/exec/address_space.h"

namespace warpwalk::gpu {

namespace {

/// "The address of the allocated memory is aligned to a 16-byte boundary" (CUDA C++ programming guide).
constexpr std::uint64_t heap_unit = 16;
/// Bytes behind the heap that may be accessed, as behind OuterMemory.
constexpr std::uint64_t heap_slack = 4;

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

void DeviceHeap::Release::operator()(std::uint8_t* bytes) const { std::free(bytes); }

/// calloc() takes no time for pages that are never used.
DeviceHeap::Bytes DeviceHeap::zeros(std::uint64_t bytes) {
  auto* const made = static_cast<std::uint8_t*>(std::calloc(bytes + heap_slack, 1));
  if (made == nullptr) throw std::bad_alloc();
  return Bytes(made);
}

DeviceHeap::DeviceHeap(std::uint64_t bytes) : bytes_(rounded_up(bytes, heap_unit)), data_(zeros(bytes_)) {
  if (bytes_ != 0) add_free(0, bytes_);
}

DeviceHeap::DeviceHeap(const DeviceHeap& from) : bytes_(from.bytes_), data_(zeros(bytes_)) {
  const std::lock_guard lock(from.mutex_);
  used_ = from.used_;
  free_ = from.free_;
  by_size_ = from.by_size_;
  for (const auto& [offset, bytes] : used_) std::memcpy(data_.get() + offset, from.data_.get() + offset, bytes);
}

void DeviceHeap::add_free(std::uint64_t offset, std::uint64_t bytes) {
  auto after = free_.lower_bound(offset);
  if (after != free_.end() && after->first == offset + bytes) {
    bytes += after->second;
    by_size_.erase({after->second, after->first});
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      by_size_.erase({before->second, before->first});
      by_size_.insert({before->second += bytes, before->first});
      return;
    }
  }
  free_.emplace(offset, bytes);
  by_size_.insert({bytes, offset});
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (bytes > bytes_ || alignment > bytes_) return 0;
  bytes = rounded_up(std::max<std::uint64_t>(bytes, 1), heap_unit);
  alignment = std::max(alignment, heap_unit);
  const std::lock_guard lock(mutex_);
  // The smallest free range that is large enough; of equal ones, the first.
  for (auto range = by_size_.lower_bound({bytes, 0}); range != by_size_.end(); ++range) {
    const auto [room, first] = *range;
    const std::uint64_t offset = rounded_up(heap_base + first, alignment) - heap_base;
    if (offset - first > room - bytes) continue;
    by_size_.erase(range);
    free_.erase(first);
    if (offset != first) add_free(first, offset - first);
    if (offset + bytes != first + room) add_free(offset + bytes, first + room - offset - bytes);
    used_.emplace(offset, bytes);
    if (written_ != nullptr) std::memset(written_.get() + offset, 0, bytes);
    return heap_base + offset;
  }
  return 0;
}

bool DeviceHeap::free(std::uint64_t address) {
  if (address == 0) return true;
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(address - heap_base);
  if (found == used_.end()) return false;
  const auto [offset, bytes] = *found;
  used_.erase(found);
  if (written_ != nullptr) std::memset(written_.get() + offset, 0, bytes);
  add_free(offset, bytes);
  return true;
}

std::uint64_t DeviceHeap::bytes_of(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(address - heap_base);
  return found == used_.end() ? 0 : found->second;
}

bool DeviceHeap::is_empty() const {
  const std::lock_guard lock(mutex_);
  return used_.empty();
}

std::uint8_t* DeviceHeap::written() {
  const std::lock_guard lock(mutex_);
  if (written_ == nullptr) {
    written_ = zeros(bytes_);
    for (const auto& [offset, bytes] : used_) std::memset(written_.get() + offset, 1, bytes);
  }
  return written_.get();
}

}  // namespace warpwalk::gpu
