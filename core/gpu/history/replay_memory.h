#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"
#include "core/gpu/timing/launch_recorder.h"

namespace warpwalk::gpu {

/// Global memory as some SMs see it while they run again. Puts there what other SMs had written, before it is
/// read, and can take everything back: each change is in a journal.
class ReplayMemory final : public MemoryObserver {
 public:
  /// A point in the sequence of changes.
  struct Position {
    /// Of one SM.
    struct Read {
      std::uint64_t accesses = 0;  ///< to writable memory so far
      std::size_t patches = 0;     ///< that have been applied
    };
    std::size_t changes = 0;  ///< entries of the journal that have been made
    std::vector<Read> sms;    ///< by index into the SMs that run
  };

  /// `records`: of the SMs that run; they must outlive it.
  ReplayMemory(const Memory& memory, std::vector<const SmRecord*> records);
  /// The SM with this index runs from now on.
  void runs(std::size_t sm) { sm_ = sm; }

  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override;
  const Position& position() const { return position_; }
  /// Makes the memory what it was at a position that has been reached before.
  void go_to(const Position& position);
  /// Bytes that the journal takes.
  std::size_t bytes() const { return contents_.capacity() + changes_.capacity() * sizeof(Change); }

 private:
  struct Change {
    std::uint32_t region;
    std::uint32_t bytes;
    std::uint64_t offset;
    std::size_t contents;  ///< index into contents_: before the change if it has been made, else after it
  };
  void change(std::size_t region, std::uint64_t offset, std::uint64_t bytes);
  void swap(const Change& change);

  const Memory& memory_;
  const std::vector<const SmRecord*> records_;
  std::size_t sm_ = 0;
  Position position_;
  std::vector<Change> changes_;
  std::vector<std::uint8_t> contents_;
};

}  // namespace warpwalk::gpu
