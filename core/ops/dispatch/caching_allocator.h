#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/ops/dispatch/observer.h"

namespace warpwalk::ops {

/// The driver that the caching allocator takes segments from: cudaMalloc and cudaFree, or a stand-in.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  /// Returns nullopt if out of memory.
  virtual std::optional<std::uint64_t> allocate(std::uint64_t bytes) = 0;
  virtual void free(std::uint64_t address, std::uint64_t bytes) = 0;
};

/// PyTorch's caching allocator for one stream of one device, with its default settings (c10/cuda/
/// CUDACachingAllocator.cpp): requests rounded to 512 B; small ones (to 1 MiB) from segments of 2 MiB, others from
/// segments of 20 MiB or, from 10 MiB on, of their own size rounded to 2 MiB; the smallest free block that fits (by
/// size, then address) is taken and split; neighbours that are free are joined; a request that the driver refuses is
/// tried again after all free segments went back.
class CachingAllocator {
 public:
  CachingAllocator(SegmentSource& source, Observer* observer);
  ~CachingAllocator();
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// Address of a block; 0 for 0 bytes. Throws OpError when out of memory: what was asked for, held and cached.
  std::uint64_t allocate(std::uint64_t bytes);
  void free(std::uint64_t address);
  void empty_cache();  ///< gives segments without a block in use back to the driver

  std::uint64_t allocated() const { return allocated_; }  ///< bytes of blocks in use, rounded
  std::uint64_t reserved() const { return reserved_; }    ///< bytes of segments
  std::uint64_t peak_allocated() const { return peak_allocated_; }
  std::uint64_t peak_reserved() const { return peak_reserved_; }

  /// The state, for pictures and tests: segments by address with their blocks in order.
  struct Block {
    std::uint64_t address = 0, bytes = 0, requested = 0;
    bool in_use = false;
  };
  struct Segment {
    std::uint64_t address = 0, bytes = 0;
    bool small = false;
    std::vector<Block> blocks;
  };
  std::vector<Segment> segments() const;

 private:
  struct Impl;
  SegmentSource& source_;
  Observer* observer_;
  std::uint64_t allocated_ = 0, reserved_ = 0, peak_allocated_ = 0, peak_reserved_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwalk::ops
