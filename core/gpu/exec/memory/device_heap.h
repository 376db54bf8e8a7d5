#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace warpwalk::gpu {

/// The heap of kernels: malloc() and free() in device code. Its memory is at heap_base (address_space.h). It can be
/// used by one launch after another, which then share what they have allocated. Thread-safe.
class DeviceHeap {
 public:
  /// The default of cudaLimitMallocHeapSize.
  static constexpr std::uint64_t default_bytes = std::uint64_t{8} << 20;

  explicit DeviceHeap(std::uint64_t bytes = default_bytes);
  /// A copy has the contents and allocations of the other, at the same addresses.
  DeviceHeap(const DeviceHeap& from);
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  /// The address of `bytes` bytes, aligned to `alignment` (a power of two) and to 16 bytes at least; 0 if there is no
  /// room. The contents are undefined.
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment = 1);
  /// Returns false if nothing that is allocated begins at the address. 0 is allowed, and frees nothing.
  bool free(std::uint64_t address);
  /// Bytes of the allocation that begins at the address; 0: none does.
  std::uint64_t bytes_of(std::uint64_t address) const;

  /// True if nothing is allocated.
  bool is_empty() const;

  std::uint64_t bytes() const { return bytes_; }
  std::uint8_t* data() { return data_.get(); }
  /// A flag per byte for the sanitizer, 0: never written since it was allocated. At the first call, everything that is
  /// allocated counts as written.
  std::uint8_t* written();

 private:
  struct Release {
    void operator()(std::uint8_t* bytes) const;
  };
  using Bytes = std::unique_ptr<std::uint8_t[], Release>;
  static Bytes zeros(std::uint64_t bytes);
  void add_free(std::uint64_t offset, std::uint64_t bytes);

  const std::uint64_t bytes_;
  mutable std::mutex mutex_;
  Bytes data_, written_;
  std::map<std::uint64_t, std::uint64_t> used_;                ///< bytes by offset
  std::map<std::uint64_t, std::uint64_t> free_;                ///< likewise; no two are adjacent
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  ///< the same as (bytes, offset)
};

}  // namespace warpwalk::gpu
