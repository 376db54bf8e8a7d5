#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"

namespace warpwalk::gpu {

class Footprint;
struct AccessedPage;

/// The pages of global memory that a launch accesses, and copies of what they held before their first write. Memory
/// that kernels cannot change is left out. Thread-safe.
class Snapshots final : public MemoryObserver {
 public:
  static constexpr std::uint64_t page_bytes = std::uint64_t{4} << 10;

  explicit Snapshots(const Memory& memory) : memory_(memory), regions_(memory.regions().size()) {}

  /// Called before each access; cheap after the first one to a page.
  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override;
  /// Restores the original contents of the words that were written or changed by atomics: the host may have changed
  /// others of its memory meanwhile.
  void restore(const std::vector<const Footprint*>& footprints);
  /// Takes all accessed pages out, by address.
  std::vector<AccessedPage> take();

 private:
  enum State : std::uint8_t { untouched, read, written };
  struct Pages {
    explicit Pages(std::uint64_t count) : states(count) {}
    std::vector<std::atomic<std::uint8_t>> states;
    std::map<std::uint64_t, std::vector<std::uint8_t>> before;  ///< of the pages that were written, by number
  };
  struct RegionPages {
    std::atomic<Pages*> pages = nullptr;
    std::unique_ptr<Pages> owned;
  };
  Pages& pages_of(std::size_t region);
  void copy_page(const Region& region, Pages& pages, std::uint64_t page);

  const Memory& memory_;
  std::vector<RegionPages> regions_;
  std::mutex mutex_;
};

}  // namespace warpwalk::gpu
