#include "instrumentation/simulated/driver/memory_pool.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace warpwalk::simulated {
namespace {

MemoryPool standard_pool() {
  MemoryPool pool;
  pool.properties.type = 1;
  pool.properties.location = {LocationType::device, 0};
  return pool;
}

struct Pools {
  std::mutex mutex;
  MemoryPool standard = standard_pool();
  MemoryPool* current = &standard;
  std::vector<std::unique_ptr<MemoryPool>> created;
};

/// Never destroyed, because programs call CUDA until they end.
Pools& pools() {
  static auto* const all = new Pools;
  return *all;
}

/// The caller holds the lock. Null if there is no such pool any more.
MemoryPool* pool_of(Pools& all, const void* pool) {
  if (pool == &all.standard) return &all.standard;
  const auto found = std::ranges::find(all.created, pool, &std::unique_ptr<MemoryPool>::get);
  return found == all.created.end() ? nullptr : found->get();
}

}  // namespace

PoolUse use_of_pool(const void* pool, std::uint32_t stream) {
  Pools& all = pools();
  const std::lock_guard lock(all.mutex);
  const MemoryPool* const found = pool_of(all, pool);
  if (found == nullptr) return {.stream = stream};
  return {reinterpret_cast<std::uint64_t>(found), found->used_bytes, found->used_bytes, found->release_threshold,
          stream};
}

void count_in_pool(const void* pool, std::int64_t bytes) {
  Pools& all = pools();
  const std::lock_guard lock(all.mutex);
  MemoryPool* const found = pool_of(all, pool);
  if (found == nullptr) return;
  found->used_bytes += static_cast<std::uint64_t>(bytes);
  found->most_used_bytes = std::max(found->most_used_bytes, found->used_bytes);
}

MemoryPool& default_pool() { return pools().standard; }

MemoryPool& current_pool() {
  const std::lock_guard lock(pools().mutex);
  return *pools().current;
}

void set_current_pool(MemoryPool& pool) {
  const std::lock_guard lock(pools().mutex);
  pools().current = &pool;
}

MemoryPool* find_pool(const MemoryPool* pool) {
  Pools& all = pools();
  const std::lock_guard lock(all.mutex);
  return pool_of(all, pool);
}

MemoryPool* create_pool(const CUmemPoolProps& properties) {
  const std::lock_guard lock(pools().mutex);
  MemoryPool& pool = *pools().created.emplace_back(std::make_unique<MemoryPool>());
  pool.properties = properties;
  return &pool;
}

Error destroy_pool(MemoryPool* pool) {
  Pools& all = pools();
  const std::lock_guard lock(all.mutex);
  const auto found = std::ranges::find(all.created, pool, &std::unique_ptr<MemoryPool>::get);
  // The default pool cannot be destroyed.
  if (found == all.created.end()) return Error::invalid_value;
  if (all.current == pool) all.current = &all.standard;
  all.created.erase(found);
  return Error::success;
}

Error get_pool_attribute(const MemoryPool& pool, PoolAttribute attribute, void* value) {
  const std::lock_guard lock(pools().mutex);
  const auto put = [&](std::uint64_t number) {
    std::memcpy(value, &number, sizeof number);
    return Error::success;
  };
  switch (attribute) {
    case PoolAttribute::follow_event_dependencies:
    case PoolAttribute::allow_opportunistic:
    case PoolAttribute::allow_internal_dependencies:
      std::memcpy(value, &pool.reuse[static_cast<std::size_t>(attribute) - 1], sizeof(int));
      return Error::success;
    case PoolAttribute::release_threshold: return put(pool.release_threshold);
    case PoolAttribute::reserved_bytes:
    case PoolAttribute::used_bytes: return put(pool.used_bytes);
    case PoolAttribute::most_reserved_bytes:
    case PoolAttribute::most_used_bytes: return put(pool.most_used_bytes);
    default: return Error::invalid_value;
  }
}

Error set_pool_attribute(MemoryPool& pool, PoolAttribute attribute, const void* value) {
  const std::lock_guard lock(pools().mutex);
  std::uint64_t number = 0;
  switch (attribute) {
    case PoolAttribute::follow_event_dependencies:
    case PoolAttribute::allow_opportunistic:
    case PoolAttribute::allow_internal_dependencies:
      std::memcpy(&pool.reuse[static_cast<std::size_t>(attribute) - 1], value, sizeof(int));
      return Error::success;
    case PoolAttribute::release_threshold:
      std::memcpy(&pool.release_threshold, value, sizeof pool.release_threshold);
      return Error::success;
    case PoolAttribute::most_reserved_bytes:
    case PoolAttribute::most_used_bytes:
      // Only back to what is in use.
      std::memcpy(&number, value, sizeof number);
      if (number != 0) return Error::invalid_value;
      pool.most_used_bytes = pool.used_bytes;
      return Error::success;
    default: return Error::invalid_value;
  }
}

Error allocate_in_stream(Gpu& gpu, MemoryPool& pool, Stream& stream, std::uint64_t bytes, CUdeviceptr* address) {
  if (address == nullptr || bytes == 0) return Error::invalid_value;
  if (stream.capture != nullptr) return add_captured_allocation(gpu, stream, bytes, *address);
  if (pool.properties.max_bytes != 0 && bytes > pool.properties.max_bytes - pool.used_bytes)
    return Error::out_of_memory;
  auto place = gpu.memory.allocate(MemoryKind::device, bytes, "cuMemAllocAsync");
  if (place == nullptr) {
    // Memory that streams are about to free.
    gpu.queue.wait_all();
    place = gpu.memory.allocate(MemoryKind::device, bytes, "cuMemAllocAsync");
  }
  if (place == nullptr) return Error::out_of_memory;
  place->pool = &pool;
  count_in_pool(&pool, static_cast<std::int64_t>(bytes));
  gpu.record_memory(*place, false, use_of_pool(&pool, stream.id));
  if (gpu.checks != nullptr) gpu.checks->allocated(*place, stream);
  *address = place->address;
  return Error::success;
}

Error free_in_stream(Gpu& gpu, Stream& stream, CUdeviceptr address) {
  if (stream.capture != nullptr) return add_captured_free(stream, address);
  const DeviceMemory::Place place = gpu.memory.find(address);
  if (place == nullptr || place->address != address || place->kind != MemoryKind::device) {
    if (gpu.checks != nullptr) gpu.checks->refused_free(address);
    return Error::invalid_value;
  }
  // Recorded with the call; the memory is freed later.
  place->recorded_by_owner = true;
  gpu.record_memory(*place, true, use_of_pool(place->pool, stream.id));
  gpu.streams.submit(stream, gpu.work_of([&gpu, place, address, pool = place->pool, bytes = place->bytes] {
    if (gpu.checks != nullptr) gpu.checks->frees(*place);
    if (gpu.memory.free(address) == Error::success) count_in_pool(pool, -static_cast<std::int64_t>(bytes));
  }));
  return Error::success;
}

}  // namespace warpwalk::simulated
