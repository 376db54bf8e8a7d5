#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/memory.h"

namespace warpwalk::simulated {

/// Memory of the GPU without an address (cuMemCreate). Its handle is its number.
struct PhysicalMemory {
  PhysicalMemory(DeviceMemory& memory, std::uint64_t bytes, int file) : of(memory), bytes(bytes), file(file) {}
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  DeviceMemory& of;
  const std::uint64_t bytes;
  const int file;  ///< of the contents
  std::uint64_t number = 0;
  int users = 1;  ///< handles that the program has not released
};

/// Access to mapped memory: the values of CUmemAccess_flags.
enum class MappedAccess : int { none = 0, read = 1, read_and_write = 3 };

/// Ranges of addresses, and the memory that is mapped to them: CUDA's virtual memory management. Mapped memory that
/// kernels can access is in DeviceMemory; neighbours with the same access are one allocation there. It counts as
/// initialised. Thread-safe.
class VirtualMemory {
 public:
  /// Sizes and offsets are multiples of it, as on GPUs with 2 MiB pages.
  static constexpr std::uint64_t granularity = std::uint64_t{2} << 20;

  explicit VirtualMemory(DeviceMemory& memory) : memory_(memory) {}

  Error reserve(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t& address);
  /// Ends the reservation of a whole range, to which nothing may be mapped.
  Error end_reservation(std::uint64_t address, std::uint64_t bytes);

  Error create(std::uint64_t bytes, std::uint64_t& handle);
  /// The memory is freed when it is mapped nowhere.
  Error release(std::uint64_t handle);
  bool is_handle(std::uint64_t handle) const;
  /// Another use of the handle of the memory at the address.
  Error retain(std::uint64_t address, std::uint64_t& handle);

  Error map(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset, std::uint64_t handle);
  /// Unmaps whole mappings. No kernel may be running.
  Error unmap(std::uint64_t address, std::uint64_t bytes);
  Error set_access(std::uint64_t address, std::uint64_t bytes, MappedAccess access);
  Error access(std::uint64_t address, MappedAccess& access) const;

 private:
  struct Mapping {
    std::uint64_t bytes = 0;
    std::shared_ptr<PhysicalMemory> memory;
    MappedAccess access = MappedAccess::none;
  };
  struct Range {
    std::uint64_t bytes = 0;
    std::uint8_t* contents = nullptr;           ///< a mapping of the same size, for this library
    std::map<std::uint64_t, Mapping> mappings;  ///< by address
    std::vector<DeviceMemory::Place> places;    ///< what kernels can access
  };
  using Ranges = std::map<std::uint64_t, Range>;

  bool make_arena();
  /// The range that contains these addresses; null if none does.
  const Range* range_of(std::uint64_t address, std::uint64_t bytes) const;
  /// True if the addresses are those of whole mappings, without gaps.
  static bool are_whole(const Range& range, std::uint64_t address, std::uint64_t bytes);
  /// Tells DeviceMemory what is accessible now.
  void publish(std::uint64_t first, Range& range);

  DeviceMemory& memory_;
  mutable std::mutex mutex_;
  std::uint64_t arena_ = 0;                      ///< first address of all ranges; 0: not reserved yet
  std::map<std::uint64_t, std::uint64_t> free_;  ///< addresses without a range: bytes by first address
  Ranges ranges_;
  std::map<std::uint64_t, std::shared_ptr<PhysicalMemory>> handles_;
  std::uint64_t last_number_ = 0;
};

}  // namespace warpwalk::simulated
