#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
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
  /// Addresses without memory, and how many bytes they reach, for an expandable segment; nullopt if the driver has no
  /// virtual memory management.
  virtual std::optional<std::pair<std::uint64_t, std::uint64_t>> reserve_addresses() { return {}; }
  /// Puts memory behind reserved addresses. Returns false if out of memory.
  virtual bool map(std::uint64_t /*address*/, std::uint64_t /*bytes*/) { return false; }
  virtual void unmap(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
};

/// Settings of PYTORCH_ALLOC_CONF, and the limit of torch.cuda.set_per_process_memory_fraction.
struct AllocatorSettings {
  static constexpr std::uint64_t unlimited = std::uint64_t{1} << 62;
  std::uint64_t max_split = unlimited;   ///< max_split_size_mb, in bytes: blocks of this size or more are not split
  std::uint64_t round_up_divisions = 0;  ///< roundup_power2_divisions: a power of two; 0 or 1: steps of 512 B
  double collect_from = 0;               ///< garbage_collection_threshold: share of the limit; 0: no collection
  std::uint64_t limit = unlimited;       ///< bytes that may be reserved
  bool expandable = false;               ///< expandable_segments
};

/// PyTorch's caching allocator for one stream of one device (c10/cuda/CUDACachingAllocator.cpp): requests rounded to
/// 512 B; small ones (to 1 MiB) from segments of 2 MiB, others from segments of 20 MiB or, from 10 MiB on, of their own
/// size rounded to 2 MiB; the smallest free block that fits (by size, then address) is taken and split; neighbours that
/// are free are joined; a request that the driver refuses is tried again after all free segments went back.
/// `AllocatorSettings` change these rules as PyTorch's settings do.
class CachingAllocator {
 public:
  CachingAllocator(SegmentSource& source, Observer* observer, const AllocatorSettings& settings = {});
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
  /// An expandable segment counts once for each range of addresses that is mapped to memory.
  std::vector<Segment> segments() const;
  /// Bytes of free blocks in segments that are partly in use ("inactive split"); without those of
  /// expandable segments, as PyTorch counts.
  std::uint64_t inactive_split() const;
  /// Bytes of the largest free block that a request of this size could use; 0: none.
  std::uint64_t largest_free(std::uint64_t bytes) const;
  /// The request as it is rounded under these settings.
  static std::uint64_t rounded(std::uint64_t bytes, const AllocatorSettings& settings = {});
  static bool is_small(std::uint64_t rounded);
  /// The bytes that are taken from the driver for a rounded request.
  static std::uint64_t segment_for(std::uint64_t rounded);

 private:
  struct Impl;
  SegmentSource& source_;
  Observer* observer_;
  AllocatorSettings settings_;
  std::uint64_t allocated_ = 0, reserved_ = 0, peak_allocated_ = 0, peak_reserved_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwalk::ops
