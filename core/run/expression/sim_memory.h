#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/ops/dispatch/caching_allocator.h"
#include "core/ops/tensor/memory.h"

namespace warpwalk::run {

/// The driver of the simulated GPU. It allocates segments in sequence from gpu::buffers_base, 2 MiB aligned, and reuses
/// the lowest gap that is large enough.
class SimDriver : public ops::SegmentSource {
 public:
  explicit SimDriver(std::uint64_t bytes) : capacity_(bytes) {}
  std::optional<std::uint64_t> allocate(std::uint64_t bytes) override;
  void free(std::uint64_t address, std::uint64_t bytes) override;
  std::uint64_t capacity() const { return capacity_; }

 private:
  std::uint64_t capacity_, used_ = 0;
  std::map<std::uint64_t, std::uint64_t> segments_;  // bytes by address
};

/// The memory of the simulated GPU. Addresses come from the caching allocator over SimDriver; the bytes are on the
/// host.
class SimMemory : public ops::Memory {
 public:
  /// The contents at an allocated address.
  struct Block {
    std::vector<std::uint8_t> bytes;
    bool written = false;  ///< by the host or a kernel since the allocation
  };

  SimMemory(std::uint64_t device_bytes, ops::Observer* observer);

  ops::DeviceKind device() const override { return ops::DeviceKind::cuda; }
  std::uint64_t allocate(std::uint64_t bytes) override;
  void free(std::uint64_t address) override;
  void read(std::uint64_t address, std::span<std::uint8_t> out) override;
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  std::uint8_t* host(std::uint64_t) override { return nullptr; }

  struct Place {
    std::uint64_t address = 0;  ///< of the block
    Block* block = nullptr;
  };
  /// Finds the block that contains an address or ends at it. Throws ops::OpError if there is none.
  Place find(std::uint64_t address);
  const ops::CachingAllocator& allocator() const { return allocator_; }

 private:
  Place reach(std::uint64_t address, std::size_t bytes);

  SimDriver driver_;
  ops::CachingAllocator allocator_;
  std::map<std::uint64_t, Block> blocks_;  // by address
};

}  // namespace warpwalk::run
