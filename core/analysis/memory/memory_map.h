#pragma once

// This folder derives facts about tensors and allocations. The model of the allocator is in core/ops/dispatch.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// A memory: that of a GPU (by the device's number) or of the CPU.
struct MemorySpace {
  bool gpu = true;
  std::int64_t device = 0;  ///< of a GPU
  friend bool operator==(const MemorySpace&, const MemorySpace&) = default;
};

/// The time of blocks that were allocated before the recording began.
constexpr std::int64_t before_record = std::numeric_limits<std::int64_t>::min();

/// The default rules of PyTorch's caching allocator (c10/cuda/CUDACachingAllocator.cpp, get_pool and
/// get_allocation_size), in bytes.
namespace caching_rules {
constexpr std::int64_t rounding = 512;                  ///< every request is rounded up to a multiple of it
constexpr std::int64_t largest_small = 1048576;         ///< requests up to this size use the small pool
constexpr std::int64_t small_segment = 2097152;         ///< allocated from the driver for the small pool
constexpr std::int64_t middle_segment = 20971520;       ///< and for requests below `own_segment` of the large pool
constexpr std::int64_t own_segment = 10485760;          ///< a request of this size or more gets its own segment
constexpr std::int64_t own_segment_rounding = 2097152;  ///< rounded up to a multiple of this
std::int64_t rounded(std::int64_t bytes);
bool is_small(std::int64_t bytes);
/// The bytes allocated from the driver if a block of this size does not fit in the cache.
std::int64_t segment_for(std::int64_t bytes);
}  // namespace caching_rules

/// A range of addresses at one moment.
struct MemoryRange {
  enum class State : std::uint8_t {
    block,   ///< handed out
    cached,  ///< was a block before and is kept by PyTorch
  };
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  State state = State::block;
  std::int64_t since = before_record;     ///< of a block: when it was allocated, ns since the trace's base
  std::size_t record = trace::no_record;  ///< of a block: its row of Records::allocations
  std::uint64_t end() const { return address + static_cast<std::uint64_t>(bytes); }
};

/// Neighbouring addresses at one moment. The set of strips does not depend on the moment.
struct MemoryStrip {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  bool segment = false;  ///< its ends are those of an allocator's segment or of a driver allocation; else they are only
                         ///< the outermost recorded addresses
  bool small = false;    ///< of the small pool
  std::vector<MemoryRange> ranges;  ///< by address; the gaps between them are not known
  std::uint64_t end() const { return address + static_cast<std::uint64_t>(bytes); }
};

/// Totals over a range of time that begins at `time` (ns since the trace's base); `absent` if not recorded.
struct MemoryPoint {
  std::int64_t time = 0;
  std::int64_t allocated = trace::absent;  ///< at its end
  std::int64_t allocated_low = trace::absent, allocated_high = trace::absent;
  std::int64_t reserved = trace::absent;  ///< at its end
};
constexpr std::size_t max_points = 480;

/// One memory over the whole trace, and its state at one moment.
struct MemoryMap {
  enum class Source : std::uint8_t {
    none,
    events,
    records,
    driver,  ///< no allocator's history, only the driver's allocations: each is its own strip
  };
  Source source = Source::none;
  MemorySpace space;
  std::vector<MemoryPoint>
      points;  ///< at most max_points, by time: every change, or a summary of the changes between two points
  std::int64_t allocated = trace::absent;
  std::int64_t reserved = trace::absent;
  bool before_first =
      false;  ///< the moment is before the first change: `allocated` is the total before it, `reserved` the total at it
  std::int64_t seen = 0;            ///< bytes of the blocks whose addresses are known
  std::size_t blocks = 0;           ///< number of these blocks
  std::vector<MemoryStrip> strips;  ///< by address
  std::int64_t peak_allocated = trace::absent, peak_reserved = trace::absent;
  std::int64_t peak_time = 0;    ///< of peak_allocated, ns since the trace's base
  std::size_t failures = 0;      ///< requests that failed
  std::size_t not_followed = 0;  ///< changes at more addresses than are followed
};

/// Whether this event belongs to this memory and has a number of bytes.
bool is_of(const trace::MemoryEvent& event, const MemorySpace& space);

/// Reads the memory's history and its state at `at` (ns since the trace's base). warpwalk's own records take precedence
/// over PyTorch's memory events, because they have the segments; without either, the driver's allocations are read. One
/// pass over the events.
MemoryMap memory_map(const Trace& trace, const MemorySpace& space, std::int64_t at);

/// The totals at another moment, without reading the whole history again.
struct MemoryTotals {
  std::int64_t allocated = trace::absent;
  std::int64_t reserved = trace::absent;
};
MemoryTotals memory_totals(const Trace& trace, const MemoryMap& map, std::int64_t at);

/// "0x7f72a5000000".
std::string address_text(std::uint64_t address);
/// Bytes in full: "4,194,304 B".
std::string full_bytes(std::int64_t bytes);

}  // namespace warpwalk::analysis
