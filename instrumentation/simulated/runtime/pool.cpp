#include "instrumentation/simulated/runtime/pool.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "instrumentation/simulated/device/graph.h"

namespace warpwalk::simulated {
namespace {

/// Freed memory that is remembered.
constexpr std::size_t most_freed = 1024;

std::uint64_t whole_chunks(std::uint64_t bytes) { return (bytes + Pool::chunk - 1) / Pool::chunk * Pool::chunk; }

/// For recordings; null: the pool has been destroyed.
PoolUse use_of(const Pool* pool, std::uint32_t stream = instrumentation::no_id) {
  if (pool == nullptr) return {.stream = stream};
  return {reinterpret_cast<std::uint64_t>(pool), pool->reserved, pool->used, pool->threshold, stream};
}

/// cudaMemPoolAttr: 1 to 3 are about reuse.
enum PoolAttribute : int {
  last_reuse = 3,
  release_threshold = 4,
  reserved_now = 5,
  reserved_most = 6,
  used_now = 7,
  used_most = 8,
};

}  // namespace

Pools& pools() {
  static auto& all = *new Pools;
  return all;
}

Pools::Pools() : current_(&default_) {}

Pool* Pools::find_locked(const void* handle) {
  if (handle == &default_) return &default_;
  const auto found = made_.find(handle);
  return found == made_.end() ? nullptr : found->second.get();
}

Pool* Pools::find(const void* handle) {
  const std::lock_guard lock(mutex_);
  return find_locked(handle);
}

Pool* Pools::current() {
  const std::lock_guard lock(mutex_);
  return current_;
}

Error Pools::set_current(const void* handle) {
  const std::lock_guard lock(mutex_);
  Pool* const pool = find_locked(handle);
  if (pool == nullptr) return Error::invalid_value;
  current_ = pool;
  return Error::success;
}

Pool* Pools::create(Gpu& gpu, std::uint64_t largest) {
  const std::lock_guard lock(mutex_);
  auto pool = std::make_unique<Pool>();
  pool->largest = largest;
  Pool* const handle = pool.get();
  made_.emplace(handle, std::move(pool));
  gpu.record_pool(PoolChange::created, use_of(handle));
  return handle;
}

Error Pools::destroy(Gpu& gpu, const void* handle) {
  const std::lock_guard lock(mutex_);
  // The default pool cannot be destroyed. Memory that is still allocated stays so.
  const auto found = made_.find(handle);
  if (found == made_.end()) return Error::invalid_value;
  gpu.record_pool(PoolChange::destroyed, use_of(found->second.get()));
  made_.erase(found);
  if (current_ == handle) current_ = &default_;
  return Error::success;
}

DeviceMemory::Place Pools::take_freed(Gpu& gpu, const Pool& pool, std::uint64_t bytes, const Stream& stream) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(freed_, [&](const auto& entry) {
    const Freed& freed = *entry.second;
    return freed.pool == &pool && freed.stream == stream.id && freed.place->bytes == bytes;
  });
  if (found == freed_.end()) return nullptr;
  const std::shared_ptr<Freed> freed = found->second;
  freed_.erase(found);
  if (freed->done && gpu.memory.restore(freed->place) != Error::success) return nullptr;
  freed->taken = true;
  freed->place->allocated_at = call_sites::current().site;
  return freed->place;
}

Error Pools::allocate(Gpu& gpu, Pool& pool, std::uint64_t bytes, Stream& stream, void*& at) {
  at = nullptr;
  if (bytes == 0) return Error::success;
  if (stream.capture != nullptr) {
    std::uint64_t address = 0;
    const Error error = add_captured_allocation(gpu, stream, bytes, address);
    at = reinterpret_cast<void*>(address);
    return error;
  }
  {
    const std::lock_guard lock(mutex_);
    if (pool.largest != 0 && bytes > pool.largest - std::min(pool.largest, pool.live)) return Error::out_of_memory;
  }
  DeviceMemory::Place place = take_freed(gpu, pool, bytes, stream);
  if (place == nullptr) place = gpu.memory.allocate(MemoryKind::device, bytes, "cudaMallocAsync", true);
  if (place == nullptr) {
    // Memory that streams are about to free.
    gpu.queue.wait_all();
    place = gpu.memory.allocate(MemoryKind::device, bytes, "cudaMallocAsync", true);
  }
  if (place == nullptr) return Error::out_of_memory;
  const std::lock_guard lock(mutex_);
  place->pool = &pool;
  count(pool, bytes);
  if (&pool == &default_ && !std::exchange(default_is_recorded_, true)) {
    PoolUse first = use_of(&pool);
    first.used = 0;
    gpu.record_pool(PoolChange::created, first);
  }
  gpu.record_memory(*place, false, use_of(&pool, stream.id));
  if (gpu.checks != nullptr) gpu.checks->allocated(*place, stream);
  at = reinterpret_cast<void*>(place->address);
  return Error::success;
}

