#pragma once

#include <array>
#include <cstdint>

#include "instrumentation/simulated/driver/abi.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// CUmemPool_attribute.
enum class PoolAttribute : int {
  follow_event_dependencies = 1,
  allow_opportunistic = 2,
  allow_internal_dependencies = 3,
  release_threshold = 4,
  reserved_bytes = 5,
  most_reserved_bytes = 6,
  used_bytes = 7,
  most_used_bytes = 8,
};

/// A pool of memory for stream-ordered allocations. It keeps no freed memory: each allocation takes memory of the GPU,
/// so the reserved bytes are those in use.
struct MemoryPool {
  CUmemPoolProps properties{};
  std::array<int, 3> reuse{1, 1, 1};  ///< the first three attributes
  std::uint64_t release_threshold = 0;
  std::uint64_t used_bytes = 0, most_used_bytes = 0;
};

/// The pool of a handle; null if there is no such pool.
MemoryPool* find_pool(const MemoryPool* pool);
MemoryPool& default_pool();
/// That of cuMemAllocAsync, which cuDeviceSetMemPool sets.
MemoryPool& current_pool();
void set_current_pool(MemoryPool& pool);
MemoryPool* create_pool(const CUmemPoolProps& properties);
Error destroy_pool(MemoryPool* pool);

Error get_pool_attribute(const MemoryPool& pool, PoolAttribute attribute, void* value);
Error set_pool_attribute(MemoryPool& pool, PoolAttribute attribute, const void* value);

/// A pool as recordings have it; all zero if there is no such pool any more.
PoolUse use_of_pool(const void* pool, std::uint32_t stream = instrumentation::no_id);

/// Counts memory that was allocated in a pool (or freed: negative). Does nothing if there is no such pool any more.
void count_in_pool(const void* pool, std::int64_t bytes);
/// Allocates memory, which work in the stream may use from now on.
Error allocate_in_stream(Gpu& gpu, MemoryPool& pool, Stream& stream, std::uint64_t bytes, CUdeviceptr* address);
/// Frees memory when the work in the stream before has ended.
Error free_in_stream(Gpu& gpu, Stream& stream, CUdeviceptr address);

}  // namespace warpwalk::simulated
