#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "instrumentation/simulated/device/error.h"

namespace warpwalk::simulated {

enum class MemoryKind : std::uint8_t {
  device,
  managed,     ///< host and kernels use it at the same address
  pinned,      ///< host memory that cudaHostAlloc gave
  registered,  ///< host memory of the program, registered
  array,       ///< the texels of a cudaArray; the program does not see its address
  variable,    ///< a variable of a module
};

/// Memory that kernels can access.
struct Allocation {
  MemoryKind kind = MemoryKind::device;
  std::uint64_t address = 0;  ///< as kernels see it; for host memory also as the program sees it
  std::uint64_t bytes = 0;
  std::uint8_t* data = nullptr;       ///< its contents, for this library
  std::vector<std::uint8_t> written;  ///< with the sanitizer: a flag per byte; empty: all initialised
  unsigned flags = 0;                 ///< of cudaHostAlloc, cudaHostRegister or cudaMallocManaged
  void* pool = nullptr;               ///< of stream-ordered allocations
  std::string call;                   ///< that allocated it, e.g. "cudaMalloc"; of a variable its name
  std::uint64_t number = 0;           ///< in the order of allocation
  bool frees_data = false;            ///< `data` is of its own mapping
  bool recorded_by_owner = false;     ///< its pool, graph or module records it, not on_change
  bool owned = false;                 ///< by a module or a graph, which frees it
  bool mapped = false;                ///< of virtual memory (virtual_memory.h), which unmaps it
  bool read_only = false;             ///< likewise: kernels may not write to it
  // With the sanitizer, numbers of call sites (call_site.h):
  std::uint32_t allocated_at = 0, freed_at = 0;
};

/// The memory of the simulated GPU. Thread-safe.
///
/// Device memory lies in a range of addresses that the program cannot access, so that a host that dereferences a device
/// pointer faults as it does with a GPU. A second mapping of the same size has the contents. With the sanitizer,
/// managed and pinned memory is mapped twice, too, so that the program's mapping can be protected (host_access.h).
class DeviceMemory {
 public:
  /// `capacity`: bytes of the GPU's memory. `tracks_writes`: for uninitialised reads.
  DeviceMemory(std::uint64_t capacity, bool tracks_writes);
  ~DeviceMemory();

  using Place = std::shared_ptr<Allocation>;
  /// Null if there is not enough memory. At least 256-byte aligned; contents are zero but count as never written.
  /// `recorded_by_owner`: as Allocation::recorded_by_owner.
  Place allocate(MemoryKind kind, std::uint64_t bytes, std::string call, bool recorded_by_owner = false);
  /// Registers host memory of the program. Null if a part of it is registered already.
  Place register_host(void* at, std::uint64_t bytes, unsigned flags);
  /// Frees what starts at the address. Returns invalid_value if nothing does.
  Error free(std::uint64_t address);
  /// Allocates freed device memory again at its address, for graphs. Returns out_of_memory if the addresses are in use.
  Error restore(const Place& freed);
  /// Makes memory accessible that the caller keeps, at an address that it has reserved.
  void map(const Place& place);
  void unmap(const Place& place);
  /// Counts memory that the caller keeps as used. Returns false if there is not enough.
  bool take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes);
  /// The allocation that contains the address; null if none does.
  Place find(std::uint64_t address) const;
  /// The freed allocation that last contained the address; its contents are gone. Null if none did.
  Place find_freed(std::uint64_t address) const;
  /// Whether the address is in the range of device memory, allocated or not.
  bool reserves(std::uint64_t address) const { return address >= reserved_ && address - reserved_ < reserved_bytes_; }
  /// Everything that is allocated, by address.
  std::vector<Place> all() const;
  /// The same as a launch gets it. Keeps the allocations alive.
  struct View {
    std::vector<Place> places;
    std::vector<gpu::OuterMemory> outer;
  };
  std::shared_ptr<const View> view() const;
  /// Bytes of device, managed and array memory in use, and of the GPU.
  std::uint64_t used() const;
  std::uint64_t capacity() const { return capacity_; }
  bool tracks_writes() const { return tracks_writes_; }

  /// Called after an allocation, and after it was freed; may be empty.
  std::function<void(const Allocation&, bool freed)> on_change;
  /// Called before memory is freed; may be empty.
  std::function<void(const Allocation&)> on_free;

 private:
  std::uint64_t take_addresses(std::uint64_t bytes);

  const std::uint64_t capacity_;
  const bool tracks_writes_;
  mutable std::mutex mutex_;
  std::uint64_t reserved_ = 0;  ///< first address of the reserved range
  std::uint64_t reserved_bytes_ = 0;
  std::uint8_t* contents_ = nullptr;             ///< mapping of the contents
  std::uint64_t next_ = 0;                       ///< offset of the next allocation
  std::map<std::uint64_t, std::uint64_t> free_;  ///< freed ranges by offset, once the end of the range was reached
  std::map<std::uint64_t, Place> places_;
  std::map<std::uint64_t, Place> freed_;  ///< the last ones
  std::uint64_t used_ = 0, count_ = 0;
  mutable std::shared_ptr<const View> view_;  ///< null: to be made again
};

}  // namespace warpwalk::simulated
