#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "core/ops/dispatch/observer.h"
#include "core/ops/tensor/memory.h"

namespace warpwalk::ops {

/// The host's memory as tensors see it: bytes of this process, under addresses that are the same in every run. Each
/// allocation is 64 B aligned, follows the previous one and is filled with 0; freed addresses are never reused.
/// Nothing is cached: every allocation and free is reported to the observer, without a segment, and reserved equals
/// allocated.
class CpuMemory : public Memory {
 public:
  /// Address of the first allocation, outside the addresses of GPUs.
  static constexpr std::uint64_t base = 0x5500'0000'0000;
  static constexpr std::uint64_t alignment = 64;

  /// `capacity`: bytes that may be held at once, before an allocation is refused. The observer may be null; it outlives
  /// the memory.
  explicit CpuMemory(Observer* observer = nullptr, std::uint64_t capacity = std::uint64_t{8} << 30)
      : observer_(observer), capacity_(capacity) {}

  DeviceKind device() const override { return DeviceKind::cpu; }
  std::uint64_t allocate(std::uint64_t bytes) override;
  void free(std::uint64_t address) override;
  void read(std::uint64_t address, std::span<std::uint8_t> out) override;
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  /// Accepts the address of any byte of an allocation; returns null for all other addresses.
  std::uint8_t* host(std::uint64_t address) override;

  std::uint64_t allocated() const { return allocated_; }  ///< bytes, each allocation rounded up to the alignment

 private:
  struct Block {
    std::uint64_t bytes = 0, rounded = 0;
    std::unique_ptr<std::uint8_t[]> data;
  };
  /// From here to the end of its allocation; empty outside of any.
  std::span<std::uint8_t> from(std::uint64_t address);
  /// Throws OpError if the range is not within one allocation.
  std::uint8_t* range(std::uint64_t address, std::uint64_t bytes);
  void report(MemoryChange::Kind kind, std::uint64_t address, const Block& block);

  Observer* observer_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t next_ = base;
  std::uint64_t allocated_ = 0;
  std::map<std::uint64_t, Block> blocks_;  // by address
};

}  // namespace warpwalk::ops
