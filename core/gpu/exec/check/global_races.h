#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/gpu/exec/memory/footprint.h"
#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/exec/shadow/global_shadow.h"
#include "core/gpu/exec/shadow/known_blocks.h"
#include "core/gpu/exec/shadow/report_findings.h"

namespace warpwalk::gpu {

class Machine;

/// Finds races on global memory: two unordered accesses to a word by different threads, at least one of which writes,
/// and at least one of which is not strong (atomic, volatile, relaxed, acquire or release). Order follows from the
/// program, barriers and warp synchronization, and between blocks from a strong access that reads what another one has
/// released: a fence, then a strong write; a strong read, then a fence or a barrier of the block. The simulator runs
/// blocks one after another; what happened first there orders nothing.
///
/// No races:
/// - plain stores of the value that another thread has stored ("found = 1");
/// - a plain read of a word that the same thread then changes atomically (the first guess of a compare-and-swap loop,
/// or a test
///   whether the atomic is needed).
class GlobalRaces {
 public:
  /// `limit_bytes`: of its shadow memory.
  explicit GlobalRaces(std::size_t limit_bytes);

  /// Lanes access global memory at these addresses, which are valid. Called before memory changes.
  void access(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes,
              MemoryObserver::Kind kind, const Places& places);
  /// Accesses to this memory up to now come before all later ones.
  void forget(std::uint64_t address, std::uint64_t bytes) { shadow_.forget(address, bytes); }
  /// The current warp has issued a fence for the whole GPU.
  void fence(Machine& machine);
  /// The launch has ended: withdraws findings that later accesses have explained.
  void launch_ended(FindingList& findings);
  /// True if the memory for the check was exhausted, so that some accesses were not checked.
  bool is_incomplete() const { return gave_up_ || shadow_.is_full(); }

 private:
  struct LaneAccess;

  /// A lane of the current warp makes a strong access: it receives what was released at the address, and releases what
  /// precedes the warp's last fence.
  void synchronize(Machine& machine, const Op& op, std::uint64_t address, bool reads, bool writes, bool block_scope);

  GlobalShadow shadow_;
  std::unordered_map<std::uint64_t, KnownBlocks> released_;  ///< by address of a synchronization variable
  std::uint16_t execution_ = 0;
  bool gave_up_ = false;
  /// Findings about a plain read and an atomic, by place, with the instruction of the read. They are withdrawn if that
  /// instruction precedes atomics of the same thread.
  std::set<std::pair<FindingPlace, std::uint32_t>> doubtful_;
  std::set<std::uint32_t> guesses_;  ///< plain reads that precede atomics
  /// Plain reads, with other plain reads of the same word by the same thread that follow them.
  std::set<std::pair<std::uint32_t, std::uint32_t>> repeated_reads_;
};

}  // namespace warpwalk::gpu