void Pools::count(Pool& pool, std::uint64_t bytes) {
  pool.used += bytes;
  pool.live += bytes;
  pool.most_used = std::max(pool.most_used, pool.used);
  pool.reserved = std::max(pool.reserved, whole_chunks(pool.live));
  pool.most_reserved = std::max(pool.most_reserved, pool.reserved);
}

void Pools::shrink(Pool& pool, std::uint64_t kept) {
  pool.reserved = std::max(whole_chunks(pool.live), std::min(pool.reserved, kept));
}

Error Pools::free(Gpu& gpu, std::uint64_t address, Stream& stream) {
  if (stream.capture != nullptr) return add_captured_free(stream, address);
  const auto freed = std::make_shared<Freed>();
  freed->stream = stream.id;
  freed->place = gpu.memory.find(address);
  const DeviceMemory::Place& place = freed->place;
  const auto refuse = [&] {
    if (gpu.checks != nullptr) gpu.checks->refused_free(address);
    return Error::invalid_value;
  };
  if (place == nullptr || place->address != address || place->kind != MemoryKind::device) return refuse();
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Freed>& last = freed_[address];
    if (last != nullptr && !last->done) return refuse();
    last = freed;
    if (freed_.size() > most_freed) std::erase_if(freed_, [](const auto& entry) { return entry.second->done; });
    // The pool may have been destroyed, or be one of the driver API.
    freed->pool = find_locked(place->pool);
    // Recorded with the call; the memory is freed later. CUPTI reports the pool as it was before.
    place->recorded_by_owner = true;
    gpu.record_memory(*place, true, use_of(freed->pool, stream.id));
    if (freed->pool != nullptr) {
      freed->pool->used -= std::min(freed->pool->used, place->bytes);
      freed->pool->live -= std::min(freed->pool->live, place->bytes);
      shrink(*freed->pool, freed->pool->threshold);
    }
  }
  const WorkPtr work = gpu.work_of([this, &gpu, freed] {
    if (gpu.checks != nullptr) gpu.checks->frees(*freed->place);
    {
      const std::lock_guard lock(mutex_);
      // Taken again: it counts as never written, as new memory does.
      if (freed->taken) std::ranges::fill(freed->place->written, std::uint8_t{0});
      if (freed->taken) return;
      freed->done = true;
      gpu.memory.free(freed->place->address);
    }
  });
  gpu.streams.submit(stream, work);
  return Error::success;
}

bool Pools::forget(Gpu& gpu, const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  const auto freed = freed_.find(allocation.address);
  if (freed != freed_.end() && !freed->second->done) return false;
  Pool* const pool = find_locked(allocation.pool);
  if (allocation.pool != nullptr) gpu.record_memory(allocation, true, use_of(pool));
  if (pool != nullptr) {
    pool->live -= std::min(pool->live, allocation.bytes);
    shrink(*pool, pool->threshold);
  }
  return true;
}

Error Pools::trim(Gpu& gpu, const void* handle, std::uint64_t kept) {
  const std::lock_guard lock(mutex_);
  Pool* const pool = find_locked(handle);
  if (pool == nullptr) return Error::invalid_value;
  shrink(*pool, kept);
  gpu.record_pool(PoolChange::trimmed, use_of(pool));
  return Error::success;
}

Error Pools::set(const void* handle, int attribute, const void* value) {
  const std::lock_guard lock(mutex_);
  Pool* const pool = find_locked(handle);
  if (pool == nullptr || value == nullptr || attribute < 1) return Error::invalid_value;
  if (attribute <= last_reuse) {
    pool->reuse[attribute - 1] = *static_cast<const int*>(value) != 0;
    return Error::success;
  }
  std::uint64_t number = 0;
  std::memcpy(&number, value, sizeof number);
  switch (attribute) {
    case release_threshold: pool->threshold = number; return Error::success;
    // The highest values can only be set back.
    case reserved_most:
      if (number == 0) pool->most_reserved = pool->reserved;
      return number == 0 ? Error::success : Error::invalid_value;
    case used_most:
      if (number == 0) pool->most_used = pool->used;
      return number == 0 ? Error::success : Error::invalid_value;
    default: return Error::invalid_value;
  }
}

Error Pools::get(const void* handle, int attribute, void* value) {
  const std::lock_guard lock(mutex_);
  Pool* const pool = find_locked(handle);
  if (pool == nullptr || value == nullptr || attribute < 1 || attribute > used_most) return Error::invalid_value;
  if (attribute <= last_reuse) {
    *static_cast<int*>(value) = pool->reuse[attribute - 1] ? 1 : 0;
    return Error::success;
  }
  const std::uint64_t numbers[] = {pool->threshold, pool->reserved, pool->most_reserved, pool->used, pool->most_used};
  std::memcpy(value, &numbers[attribute - release_threshold], sizeof numbers[0]);
  return Error::success;
}

void Pools::reset() {
  const std::lock_guard lock(mutex_);
  made_.clear();
  freed_.clear();
  default_ = Pool();
  default_is_recorded_ = false;
  current_ = &default_;
}

}  // namespace warpwalk::simulated
