#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/simulated/device/call_site.h"
#include "instrumentation/simulated/device/memory.h"
#include "instrumentation/simulated/device/work.h"

namespace warpwalk::simulated {

/// Bytes of an allocation that work of the GPU has used.
struct UsedRange {
  std::uint64_t first = 0, end = 0;  ///< offsets
  bool written = false;              ///< else only read
};

/// Work that has used memory for which the host must wait.
struct MemoryUse {
  std::string what;    ///< e.g. "kernel `scale`"
  std::string kernel;  ///< mangled name; empty: a copy
  std::uint32_t site = 0, correlation = 0;
  std::uint32_t stream = 0;
  std::uint64_t number = 0;  ///< Work::number
  DeviceMemory::Place place;
  std::vector<UsedRange> ranges;  ///< ascending, apart from each other
  bool over = false;              ///< the host waits for it no more: it was reported, or the memory was freed
};

/// The kind of an access of the host.
enum class HostAccessKind : std::uint8_t { read, write };

/// An access of the host to memory that work was still allowed to use.
struct EarlyAccess {
  std::shared_ptr<const MemoryUse> use;
  HostAccessKind kind = HostAccessKind::read;
  std::uint64_t offset = 0;  ///< in the allocation
  bool use_writes = false;
  call_sites::Frames frames{};
};

/// Finds accesses of the host to managed and pinned memory that the GPU may still use, because the program has not
/// waited for it. Between the run of such work and the wait, the pages that it used are protected in the program's
/// mapping; a fault handler records the access and makes them accessible. Another mapping of the same pages is used by
/// this library. Thread-safe.
class HostAccess {
 public:
  /// Work that has just run used the memory. Called by the thread that ran it.
  void add(MemoryUse use);
  /// The host has waited for this work.
  void release(const Order& order);
  void forget(const Allocation& allocation);
  /// In a fault handler: true if the access may be tried again. `running`: the work that the thread runs; null: none.
  bool handle(std::uint64_t address, HostAccessKind kind, std::uint64_t instruction, const Work* running);
  /// Accesses since the last call. Protects pages again that were opened for accesses beside what the GPU uses.
  std::vector<EarlyAccess> take();

 private:
  class Lock;
  struct Protected {
    std::uint64_t first = 0, end = 0;  ///< page addresses
    std::vector<std::shared_ptr<MemoryUse>> uses;
    bool opened = false;  ///< a page was made accessible for an access beside the uses
  };
  /// Protects an allocation's pages as its uses demand.
  static void protect(const Protected& area);
  static void open(const Protected& area);

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;  ///< the handler cannot wait for a mutex
  std::map<std::uint64_t, Protected> areas_;  ///< by address of the allocation
  static constexpr std::size_t most_accesses = 64;
  std::array<EarlyAccess, most_accesses> accesses_;
  std::size_t access_count_ = 0;
  std::atomic<bool> changed_ = false;  ///< by the handler, since the last take()
};

/// From now on, a fault of the host at an address of device memory is explained on stderr before the process ends as it
/// would have. Handlers that the program has set are called.
void install_fault_handler();

}  // namespace warpwalk::simulated
