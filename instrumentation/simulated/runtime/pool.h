#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// A memory pool. cudaMemPool_t is a pointer to it.
struct Pool {
  static constexpr std::uint64_t chunk = 32 << 20;  ///< reserved memory is a multiple of it

  bool reuse[3] = {true, true, true};  ///< cudaMemPoolReuse...: all are allowed
  std::uint64_t threshold = 0;         ///< reserved bytes that are kept
  std::uint64_t reserved = 0, most_reserved = 0, used = 0, most_used = 0;
  std::uint64_t live = 0;     ///< as `used`, but without what cudaFree has freed, which CUDA's counters keep
  std::uint64_t largest = 0;  ///< of PoolProperties; 0: no limit
};

/// The pools of the process, and memory that is allocated and freed in the order of a stream. Thread-safe.
class Pools {
 public:
  Pools();
  Pool* device_default() { return &default_; }
  Pool* current();
  Error set_current(const void* handle);
  /// Null if there is no such pool.
  Pool* find(const void* handle);
  Pool* create(Gpu& gpu, std::uint64_t largest);
  Error destroy(Gpu& gpu, const void* handle);

  /// Takes memory that the same stream has freed, or new memory.
  Error allocate(Gpu& gpu, Pool& pool, std::uint64_t bytes, Stream& stream, void*& at);
  Error free(Gpu& gpu, std::uint64_t address, Stream& stream);
  /// For memory that cudaFree frees: false if a stream is about to free it.
  bool forget(Gpu& gpu, const Allocation& allocation);

  Error trim(Gpu& gpu, const void* handle, std::uint64_t kept);
  /// `attribute`: of cudaMemPoolAttr. Values are ints for reuse, else 64-bit numbers.
  Error set(const void* handle, int attribute, const void* value);
  Error get(const void* handle, int attribute, void* value);
  void reset();

 private:
  Pool* find_locked(const void* handle);
  /// Memory that work of a stream will free or has freed. As CUDA does, the stream gets it again when it allocates as
  /// many bytes.
  struct Freed {
    Pool* pool = nullptr;
    std::uint32_t stream = 0;
    DeviceMemory::Place place;
    bool taken = false;  ///< allocated again before the work ran
    bool done = false;   ///< the work has run
  };
  DeviceMemory::Place take_freed(Gpu& gpu, const Pool& pool, std::uint64_t bytes, const Stream& stream);
  static void count(Pool& pool, std::uint64_t bytes);
  static void shrink(Pool& pool, std::uint64_t kept);

  std::mutex mutex_;
  Pool default_;
  bool default_is_recorded_ = false;  ///< CUPTI reports that pool when it gets memory first
  Pool* current_;
  std::map<const void*, std::unique_ptr<Pool>> made_;
  std::map<std::uint64_t, std::shared_ptr<Freed>> freed_;  ///< by address
};

Pools& pools();

}  // namespace warpwalk::simulated
